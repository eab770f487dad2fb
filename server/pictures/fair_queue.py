"""Let many sources share one worker: whoever has used it least goes first.

A source has a *load*: the seconds that it has used lately, and one for each of its places here.
When all places are taken, a newcomer gets that of a source with a larger load. So a few sources
cannot keep all others out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

HALF_LIFE_S: Final = 60.0
"""After so many seconds, half of what a source has used is forgotten."""
LITTLE_S: Final = 0.01
"""Use below this is forgotten altogether."""


class OutOfTurnError(Exception):
    """Raised for somebody whose place was given to another source."""


@dataclass(eq=False, slots=True)
class Place:
    """The place of a source in the queue; `turn` is done when its turn comes."""

    source: str
    number: int
    turn: asyncio.Future[None] = field(default_factory=asyncio.Future)


class FairQueue:
    """Give turns, one at a time. At most `most` may wait; `now_s` never goes back."""

    def __init__(self, most: int, now_s: Callable[[], float]) -> None:
        self._most = most
        self._now_s = now_s
        self._number = 0
        self._waiting: list[Place] = []
        self._current: Place | None = None
        self._used: dict[str, tuple[float, float]] = {}
        """How many seconds each source has used, and when that was so."""

    def join(self, source: str) -> Place | None:
        """Return a place for a source, or None when all are taken by sources with smaller loads."""
        if len(self._waiting) >= self._most:
            last = max(self._waiting, key=self._rank)
            if self._load(last.source) <= self._load(source) + 1:
                return None
            self._waiting.remove(last)
            last.turn.set_exception(OutOfTurnError())
        self._number += 1
        place = Place(source, self._number)
        self._waiting.append(place)
        self._go_on()
        return place

    @asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[None]:
        """Wait for the turn of a place; the next one comes after the block.

        Raises:
            OutOfTurnError: another source has got the place.
        """
        try:
            await place.turn
            began_s = self._now_s()
            try:
                yield
            finally:
                now_s = self._now_s()
                self._used[place.source] = self._use(place.source) + now_s - began_s, now_s
        finally:
            if self._current is place:
                self._current = None
            elif place in self._waiting:
                self._waiting.remove(place)
            self._go_on()

    def _go_on(self) -> None:
        if self._current is None and self._waiting:
            self._current = min(self._waiting, key=self._rank)
            self._waiting.remove(self._current)
            self._current.turn.set_result(None)
            self._used = {each: used for each, used in self._used.items() if self._use(each)}

    def _rank(self, place: Place) -> tuple[float, int]:
        return self._load(place.source), place.number

    def _load(self, source: str) -> float:
        places = [*self._waiting, *([self._current] if self._current else [])]
        return self._use(source) + sum(each.source == source for each in places)

    def _use(self, source: str) -> float:
        used, since_s = self._used.get(source, (0.0, 0.0))
        left = used * 0.5 ** ((self._now_s() - since_s) / HALF_LIFE_S)
        return left if left > LITTLE_S else 0.0
