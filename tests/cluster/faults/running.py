"""Run faults one after another under games, and check everything after each."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from doublecross.processes.network import Network
from tests.cluster.faults.book import Book, Row, check_tournaments, wrong_ratings
from tests.cluster.faults.faults import FAULTS, Fault, right_clocks
from tests.cluster.faults.host_faults import HOST_FAULTS
from tests.cluster.faults.hosts import HostWorld
from tests.cluster.faults.play import Load
from tests.cluster.faults.world import World

LOOK_S: Final = 0.1
PATIENCE_S: Final = 60.0
STORED_S: Final = 10.0
"""How long the record of a game may take after its end."""
ROWS: Final = "SELECT * FROM games"


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


def faults(*, hosts: bool) -> Mapping[str, Fault]:
    """Return all faults, those of a cluster on hosts of their own or those of one machine."""
    return HOST_FAULTS if hosts else FAULTS


def chosen(number: int, seed: int, *, hosts: bool = False) -> list[str]:
    """Return so many faults: all of them in a random order, again and again."""
    rng = Random(seed)
    found: list[str] = []
    while len(found) < number:
        names = list(faults(hosts=hosts))
        rng.shuffle(names)
        found += names
    return found[:number]


async def run(folder: Path, plan: Plan, say: Callable[[str], None]) -> tuple[list[Outcome], Load]:
    """Start a cluster and games, strike it, and check; return what happened.

    Raises:
        NetworkError: the system does not let us make hosts.
    """
    outcomes: list[Outcome] = []
    rng = Random(plan.seed)
    async with HostWorld(folder, Network()) if plan.hosts else World(folder) as world:
        load = Load(world.ways, plan.seed, plan.pause_s)
        try:
            await load.start(plan.pairs, plan.seekers, plan.entrants)
            for name in plan.faults:
                fault = faults(hosts=plan.hosts)[name]
                outcome = await strike(world, load, name, fault, rng)
                say(str(outcome))
                for sentence in outcome.faults[:5]:
                    say(f"    {sentence[:1000]}")
                outcomes.append(outcome)
            await load.finish()
            seen = len(load.book.faults)
            games, moves = await check(world, load, ended=True)
            for sentence in load.book.faults[seen:][:20]:
                say(f"    {sentence[:1000]}")
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
    struck = await fault(world, rng)
    waits = await load.all_go_on(PATIENCE_S)
    for node in struck.ended:
        if not node.runs:
            await node.start()
    await right_clocks(world)
    await load.all_go_on(PATIENCE_S)
    await check(world, load)
    return Outcome(name, struck.whom, waits, load.book.faults[before:])


async def check(world: World, load: Load, *, ended: bool = False) -> tuple[int, int]:
    """Compare what the players were told with the rules, the promises and the database.

    Return how many games are stored and how many moves were played.
    """
    book = load.book
    for node in world.nodes.values():
        failure = node.failure()
        if failure is not None:
            book.blame(failure)
    moves = book.check_rules(load.sizes, load.openings)
    book.check_promises()
    if ended:
        await _until_stored(world, book)
    rows = await world.fetch(ROWS)
    if ended:
        book.check_stored(rows)
        check_tournaments(book, rows, load.tournaments)
        for wrong in await _wrong_ratings(load, rows):
            book.blame(wrong)
    return len(rows), moves


async def _wrong_ratings(load: Load, rows: Sequence[Row]) -> list[str]:
    """Return which ratings are wrong in the lobby; it shows those of the last games soon."""
    wrong = wrong_ratings(rows, await load.ratings())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STORED_S):
            while wrong:
                await asyncio.sleep(LOOK_S)
                wrong = wrong_ratings(rows, await load.ratings())
    return wrong


async def _until_stored(world: World, book: Book) -> None:
    """Wait for the rows of the games that have ended, which may follow their events."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STORED_S):
            while book.ended() - {row["game_id"] for row in await world.fetch(ROWS)}:  # noqa: ASYNC110
                await asyncio.sleep(LOOK_S)
