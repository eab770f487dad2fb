"""Find openings of Nim: actions that leave at least two heaps, so no seat can end the game at once.

Two openings count as equal when they leave heaps of the same sizes, in any order. There are never
more than a thousand such sets of sizes, so `_everything` finds all of them, action by action.
"""

from __future__ import annotations

from functools import cache
from random import Random

from doublecross.games.api import Openings
from doublecross.games.nim.heaps import Heaps
from doublecross.games.openings import Opening, check_request, collect


def default_length(heaps: Heaps) -> int:
    """Return the default length of an opening: 2 actions, or 0 with fewer than 6 objects."""
    return 2 if heaps.num_objects >= 6 else 0


def find_openings(heaps: Heaps, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` actions, or all that exist.

    Raises:
        BadParameter: `n` or `length` is below zero, or `length` exceeds the number of objects.
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
    """Return one opening of `length` actions for each set of sizes that such actions leave."""
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
