"""Run faults one after another under games, and check everything after each."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, TypeVar
from unittest.mock import patch

from doublecross.client import connection
from doublecross.processes.network import Network
from tests.cluster.faults.book import Book, Row, wrong_ratings
from tests.cluster.faults.faults import Fault, faults
from tests.cluster.faults.hosts import HostWorld
from tests.cluster.faults.players import Load
from tests.cluster.faults.world import World

PING_S: Final = 0.5
LOOK_S: Final = 0.1
PATIENCE_S: Final = 60.0
STORED_S: Final = 10.0
"""How long the record of a game may take after its end."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Outcome:
    """What a fault did to the games."""

    name: str
    whom: str
    waits: Sequence[float]
    """For each game, the longest time without an answered move, in seconds."""
    faults: Sequence[str]
    """The violations that it uncovered."""

    def __str__(self) -> str:
        median = statistics.median(self.waits) if self.waits else 0.0
        longest = max(self.waits, default=0.0)
        verdict = "ok" if not self.faults else f"{len(self.faults)} VIOLATIONS"
        return (
            f"{self.name:20} {self.whom:30} {len(self.waits):3} games go on after {median:5.2f} s,"
            f" all after {longest:5.2f} s, {verdict}"
        )


@dataclass(frozen=True)
class Plan:
    """Which faults, under how many games. With `hosts` everything has a host of its own."""

    faults: Sequence[str]
    hosts: bool = False
    pairs: int = 50
    seekers: int = 4
    entrants: int = 4
    seed: int = 0
    pause_s: float = 0.3


def chosen(number: int, seed: int, *, hosts: bool = False) -> list[str]:
    """Return so many faults: all of them in a random order, again and again."""
    rng = Random(seed)
    found: list[str] = []
    while len(found) < number:
        names = list(faults(hosts=hosts))
        found += rng.sample(names, len(names))
    return found[:number]


async def run(folder: Path, plan: Plan, say: Callable[[str], None]) -> tuple[list[Outcome], Load]:
    """Start a cluster and games, strike it, and check; return what happened.

    Raises:
        NetworkError: the system does not let us make hosts.
    """
    outcomes: list[Outcome] = []
    rng = Random(plan.seed)
    with patch.object(connection, "PING_S", PING_S):
        async with HostWorld(folder, Network()) if plan.hosts else World(folder) as world:
            load = Load(world.ways, plan.seed, plan.pause_s)
            try:
                await load.start(plan.pairs, plan.seekers, plan.entrants)
                for name in plan.faults:
                    fault = faults(hosts=plan.hosts)[name]
                    outcomes.append(await strike(world, load, name, fault, rng))
                    for sentence in (str(outcomes[-1]), *outcomes[-1].faults[:5]):
                        say(sentence[:1000])
                await load.finish()
                seen = len(load.book.faults)
                games, moves = await check_stored(world, load)
                for sentence in load.book.faults[seen:][:20]:
                    say(sentence[:1000])
                say(f"{games} games and {moves} moves, {load.book.moves} of them acknowledged here")
            finally:
                await load.close()
    return outcomes, load


async def strike(world: World, load: Load, name: str, fault: Fault, rng: Random) -> Outcome:
    """Let one thing break, wait until all games go on, mend it, wait again, and check.

    Before, all nodes have players.
    """
    before = len(load.book.faults)
    await load.spread(PATIENCE_S)
    load.begin()
    whom = await fault(world, rng)
    waits = await load.all_go_on(PATIENCE_S)
    for node in world.nodes.values():
        if not node.wanted:
            await node.start()
        elif node.runs:
            node.set_clock(0)
    await load.all_go_on(PATIENCE_S)
    check_nodes(world, load.book)
    load.book.check_promises()
    return Outcome(name, whom, waits, load.book.faults[before:])


def check_nodes(world: World, book: Book) -> None:
    """Check that the nodes run that should."""
    for node in world.nodes.values():
        if node.wanted and not node.runs:
            book.blame(f"Node {node.name} has ended by itself; see {node.log}.")


async def check_stored(world: World, load: Load) -> tuple[int, int]:
    """Compare what the players were told with the database and the ratings in the lobby.

    Return how many games are stored and how many moves were played.
    """
    book = load.book
    book.check_promises()
    check_nodes(world, book)

    async def missing() -> object:
        return book.ended() - {row["game_id"] for row in await _rows(world)}

    async def wrong() -> Sequence[str]:
        return wrong_ratings(await _rows(world), await load.ratings())

    # Both may follow the last events.
    await _until_none(missing)
    rows = await _rows(world)
    book.check_stored(rows)
    book.check_tournaments(rows, load.tournaments)
    for sentence in await _until_none(wrong):
        book.blame(sentence)
    return len(rows), sum(len(match.moves) for match in book.games.values())


async def _rows(world: World) -> list[Row]:
    return await world.fetch("SELECT * FROM games")


async def _until_none(find: Callable[[], Awaitable[_T]]) -> _T:
    """Return what is found in the end, and wait for a while until it is nothing."""
    found = await find()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STORED_S):
            while found:
                await asyncio.sleep(LOOK_S)
                found = await find()
    return found
