"""The data of an arena: game pairs to play, and played games.

All random choices follow from one seed. The seed of each bot's generator consists of the job's
seed, the pair, the seat and the player. The same job therefore gives the same games on any number
of workers, provided that the bots depend on nothing but their generators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from doublecross.bots.arena.moves import Effort, MoveBudget, Termination
from doublecross.bots.names import distinct
from doublecross.bots.registry import BotSpec
from doublecross.games.api import Game
from doublecross.games.record import Record, RecordedMove


@dataclass(frozen=True, slots=True)
class PairTask:
    """One game pair: two games from `opening`, with the seats exchanged.

    `players` has the numbers of two bots of the job; the first one has seat 0 in the first game.
    `number` distinguishes the pairs of these two players.
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
    """The games that an arena plays: pairs of one game between `bots`.

    All have the same `budget`, unless `budgets` has one for each bot. With `cpu` limits and clocks
    count the processor time of the worker process, so other programs take no time from a bot.
    `memory_mb` limits the data of each worker process, in MiB. With `pin` each has its own core. A
    game with at most `adjudicate` free edges ends by its exact value; 0 lets all be played.
    """

    bots: tuple[BotSpec, ...]
    game: Game
    tasks: tuple[PairTask, ...]
    budget: MoveBudget
    seed: int = 0
    budgets: tuple[MoveBudget, ...] = ()
    cpu: bool = False
    memory_mb: int | None = None
    pin: bool = False
    adjudicate: int = 0

    def budget_of(self, player: int) -> MoveBudget:
        """Return the limits of the bot with the number `player`."""
        return self.budgets[player] if self.budgets else self.budget

    def seed_of(self, task: PairTask, game: int, seat: int) -> str:
        """Return the seed of the bot in `seat`; the bot's option ``seed`` replaces the job's.

        It is the same in both games of a pair, so that luck decides none of them.
        """
        player = task.seated(game)[seat]
        given, _ = self.bots[player].without_seed()
        seed = self.seed if given is None else given
        # The same for both orders of the two players.
        pairing = f"{min(task.players)}-{max(task.players)}"
        return f"{seed}/{pairing}/{task.number}/{player}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots: their specs, numbered if several are equal."""
        return distinct(str(bot) for bot in self.bots)


def match_tasks(openings: Sequence[tuple[int, ...]], opponents: int = 1) -> tuple[PairTask, ...]:
    """Return a pair from each opening between bot 0 and each of `opponents` bots.

    The pairs are in the order of the openings, and each has a number of its own.
    """
    meetings = product(openings, range(1, opponents + 1))
    return tuple(PairTask((0, other), n, opening) for n, (opening, other) in enumerate(meetings))


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
class ArenaGame:
    """A finished game: game 0 or 1 of the pair `task`.

    `moves` has the moves as in records, `efforts` the effort by seat. `winner` is a seat, or None
    for a draw. `scores` has the final scores by seat: those on the board, or those of best play if
    the game was adjudicated. If a bot failed, `failure` says how in a sentence, and `trace` has its
    traceback if there is one.
    `thoughts` are the tags of its record about its moves (see
    `doublecross.bots.arena.moves.thoughts_of`).
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
    thoughts: tuple[tuple[str, str], ...] = ()

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
    tags = [
        ("Pair", str(played.task.number + 1)),
        ("PairGame", str(played.game + 1)),
        ("Seed", str(job.seed)),
    ]
    one, two = job.budget_of(first), job.budget_of(second)
    if one == two and one.extent:
        tags.append(("Limit", one.extent))
    elif one != two:
        tags += [(f"Limit{seat}", each.limits) for seat, each in enumerate((one, two))]
    if job.cpu:
        tags.append(("Clock", "processor time"))
    if job.adjudicate:
        tags.append(("Adjudication", f"exact value from {job.adjudicate} free edges"))
    if played.termination == "adjudicated":
        one_score, other = played.scores
        tags.append(("Reason", f"best play from ply {len(played.moves)} ends {one_score}:{other}"))
    elif played.failure:
        tags.append(("Reason", played.failure))
    return Record(
        game=job.game,
        players=(names[first], names[second]),
        moves=played.moves,
        opening=played.task.opening,
        date=date,
        time_control=one.text if one.text == two.text else "",
        result=result,
        termination=played.termination,
        tags=(*tags, *played.thoughts),
    )


def bootstrap_rng(seed: int) -> Random:
    """Return the generator for the intervals of a job with this seed."""
    return Random(f"{seed}/intervals")
