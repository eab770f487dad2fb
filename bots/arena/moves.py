"""The limits of moves in an arena, the moves that were played, and the effort for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from doublecross.bots.api import BotError, Limit
from doublecross.bots.api.timing import clock_share
from doublecross.games.record import MAX_CLOCK_MS, RecordedMove

Termination = Literal["completed", "adjudicated", "timeout", "illegal", "crash"]
"""The ways in which a game can end, by the names that records use.

`adjudicated`: it has the result of best play by both from there on
(`doublecross.bots.arena.adjudication`).
`timeout`: the clock ran out, or a move exceeded its limit by more than its margin. `crash`:
the bot raised an exception, returned no `Choice`, could not be made, did not answer until it was
stopped by force, or ended its worker process. Games on servers end by the same names, but are never
adjudicated.
"""

FAILURES: Final[tuple[Termination, ...]] = ("timeout", "illegal", "crash")
"""Those by which a bot loses."""

LATE_S: Final = 0.05
"""Seconds by which a move must exceed its limit to count as an overrun."""
LEAST_MARGIN_S: Final = 0.1
MARGIN_SHARE: Final = 0.25
"""The margin if none is given: this share of the time for a move, and at least so many seconds."""
LONGEST_S: Final = 600.0
"""Seconds for a move if the budget has no limit of time."""
LEAST_S: Final = 0.001
"""The shortest time for a move under a clock, in seconds."""


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """The limits of each player; None means no limit of that kind.

    `time_s` is the time for a move, `clock_s` the clock for the game, and `increment_s` the time
    that each move adds to the clock, all in seconds. With both, `time_s` bounds each move under the
    clock. `depth`, `nodes` and `memory_mb` are passed to the bots, and not every bot supports them
    (see `doublecross.bots.api.Limit`). A move that exceeds `time_s` by more than `margin_s` seconds
    loses the game (None: a quarter of `time_s`, and at least 0.1 s).

    Raises:
        BotError: a value is not above zero, the margin is below it, or there is an increment
            without a clock.
    """

    time_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    memory_mb: int | None = 128
    margin_s: float | None = None

    def __post_init__(self) -> None:
        # A limit checks the values that it shares with a budget.
        Limit(self.time_s, self.clock_s, self.increment_s, self.depth, self.nodes, self.memory_mb)
        if self.increment_s < 0 or (self.increment_s and self.clock_s is None):
            raise BotError("An increment must be above zero and needs a clock.")
        if self.margin_s is not None and self.margin_s < 0:
            raise BotError("A margin must be zero or more.")

    def limit(
        self, left_s: float | None, moves: int | None, opponent_s: float | None = None
    ) -> Limit:
        """Return the limit for a move with `left_s` seconds on the clock (None: no clock).

        `moves` is how many of the player's moves still need thought, None if the bot divides its
        clock itself. `opponent_s` is on the opponent's clock.
        """
        time_s = self.time_s
        if left_s is not None:
            # A limit accepts no time of zero or less.
            left_s = max(left_s, LEAST_S)
        if left_s is not None and moves is not None:
            share = max(LEAST_S, clock_share(left_s, self.increment_s, moves))
            time_s = share if time_s is None else min(time_s, share)
        return Limit(
            time_s,
            left_s,
            self.increment_s,
            self.depth,
            self.nodes,
            self.memory_mb,
            opponent_s,
        )

    @property
    def margin(self) -> float | None:
        """By how many seconds a move may exceed `time_s`; None without it."""
        if self.time_s is None:
            return None
        if self.margin_s is not None:
            return self.margin_s
        return max(LEAST_MARGIN_S, MARGIN_SHARE * self.time_s)

    def latest_s(self, limit_s: float, grace_s: float) -> float:
        """Return after how many seconds a move with the limit `limit_s` has lost.

        A share of the clock guides the bot, so it may be exceeded by `grace_s`.
        """
        if self.time_s is None or self.margin is None:
            return limit_s + grace_s
        return self.time_s + self.margin

    @property
    def text(self) -> str:
        """The time limits as matches write time controls.

        Examples are ``10+0.1``, ``10+0.1/2``, ``0/0.2`` (0.2 s for a move) and ``unlimited``.
        """
        if self.time_s is None and self.clock_s is None:
            return "unlimited"
        base = "0" if self.clock_s is None else f"{self.clock_s:g}+{self.increment_s:g}"
        return base if self.time_s is None else f"{base}/{self.time_s:g}"

    @property
    def extent(self) -> str:
        """The limits of nodes and depth, such as ``1000 nodes``; empty without any."""
        named = ((self.nodes, "nodes"), (self.depth, "plies deep"))
        return ", ".join(f"{value} {name}" for value, name in named if value is not None)

    @property
    def limits(self) -> str:
        """All limits in one text, such as ``10+0.1, 1000 nodes``."""
        return ", ".join(filter(None, (self.text, self.extent)))


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of a game in an arena.

    `seconds` is the time that the bot took, `limit_s` its limit in seconds (None: no limit of
    time), `nodes` the number of nodes that the bot reported. `left_s` is its clock afterwards, in
    seconds (None: no clock). `score` is the final net score that the bot expected for itself, None
    if it expected nothing; `exact` says that it had proved that score.
    """

    seat: int
    action: int
    seconds: float
    limit_s: float | None
    nodes: int
    left_s: float | None = None
    score: float | None = None
    exact: bool = False

    @property
    def searched(self) -> bool:
        """Return whether the move needed thought: its bot reported more than one node."""
        return self.nodes > 1

    @property
    def overrun(self) -> bool:
        """Return whether the move exceeded its limit by more than `LATE_S`, but not its margin."""
        return self.limit_s is not None and self.seconds > self.limit_s + LATE_S

    @property
    def recorded(self) -> RecordedMove:
        """The move as part of a record."""
        if self.left_s is None:
            return RecordedMove(self.action)
        return RecordedMove(self.action, min(MAX_CLOCK_MS, max(0, round(self.left_s * 1000))))


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort for a number of moves.

    It has the number of moves, their total and longest time in seconds, the total of the nodes, and
    the number of overruns. `searched` and `searched_s` count the moves that needed thought and
    their time, `searched_nodes` their nodes.
    """

    moves: int = 0
    seconds: float = 0.0
    longest_s: float = 0.0
    nodes: int = 0
    overruns: int = 0
    searched: int = 0
    searched_s: float = 0.0
    searched_nodes: int = 0

    @classmethod
    def of(cls, moves: Sequence[PlayedMove]) -> Self:
        """Return the effort for these moves."""
        return cls(
            len(moves),
            sum(move.seconds for move in moves),
            max((move.seconds for move in moves), default=0.0),
            sum(move.nodes for move in moves),
            sum(move.overrun for move in moves),
            sum(move.searched for move in moves),
            sum(move.seconds for move in moves if move.searched),
            sum(move.nodes for move in moves if move.searched),
        )

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.moves + other.moves,
            self.seconds + other.seconds,
            max(self.longest_s, other.longest_s),
            self.nodes + other.nodes,
            self.overruns + other.overruns,
            self.searched + other.searched,
            self.searched_s + other.searched_s,
            self.searched_nodes + other.searched_nodes,
        )

    @property
    def mean_s(self) -> float:
        """The mean time for a move in seconds; 0 without moves."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def mean_nodes(self) -> float:
        """The mean number of nodes for a move; 0 without moves."""
        return self.nodes / self.moves if self.moves else 0.0

    @property
    def mean_searched_s(self) -> float | None:
        """The mean time in seconds for a move that needed thought; None without such moves."""
        return self.searched_s / self.searched if self.searched else None

    @property
    def mean_searched_nodes(self) -> float | None:
        """The mean number of nodes for a move that needed thought; None without such moves."""
        return self.searched_nodes / self.searched if self.searched else None


def thoughts_of(moves: Sequence[PlayedMove]) -> tuple[tuple[str, str], ...]:
    """Return what the bots reported about their moves, as tags of a record.

    Each tag has a word for each move, in order: the score that the mover expected for itself (``=``
    before a proved one, ``-`` for none), its nodes, and its seconds.
    """
    if not moves:
        return ()
    scores = (
        "-" if move.score is None else f"{'=' * move.exact}{move.score:+.4g}" for move in moves
    )
    return (
        ("Scores", " ".join(scores)),
        ("Nodes", " ".join(str(move.nodes) for move in moves)),
        ("Seconds", " ".join(f"{move.seconds:.3g}" for move in moves)),
    )
