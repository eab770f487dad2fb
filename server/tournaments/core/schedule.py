"""Which of the pairings that are laid out go next: those that wait, and for whom.

A game begins as soon as both of its players have time, whoever else is busy, slow or away. Pairs
that have begun go first, by number. Among the others it is the turn of the entrant who has begun
the fewest games, against whoever of its opponents has begun the fewest. Each such choice costs
time in proportion to the entrants who have time, not to the pairings.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush

from server.tournaments.core.ledger import Ledger

Queues = dict[int, dict[int, list[int]]]


class Schedule:
    """The open pairings with games to begin; `refresh` after whatever may change one."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._begun: set[int] = set()
        self._fresh: Queues = {}
        """Not begun, by entrant and opponent, in their order; one list for both."""
        self._in_fresh: set[int] = set()

    def refresh(self, number: int) -> None:
        """The pairing has changed."""
        waits = bool(self._ledger.to_begin(number))
        begun = waits and self._ledger.pairings.pairs[number].begun
        if begun:
            self._begun.add(number)
        else:
            self._begun.discard(number)
        fresh = waits and not begun
        if fresh == (number in self._in_fresh):
            return
        one, other = self._ledger.pairings.players(number)
        if fresh:
            self._in_fresh.add(number)
            queue = self._fresh.setdefault(one, {}).setdefault(other, [])
            self._fresh.setdefault(other, {})[one] = queue
            insort(queue, number)
        else:
            self._in_fresh.remove(number)
            queue = self._fresh[one][other]
            queue.remove(number)
            if not queue:
                del self._fresh[one][other], self._fresh[other][one]

    def fill(self, free: Mapping[int, int], start: Callable[[int], None]) -> None:
        """Choose pairings; `start` begins as many games of one as `free` allows, takes them off
        `free`, and those who have no time left out of it."""
        for number in sorted(self._begun):
            one, other = self._ledger.pairings.players(number)
            if one in free and other in free:
                start(number)
        tallies = self._ledger.results.tallies
        turns = [(tallies[n].begun, n) for n in free if self._fresh.get(n)]
        heapify(turns)
        while turns:
            begun, one = heappop(turns)
            if one not in free:
                continue
            if begun != tallies[one].begun:
                heappush(turns, (tallies[one].begun, one))
                continue
            opponents = self._fresh.get(one, {})
            few, many = sorted((opponents, free), key=len)
            choices = [(tallies[n].begun, opponents[n][0]) for n in few if n in many]
            if choices:
                start(min(choices)[1])
                if one in free:
                    heappush(turns, (tallies[one].begun, one))
