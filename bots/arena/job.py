"""The data of an arena: budgets, game pairs to play, and played games.

All random choices follow from one seed. The seed of each bot's generator consists of the job's
seed, the pair, the seat and the player. The same job therefore gives the same games on any number
of workers, provided that the bots depend on nothing but their generators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final, Literal, Self

from bots.api import BotError, Limit
from bots.api.timing import clock_share
from bots.registry import BotSpec
from games.api import Game
from games.record import MAX_CLOCK_MS, Record, RecordedMove

Termination = Literal["completed", "timeout", "illegal", "crash"]
"""How a game ended, with the names that records use.

`timeout`: the clock ran out, or a move exceeded its limit by more than the arena's grace. `crash`:
the bot raised an exception, returned no `Choice`, could not be made, or ended its worker process.
"""

TERMINATIONS: Final[tuple[Termination, ...]] = ("completed", "timeout", "illegal", "crash")

LATE_S: Final = 0.05
"""Seconds by which a move must exceed its limit to count as an overrun."""
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
    (see `bots.api.Limit`).

    Raises:
        BotError: a value is not above zero, or there is an increment without a clock.
    """

    time_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    memory_mb: int | None = 128

    def __post_init__(self) -> None:
        # A limit checks the values that it shares with a budget.
        Limit(self.time_s, self.clock_s, self.increment_s, self.depth, self.nodes, self.memory_mb)
        if self.increment_s < 0 or (self.increment_s and self.clock_s is None):
            raise BotError("An increment must be above zero and needs a clock.")

    def limit(self, left_s: float | None, moves: int) -> Limit:
        """Return the limit for a move with `left_s` seconds on the clock (None: no clock).

        `moves` is how many of the player's moves still need thought.
        """
        time_s = self.time_s
        if left_s is not None:
            # A limit accepts no time of zero or less.
            left_s = max(left_s, LEAST_S)
            share = max(LEAST_S, clock_share(left_s, self.increment_s, moves))
            time_s = share if time_s is None else min(time_s, share)
        return Limit(time_s, left_s, self.increment_s, self.depth, self.nodes, self.memory_mb)

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


@dataclass(frozen=True, slots=True)
class PairTask:
    """One game pair: two games from `opening`, with the seats exchanged.

    `players` has the numbers of two bots of the job; the first one has seat 0 in the first game.
    `number` counts the pairs of these two players from 0.
    """

    players: tuple[int, int]
    number: int
    opening: tuple[int, ...]

    def seated(self, game: int) -> tuple[int, int]:
        """Return the players by seat in game 0 or 1 of the pair."""
        first, second = self.players
        return (first, second) if game == 0 else (second, first)


@dataclass(frozen=True, slots=True)
class ArenaJob:
    """The games that an arena plays: pairs of one game between `bots`, with the same budget."""

    bots: tuple[BotSpec, ...]
    game: Game
    tasks: tuple[PairTask, ...]
    budget: MoveBudget
    seed: int = 0

    def seed_of(self, task: PairTask, game: int, seat: int) -> str:
        """Return the seed of the bot in `seat`; the bot's option ``seed`` replaces the job's."""
        player = task.seated(game)[seat]
        given, _ = self.bots[player].without_seed()
        seed = self.seed if given is None else given
        # The same for both orders of the two players.
        pairing = f"{min(task.players)}-{max(task.players)}"
        return f"{seed}/{pairing}/{task.number}/{seat}/{player}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots: their specs, numbered if several are equal."""
        texts = [str(bot) for bot in self.bots]
        return tuple(
            f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text
            for at, text in enumerate(texts)
        )


def match_tasks(openings: Sequence[tuple[int, ...]]) -> tuple[PairTask, ...]:
    """Return a pair from each opening between bots 0 and 1."""
    return tuple(PairTask((0, 1), number, opening) for number, opening in enumerate(openings))


def round_robin(bots: int, openings: Sequence[tuple[int, ...]]) -> tuple[PairTask, ...]:
    """Return a pair from each opening between every two of `bots` bots.

    The pairs are in the order of the openings, so all bots have played about equally often at any
    time.
    """

    def tasks() -> Iterator[PairTask]:
        for number, opening in enumerate(openings):
            for players in combinations(range(bots), 2):
                yield PairTask(players, number, opening)

    return tuple(tasks())


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of a game in an arena.

    `seconds` is the time that the bot took, `limit_s` its limit in seconds (None: no limit of
    time), `nodes` the number of nodes that the bot reported. `left_s` is its clock afterwards, in
    seconds (None: no clock).
    """

    seat: int
    action: int
    seconds: float
    limit_s: float | None
    nodes: int
    left_s: float | None = None

    @property
    def overrun(self) -> bool:
        """Whether the move exceeded its limit by more than `LATE_S`."""
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
    the number of overruns.
    """

    moves: int = 0
    seconds: float = 0.0
    longest_s: float = 0.0
    nodes: int = 0
    overruns: int = 0

    @classmethod
    def of(cls, moves: Sequence[PlayedMove]) -> Self:
        """Return the effort for these moves."""
        return cls(
            len(moves),
            sum(move.seconds for move in moves),
            max((move.seconds for move in moves), default=0.0),
            sum(move.nodes for move in moves),
            sum(move.overrun for move in moves),
        )

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.moves + other.moves,
            self.seconds + other.seconds,
            max(self.longest_s, other.longest_s),
            self.nodes + other.nodes,
            self.overruns + other.overruns,
        )

    @property
    def mean_s(self) -> float:
        """The mean time for a move in seconds; 0 without moves."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def mean_nodes(self) -> float:
        """The mean number of nodes for a move; 0 without moves."""
        return self.nodes / self.moves if self.moves else 0.0


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A finished game: game 0 or 1 of the pair `task`.

    `moves` has the moves as in records, `efforts` the effort by seat. `winner` is a seat, or None
    for a draw. `scores` has the final scores on the board by seat. If the game was not completed,
    `failure` says why in a sentence, and `trace` has the bot's traceback if there is one.
    """

    task: PairTask
    game: int
    moves: tuple[RecordedMove, ...]
    efforts: tuple[Effort, Effort]
    winner: int | None
    termination: Termination
    scores: tuple[int, int]
    failure: str = ""
    trace: str = ""

    @property
    def players(self) -> tuple[int, int]:
        """The numbers of the bots, by seat."""
        return self.task.seated(self.game)

    @property
    def loser(self) -> int | None:
        """The losing seat, None for a draw."""
        return None if self.winner is None else 1 - self.winner

    def points(self, player: int) -> float:
        """Return the points of the bot with the number `player`: 1, 1/2 or 0."""
        return 0.5 if self.winner is None else float(self.players[self.winner] == player)

    def net(self, player: int) -> int:
        """Return the final net score of the bot `player`: its boxes minus the opponent's."""
        seat = self.players.index(player)
        return self.scores[seat] - self.scores[1 - seat]


def record_of(played: ArenaGame, job: ArenaJob, date: str = "") -> Record:
    """Return the record of a game; `date` is ISO 8601 in UTC."""
    result = {0: "1-0", 1: "0-1", None: "1/2-1/2"}[played.winner]
    names = job.names
    first, second = played.players
    tags = [("Pair", str(played.task.number + 1)), ("Seed", str(job.seed))]
    if job.budget.extent:
        tags.append(("Limit", job.budget.extent))
    if played.failure:
        tags.append(("Reason", played.failure))
    return Record(
        game=job.game,
        players=(names[first], names[second]),
        moves=played.moves,
        opening=played.task.opening,
        date=date,
        time_control=job.budget.text,
        result=result,
        termination=played.termination,
        tags=tuple(tags),
    )


def bootstrap_rng(seed: int) -> Random:
    """Return the generator for the intervals of a job with this seed."""
    return Random(f"{seed}/intervals")
