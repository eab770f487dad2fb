"""Openings of Nim: actions that leave at least two heaps, so that nobody can end the game at once.

Two openings are alike when they leave heaps of the same sizes: which heap it is does not matter.
There are never more than a thousand sets of sizes, so all of them are found, step by step.
"""

from __future__ import annotations

from functools import cache
from random import Random

from games.api import Openings
from games.nim.heaps import Heaps
from games.openings import Opening, check_request, collect


def default_length(heaps: Heaps) -> int:
    """Return the actions in an opening when nobody says: 2, or none with fewer than 6 objects."""
    return 2 if heaps.num_objects >= 6 else 0


def find_openings(heaps: Heaps, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` actions, or all that there are.

    Raises:
        BadParameter: `n` or `length` below zero, or `length` beyond the number of objects.
    """
    check_request(n, length, heaps.num_objects, "action")
    every = _everything(heaps, length)
    return collect(
        rng,
        n,
        lambda rng: rng.choice(every) if every else None,
        lambda: iter(every),
        f"of {length} action{'' if length == 1 else 's'}"
        f" with heaps of {', '.join(map(str, heaps.sizes))}",
    )


@cache
def _everything(heaps: Heaps, length: int) -> tuple[Opening, ...]:
    """Return one opening of `length` actions for each set of sizes that they can leave."""
    reached: dict[tuple[int, ...], tuple[tuple[int, ...], Opening]] = {
        tuple(sorted(heaps.sizes)): (heaps.sizes, ())
    }
    for _ in range(length):
        following: dict[tuple[int, ...], tuple[tuple[int, ...], Opening]] = {}
        for left, opening in reached.values():
            for heap, size in enumerate(left):
                for place in range(size):
                    after = (*left[:heap], place, *left[heap + 1 :])
                    key = tuple(sorted(after))
                    if key not in following:
                        following[key] = after, (*opening, heaps.starts[heap] + place)
        reached = following
    return tuple(opening for left, opening in reached.values() if sum(map(bool, left)) > 1)
