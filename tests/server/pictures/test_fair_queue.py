"""Turns of many sources with one worker: a few sources cannot keep the others out."""

from __future__ import annotations

import asyncio

from doublecross.server.pictures.fair_queue import FairQueue, OutOfTurnError, Place


async def test_three_greedy_sources_leave_a_place_for_a_fourth() -> None:
    now = 0.0
    turns = FairQueue(4, lambda: now)
    order: list[str] = []

    async def use(place: Place, seconds: float) -> None:
        nonlocal now
        async with turns.turn(place):
            order.append(place.source)
            now += seconds

    def come(source: str, seconds: float = 10.0) -> asyncio.Task[None] | None:
        place = turns.join(source)
        return None if place is None else asyncio.create_task(use(place, seconds))

    greedy = [task for name in "abcabc" if (task := come(name)) is not None]
    assert len(greedy) == 5  # one has the turn, and four wait
    newcomer = come("d")
    assert newcomer is not None
    ends = await asyncio.gather(newcomer, *greedy, return_exceptions=True)
    assert sum(isinstance(end, OutOfTurnError) for end in ends) == 1
    assert order.index("d") < 4  # nobody had a second turn before
    # Who has used much goes after everybody else, and its places go to them.
    again = [task for name in "abcab" if (task := come(name)) is not None]
    order.clear()
    fresh = [task for name in "efgh" if (task := come(name)) is not None]
    assert len(fresh) == 4
    await asyncio.gather(*fresh, *again, return_exceptions=True)
    assert order == ["a", "e", "f", "g", "h"]
