"""Joins a server as a player and lets a bot play there; the only part of `bots` that knows the
network.

`config` says what is wanted and what came of it. `core` decides without I/O: which games to take
(`policy`), how long to think (`timing`), how long people are given to follow (`pause`), and which
games a plan has (`plan`). `identity` finds a name and connects. `visit` is one stay on a server:
`acceptor` begins games, `rooms` has all rooms and `seated_room` plays in one, `campaign` carries
out a plan, `entry` is the entry into a tournament. `runner` holds them together.
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
