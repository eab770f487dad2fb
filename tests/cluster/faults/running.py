"""Run faults one after another under games, and check everything after each."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.cluster.faults.book import check_ratings, check_tournaments
from tests.cluster.faults.faults import FAULTS, right_clocks
from tests.cluster.faults.play import Load
from tests.cluster.faults.world import World

LOOK_S: Final = 0.1
PATIENCE_S: Final = 60.0
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
    """Which faults, under how many games."""

    faults: Sequence[str]
    pairs: int = 50
    seekers: int = 4
    entrants: int = 4
    seed: int = 0
    pause_s: float = 0.3


def chosen(number: int, seed: int) -> list[str]:
    """Return so many faults: all of them in a random order, again and again."""
    rng = Random(seed)
    found: list[str] = []
    while len(found) < number:
        names = list(FAULTS)
        rng.shuffle(names)
        found += names
    return found[:number]


@asynccontextmanager
async def _looking_after(world: World, load: Load) -> AsyncIterator[None]:
    """Start nodes again that end by themselves, and blame them if they should not."""

    async def look() -> None:
        while True:
            for node in world.nodes.values():
                try:
                    await node.look_after()
                except RuntimeError as error:
                    load.book.blame(str(error))
                    node.wanted = False
            await asyncio.sleep(LOOK_S)

    task = asyncio.create_task(look())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def run(folder: Path, plan: Plan, say: Callable[[str], None]) -> tuple[list[Outcome], Load]:
    """Start a cluster and games, strike it, and check; return what happened."""
    outcomes: list[Outcome] = []
    rng = Random(plan.seed)
    async with World(folder) as world:
        load = Load([node.url for node in world.nodes.values()], plan.seed, plan.pause_s)
        try:
            async with _looking_after(world, load):
                await load.start(plan.pairs, plan.seekers, plan.entrants)
                for name in plan.faults:
                    outcome = await strike(world, load, name, rng)
                    say(str(outcome))
                    for sentence in outcome.faults[:5]:
                        say(f"    {sentence[:1000]}")
                    outcomes.append(outcome)
                await load.finish()
                await asyncio.sleep(1)  # the last games are stored
            seen = len(load.book.faults)
            games, moves = await check(world, load, ended=True)
            for sentence in load.book.faults[seen:][:20]:
                say(f"    {sentence[:1000]}")
            say(f"{games} games and {moves} moves, {load.book.moves} of them acknowledged here")
        finally:
            await load.close()
    return outcomes, load


async def strike(world: World, load: Load, name: str, rng: Random) -> Outcome:
    """Let one thing break, wait until all games go on, mend it, wait again, and check."""
    before = len(load.book.faults)
    load.begin()
    struck = await FAULTS[name](world, rng)
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
    moves = book.check_rules(load.sizes, load.openings)
    book.check_promises()
    rows = await world.fetch(ROWS)
    if ended:
        book.check_stored(rows)
        check_tournaments(book, rows, load.tournaments)
        check_ratings(book, rows, await load.ratings())
    return len(rows), moves
