"""What an arena plays, and what comes out of it: budgets, game pairs to play, played games.

All chance follows from one seed: the bot of a player in a game draws from a generator that is
named by (seed, pair, seat, player), so the same job gives the same games, on however many
workers, as far as the bots themselves depend on nothing but their generator.
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
"""How a game ended, in the words of records. `timeout`: the clock ran out, or a move took longer
than its limit by more than the arena's grace. `crash`: the bot raised an exception, answered with
no `Choice`, could not be made, or took its worker process down."""

TERMINATIONS: Final[tuple[Termination, ...]] = ("completed", "timeout", "illegal", "crash")

LATE_S: Final = 0.05
"""A move that takes longer than its limit by more than this, in seconds, is an overrun."""
LONGEST_S: Final = 600.0
"""Seconds for a move where the budget sets no time at all."""
LEAST_S: Final = 0.001
"""The least time for a move under a clock, in seconds."""


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """What each player may spend; None means no limit of that kind.

    `time_s` is for a move, `clock_s` for the game with `increment_s` given back for each move, in
    seconds; with both, `time_s` bounds a move under the clock. `depth`, `nodes` and `memory_mb`
    are handed on to the bots, which obey them as they can (see `bots.api.Limit`).

    Raises:
        BotError: a value that is not above zero, or an increment without a clock.
    """

    time_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    memory_mb: int | None = 128

    def __post_init__(self) -> None:
        Limit(self.time_s, self.clock_s, self.increment_s, self.depth, self.nodes, self.memory_mb)
        if self.increment_s < 0 or (self.increment_s and self.clock_s is None):
            raise BotError("An increment is above zero and needs a clock.")

    def limit(self, left_s: float | None, moves: int) -> Limit:
        """The limit for a move with `left_s` seconds on the clock (None: no clock), when so many
        `moves` still need thought."""
        time_s = self.time_s
        if left_s is not None:
            left_s = max(left_s, LEAST_S)
            share = max(LEAST_S, clock_share(left_s, self.increment_s, moves))
            time_s = share if time_s is None else min(time_s, share)
        return Limit(time_s, left_s, self.increment_s, self.depth, self.nodes, self.memory_mb)

    @property
    def text(self) -> str:
        """For people and records: ``10+0.1``, ``10+0.1/2``, ``0/0.2`` (0.2 s a move) or
        ``unlimited``, as the time controls of matches are written."""
        if self.time_s is None and self.clock_s is None:
            return "unlimited"
        base = "0" if self.clock_s is None else f"{self.clock_s:g}+{self.increment_s:g}"
        return base if self.time_s is None else f"{base}/{self.time_s:g}"

    @property
    def extent(self) -> str:
        """The limits that are no time, such as ``1000 nodes``; empty without any."""
        named = ((self.nodes, "nodes"), (self.depth, "plies deep"))
        return ", ".join(f"{value} {name}" for value, name in named if value is not None)


@dataclass(frozen=True, slots=True)
class PairTask:
    """One game pair: `players` are two numbers of the job's bots, and the first has seat 0 in the
    first game. `number` counts the pairs of these two players from 0."""

    players: tuple[int, int]
    number: int
    opening: tuple[int, ...]

    def seated(self, game: int) -> tuple[int, int]:
        """The players by seat in game 0 or 1 of the pair."""
        first, second = self.players
        return (first, second) if game == 0 else (second, first)


@dataclass(frozen=True, slots=True)
class ArenaJob:
    """What an arena plays: pairs of one game between `bots`, all on one `budget`."""

    bots: tuple[BotSpec, ...]
    game: Game
    tasks: tuple[PairTask, ...]
    budget: MoveBudget
    seed: int = 0

    def seed_of(self, task: PairTask, game: int, seat: int) -> str:
        """Names the generator of the bot in `seat`; a bot's own option ``seed`` stands for that
        of the job."""
        player = task.seated(game)[seat]
        given, _ = self.bots[player].without_seed()
        seed = self.seed if given is None else given
        pairing = f"{min(task.players)}-{max(task.players)}"
        return f"{seed}/{pairing}/{task.number}/{seat}/{player}"

    @property
    def names(self) -> tuple[str, ...]:
        """What the bots are called: their specs, numbered where two would be called the same."""
        texts = [str(bot) for bot in self.bots]
        return tuple(
            f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text
            for at, text in enumerate(texts)
        )


def match_tasks(openings: Sequence[tuple[int, ...]]) -> tuple[PairTask, ...]:
    """A pair from each opening between bots 0 and 1."""
    return tuple(PairTask((0, 1), number, opening) for number, opening in enumerate(openings))


def round_robin(bots: int, openings: Sequence[tuple[int, ...]]) -> tuple[PairTask, ...]:
    """A pair from each opening between every two of `bots` bots, opening by opening, so that the
    games that are played at any time are of all of them."""

    def tasks() -> Iterator[PairTask]:
        for number, opening in enumerate(openings):
            for players in combinations(range(bots), 2):
                yield PairTask(players, number, opening)

    return tuple(tasks())


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move: `seconds` of thinking, the limit it had (None: no limit in time), the nodes that
    the bot said it searched, and what its clock showed afterwards in seconds (None: no clock)."""

    seat: int
    action: int
    seconds: float
    limit_s: float | None
    nodes: int
    left_s: float | None = None

    @property
    def overrun(self) -> bool:
        """Whether it took longer than its limit by more than `LATE_S`."""
        return self.limit_s is not None and self.seconds > self.limit_s + LATE_S

    @property
    def recorded(self) -> RecordedMove:
        """As records have it."""
        if self.left_s is None:
            return RecordedMove(self.action)
        return RecordedMove(self.action, min(MAX_CLOCK_MS, max(0, round(self.left_s * 1000))))


@dataclass(frozen=True, slots=True)
class Effort:
    """What was spent on moves: how many they were, their seconds in sum and at most, the nodes in
    sum, and how many were overruns."""

    moves: int = 0
    seconds: float = 0.0
    longest_s: float = 0.0
    nodes: int = 0
    overruns: int = 0

    @classmethod
    def of(cls, moves: Sequence[PlayedMove]) -> Self:
        """That of these moves."""
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
        """Seconds a move; 0 without moves."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def mean_nodes(self) -> float:
        """Nodes a move; 0 without moves."""
        return self.nodes / self.moves if self.moves else 0.0


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A game that is over: game 0 or 1 of the pair `task`.

    `moves` are as records have them, `efforts` what they took, by seat. `winner` is a seat or None
    for a draw; `scores` are those on the board at the end, by seat. A game that was not completed
    is lost by its `loser`; `failure` says why in a sentence, and `trace` has the bot's traceback
    if any.
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
        """The numbers of the bots by seat."""
        return self.task.seated(self.game)

    @property
    def loser(self) -> int | None:
        """The seat that lost, None for a draw."""
        return None if self.winner is None else 1 - self.winner

    def points(self, player: int) -> float:
        """1, 1/2 or 0 for the bot of that number."""
        return 0.5 if self.winner is None else float(self.players[self.winner] == player)

    def net(self, player: int) -> int:
        """Boxes of that bot minus those of the other, as the board stood at the end."""
        seat = self.players.index(player)
        return self.scores[seat] - self.scores[1 - seat]


def record_of(played: ArenaGame, job: ArenaJob, date: str = "") -> Record:
    """The record of a game; `date` is ISO 8601 in UTC."""
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
    """The generator for the intervals of a job with this seed."""
    return Random(f"{seed}/intervals")
