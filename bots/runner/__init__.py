"""Joins a server as a player and lets a bot play there; the only part of `bots` that knows the
network.

`config` says what is wanted and what came of it, `policy` which games to take, `identity` who the
player is, `timing` how long to think, `pause` how long people are given to follow, `table` plays
one room, `plan` a series of challenges, and `runner` holds them together.
"""

from bots.runner.config import GameResult, RunnerConfig, RunnerError, RunnerReport
from bots.runner.core.pause import Pause
from bots.runner.core.plan import ChallengePlan, PlannedGame
from bots.runner.core.policy import Policy
from bots.runner.runner import Runner, run_bot

__all__ = [
    "ChallengePlan",
    "GameResult",
    "Pause",
    "PlannedGame",
    "Policy",
    "Runner",
    "RunnerConfig",
    "RunnerError",
    "RunnerReport",
    "run_bot",
]
