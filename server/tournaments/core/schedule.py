"""Choose which of the existing pairings play next.

A game begins as soon as both of its players are free; it never waits for other players. Pairs that
have begun go first, by number. After them, the entrant who has begun the fewest games is next,
against the free opponent who has begun the fewest. Each such choice takes time in proportion to the
number of free entrants, not to the number of pairings.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.tally import EntrantTally

Queues = dict[int, dict[int, list[int]]]
"""Pairing numbers in ascending order, by entrant and opponent."""


def in_turn(
    tallies: Sequence[EntrantTally], numbers: Iterable[int], free: Container[int]
) -> Iterator[int]:
    """Yield those of `numbers` who are free, the one who has begun the fewest games first.

    The caller begins games, which changes `tallies` and `free`, between two steps. An entrant for
    whom a game has begun comes again while it is free; one for whom none has begun does not.
    """
    turns = [(tallies[number].begun, number) for number in numbers]
    heapify(turns)
    while turns:
        begun, number = heappop(turns)
        if number not in free:
            continue
        if begun == tallies[number].begun:
            yield number
            if begun == tallies[number].begun:
                continue
        # The entry is out of date: the entrant has begun games since.
        heappush(turns, (tallies[number].begun, number))


class Schedule:
    """Hold the open pairings with games to begin; call `refresh` after any change of a pairing."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._begun: set[int] = set()
        self._fresh: Queues = {}
        """Pairings that have not begun; two opponents share one list."""
        self._in_fresh: set[int] = set()

    def refresh(self, number: int) -> None:
        """Update the queues after a change of a pairing."""
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
        """Choose pairings and pass their numbers to `start`, until no free entrants can play.

        `free` says how many games each free entrant can begin. `start` begins as many games of a
        pairing as that allows, subtracts them, and removes entrants who are no longer free.
        """
        for number in sorted(self._begun):
            one, other = self._ledger.pairings.players(number)
            if one in free and other in free:
                start(number)
        tallies = self._ledger.results.tallies
        waiting = [number for number in free if self._fresh.get(number)]
        for one in in_turn(tallies, waiting, free):
            opponents = self._fresh.get(one, {})
            # Run through the shorter of the two.
            few, many = sorted((opponents, free), key=len)
            choices = [(tallies[n].begun, opponents[n][0]) for n in few if n in many]
            if choices:
                start(min(choices)[1])
