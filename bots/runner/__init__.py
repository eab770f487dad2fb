"""Join a server as a player and let a bot play there; only this part of `bots` uses the network.

`config` has the settings of a run and its report. `core` decides without I/O: which games to accept
(`policy`), whom to challenge (`matchmaking`), how long to think (`timing`), how long to pause so
that people can follow (`pause`), and which games belong to a plan (`plan`). `identity` finds a free
name and connects. `visit` does everything between connecting and leaving: `acceptor` and
`matchmaker` begin games, `rooms` keeps all rooms with a seat of the bot, `seated_room` plays in one
room, `campaign` carries out a plan, and `entry` takes part in a tournament. `runner` combines these
parts. `home` reads and writes files with the settings of a bot.
"""

from doublecross.bots.runner.config import (
    Engine,
    GameResult,
    RunnerConfig,
    RunnerError,
    RunnerReport,
)
from doublecross.bots.runner.core.matchmaking import Matchmaking
from doublecross.bots.runner.core.pause import Pause
from doublecross.bots.runner.core.plan import ChallengePlan, PlannedGame
from doublecross.bots.runner.core.policy import Policy
from doublecross.bots.runner.core.ranges import GameRange, NumberRange, QuietHours
from doublecross.bots.runner.runner import Runner, run_bot

__all__ = [
    "ChallengePlan",
    "Engine",
    "GameRange",
    "GameResult",
    "Matchmaking",
    "NumberRange",
    "Pause",
    "PlannedGame",
    "Policy",
    "QuietHours",
    "Runner",
    "RunnerConfig",
    "RunnerError",
    "RunnerReport",
    "run_bot",
]
