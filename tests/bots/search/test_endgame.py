"""Check endgames of independent chains and loops against the definition of their value."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from doublecross.bots.search.exact.endgame import control_value


@cache
def by_definition(chains: tuple[int, ...], loops: tuple[int, ...]) -> int:
    """Return the net score of the player in control when the other opens the best component."""
    values = []
    for at, n in enumerate(chains):
        rest = by_definition(chains[:at] + chains[at + 1 :], loops)
        whole = n - rest
        # A chain of 2 is opened in its middle or by its end; by its end two boxes may be declined.
        ways = [whole] if n <= 2 else []
        if n >= 2:
            ways.append(max(whole, n - 4 + rest))
        values.append(min(ways))
    for at, n in enumerate(loops):
        rest = by_definition(chains, loops[:at] + loops[at + 1 :])
        values.append(max(n - rest, n - 8 + rest))
    return min(values, default=0)


def value_of(chains: list[int], loops: list[int]) -> int:
    work = np.zeros(64, np.int64)
    return int(
        control_value(
            np.array([*sorted(chains), 99], np.int64),
            len(chains),
            np.array([*sorted(loops), 99], np.int64),
            len(loops),
            work,
        )
    )


def test_thousands_of_endgames_have_their_value() -> None:
    rng = Random(2)
    for _ in range(3_000):
        shortest = rng.choice((1, 1, 3))
        chains = [rng.randint(shortest, rng.choice((3, 5, 9))) for _ in range(rng.randint(0, 6))]
        loops = [2 * rng.randint(2, 6) for _ in range(rng.randint(0, 4))]
        expected = by_definition(tuple(sorted(chains)), tuple(sorted(loops)))
        assert value_of(chains, loops) == expected, (chains, loops)


@pytest.mark.parametrize(
    ("chains", "loops", "value"),
    [
        ([], [], 0),
        ([1], [], 1),
        ([2], [], 2),
        ([1, 1], [], 0),
        ([2, 2], [], 0),
        ([1, 2], [], -1),
        ([3], [], 3),
        ([3, 3], [], 2),
        ([7], [], 7),
        ([], [4], 4),
        ([], [4, 4], 0),
        ([], [8], 8),
        ([3], [4], 1),
        ([4, 5], [], 5),
    ],
)
def test_endgames_solved_by_hand(chains: list[int], loops: list[int], value: int) -> None:
    assert value_of(chains, loops) == value
