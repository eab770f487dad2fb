"""What a runner is asked to do, and what it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from bots.registry import BotSpec
from bots.runner.core.pause import Pause
from bots.runner.core.plan import ChallengePlan
from bots.runner.core.policy import Policy
from client.core.room import RoomMirror
from protocol.common import MatchSettings
from protocol.server_messages import MoveMade, Termination, TournamentState


class RunnerError(Exception):
    """The runner cannot do what it was asked; one sentence for people."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended, from the side of this runner's player.

    `seat` is its seat, `winner` the winning seat (None: a draw or no result), `index` the
    number of the game in the plan, None outside one. `scores` and `termination` are as in
    `match_finished`. `moves` counts the moves of both, `failures` those that this bot failed
    to bring: stand-ins in a casual match, the crash that ended a rated one.
    """

    game_id: str
    room: str
    match: int
    settings: MatchSettings
    opponent: str
    seat: int
    winner: int | None
    termination: Termination
    scores: tuple[int, int]
    moves: int
    failures: int = 0
    index: int | None = None

    @property
    def has_result(self) -> bool:
        """Whether it counts: neither aborted nor void."""
        return self.termination not in ("aborted", "void")

    @property
    def outcome(self) -> Literal["won", "lost", "drawn", "void"]:
        """For this runner's player."""
        if not self.has_result:
            return "void"
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == self.seat else "lost"

    def __str__(self) -> str:
        mine, others = self.scores[self.seat], self.scores[1 - self.seat]
        return f"{self.outcome} against {self.opponent}, {mine}:{others} ({self.termination})"


@dataclass(slots=True)
class RunnerReport:
    """What came of it. `plan` has the results of a plan by the number of the game, `failures`
    counts the moves that the bot failed to bring, `problem` is one sentence when not everything
    could be done."""

    name: str = ""
    won: int = 0
    lost: int = 0
    drawn: int = 0
    void: int = 0
    failures: int = 0
    plan: dict[int, GameResult] = field(default_factory=dict)
    problem: str | None = None

    @property
    def games(self) -> int:
        """Finished games that have a result."""
        return self.won + self.lost + self.drawn

    def count(self, result: GameResult) -> None:
        """Take a finished game in."""
        outcome = result.outcome
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.failures += result.failures


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerConfig:
    """What a runner is to do.

    `name` None: the bot's name, with a number behind it when that is taken; a given name is
    insisted on, or without `insist` only tried first. A name that another runner on this machine
    has in use is waited for `name_wait_s` seconds. `seed` makes the bots' random choices
    repeatable. `workers` is the number of worker processes, `memory_mb` what the games of one
    worker may use for tables together, in MiB. `state_dir` is where tokens are kept (None: the
    user's state folder), and `kept_for` what tells servers apart there (None: the address).
    `patience_s` is how long to wait for a server that does not answer at the start, `grace_s` how
    long running games may go on after the first request to stop, `think_s` the time for a move in
    games without a clock and the most for any move, all in seconds. `pause` lets a moment pass
    before moves against people. `games` ends the runner after so many finished games. `seek`
    keeps a seek with these settings open. `plan` ends it when the plan is done, `tournament` (its
    id) when that has ended or has no more games for this player. `signals` lets it
    handle SIGINT and SIGTERM. `on_ready` is told the name once it has joined the server,
    `on_entered` the name and the tournament once it has entered that, `on_began` of each match that
    it finds being played.
    """

    server: str
    spec: BotSpec
    name: str | None = None
    insist: bool = True
    name_wait_s: float = 0.0
    seed: int | None = None
    policy: Policy = field(default_factory=Policy)
    workers: int = 1
    memory_mb: int = 256
    state_dir: Path | None = None
    kept_for: str | None = None
    patience_s: float = 10.0
    grace_s: float = 60.0
    think_s: float = 10.0
    pause: Pause | None = None
    games: int | None = None
    seek: MatchSettings | None = None
    plan: ChallengePlan | None = None
    tournament: str | None = None
    signals: bool = True
    on_ready: Callable[[str], None] | None = None
    on_entered: Callable[[str, TournamentState], None] | None = None
    on_began: Callable[[RoomMirror], None] | None = None
    on_game: Callable[[GameResult], None] | None = None
    on_move: Callable[[MoveMade], None] | None = None
