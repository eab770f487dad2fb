"""The settings of a runner and its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from doublecross.bots.registry import BotSpec
from doublecross.bots.runner.core.matchmaking import Matchmaking
from doublecross.bots.runner.core.pause import Pause
from doublecross.bots.runner.core.plan import ChallengePlan
from doublecross.bots.runner.core.policy import Policy
from doublecross.bots.runner.core.ranges import GameRange
from doublecross.client.core.room import RoomMirror
from doublecross.games.api import Game
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import MoveMade, Termination, TournamentState

STORAGE_SENTENCES: Final = {
    False: "The server cannot store moves at the moment. Games and their clocks stand still;"
    " trying again.",
    True: "The server stores moves again. The games go on.",
}
"""The sentences for people: the server's storage fails (False), or works again (True)."""


class RunnerError(Exception):
    """The runner cannot do what its settings request; the text is one sentence for people."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game, for this runner's player.

    `seat` is the seat of this player, `winner` the winning seat (None: a draw or no result),
    `index` the number of the game in the plan (None without a plan). `scores` and `termination` are
    those of the message `match_finished`. `moves` counts the moves of both players. `failures`
    counts the moves that this bot failed to choose: those of a stand-in in a casual match, or the
    crash that ended a rated one.
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
        """Return whether the game counts: it was neither aborted nor void."""
        return self.termination not in ("aborted", "void")

    @property
    def outcome(self) -> Literal["won", "lost", "drawn", "void"]:
        """The outcome for this runner's player."""
        if not self.has_result:
            return "void"
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == self.seat else "lost"

    def __str__(self) -> str:
        mine, others = self.scores[self.seat], self.scores[1 - self.seat]
        how = "" if self.termination == "completed" else f" ({self.termination})"
        return f"{self.outcome} against {self.opponent}, {mine}:{others}{how}"


@dataclass(slots=True)
class RunnerReport:
    """The report of a run.

    `plan` has the results of a plan by the number of the game. `failures` counts the moves that the
    bot failed to choose. `problem` is one sentence if the runner could not do everything.
    """

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
        """The number of finished games that have a result."""
        return self.won + self.lost + self.drawn

    def count(self, result: GameResult) -> None:
        """Add a finished game."""
        outcome = result.outcome
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.failures += result.failures


@dataclass(frozen=True, slots=True)
class Engine:
    """A bot of a runner, and the games and sizes that it plays there (empty: all that it can)."""

    spec: BotSpec
    games: tuple[GameRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerConfig:
    """The settings of a runner.

    Identity: `server` is the address of the server, `spec` the bot. With `name` None the player has
    the bot's name, followed by a number if the name is taken. A given name is required, or without
    `insist` only tried first. If another runner on this machine uses the name, the runner waits for
    it for `name_wait_s` seconds. Tokens are kept in `state_dir` (None: the user's state folder)
    under `kept_for`, which identifies the server (None: its address). With `token`, that of a bot's
    account, the player is that bot; the token is kept nowhere, and `name` is not used.

    Play: `policy` says which games the bot accepts. Of several `engines` the first that plays a
    game and size plays it there (empty: `spec` plays everything). `seed` makes the bot's random
    choices repeatable. `workers` is the number of worker processes, `memory_mb` the memory for the
    tables of all games of one worker, in MiB. `think_s` is the time for a move in games without a
    clock and the longest time for any move. `game` is what the bot gets ready for before it joins
    (None: the first game that it plays, in its usual size). `pause` has the pauses before moves
    against people, and in matches of bots that people have arranged (None: no pauses). `seek` keeps
    a seek with these settings open. `matchmaking` has the challenges that the bot sends (None:
    none).

    End: the runner ends after `games` finished games, when `plan` is done, or when the tournament
    with the id `tournament` has ended or has no more games for this player. `patience_s` is how
    long to wait for a server that does not answer at the start, `grace_s` how long running games
    may continue after the first request to stop. `signals` lets the runner handle SIGINT and
    SIGTERM. `keeps_output` adds the last lines that a bot wrote to standard error to the log of a
    failure of its process. All times are in seconds.

    Callbacks: `on_ready` receives the name after the bot has joined the server, `on_entered` the
    name and the state of the tournament after the bot has entered it, `on_began` the room of each
    match that is being played, `on_move` each move of both players, `on_game` each result.
    `on_storage` receives False when the server cannot store moves for a while, and True when it can
    again (None: the log says so).
    """

    server: str
    spec: BotSpec
    name: str | None = None
    insist: bool = True
    name_wait_s: float = 0.0
    token: str | None = field(default=None, repr=False)
    seed: int | None = None
    policy: Policy = field(default_factory=Policy)
    engines: tuple[Engine, ...] = ()
    workers: int = 1
    memory_mb: int = 256
    state_dir: Path | None = None
    kept_for: str | None = None
    patience_s: float = 10.0
    grace_s: float = 60.0
    think_s: float = 10.0
    game: Game | None = None
    pause: Pause | None = None
    games: int | None = None
    seek: MatchSettings | None = None
    matchmaking: Matchmaking | None = None
    plan: ChallengePlan | None = None
    tournament: str | None = None
    signals: bool = True
    keeps_output: bool = False
    on_ready: Callable[[str], None] | None = None
    on_entered: Callable[[str, TournamentState], None] | None = None
    on_began: Callable[[RoomMirror], None] | None = None
    on_game: Callable[[GameResult], None] | None = None
    on_move: Callable[[MoveMade], None] | None = None
    on_storage: Callable[[bool], None] | None = None
