"""Random numbers for kernels: splitmix64, whose state is an array of one word.

The generator is short enough to be inlined and gives the same numbers on every machine.

Source: G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators, OOPSLA
2014.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import U
from doublecross.bots.search.jit import kernel


def seeded(rng: Random) -> NDArray[np.uint64]:
    """Return the state of a generator, uint64 (1,), drawn from `rng`."""
    return np.array([rng.getrandbits(64)], np.uint64)


@kernel
def random_word(state: NDArray[np.uint64]) -> Any:
    """Return the next random word."""
    state[0] += U(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ word >> U(30)) * U(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U(27)) * U(0x94D049BB133111EB)
    return word ^ word >> U(31)


@kernel
def random_below(state: NDArray[np.uint64], bound: int) -> int:
    """Return a random whole number from 0 to `bound` - 1; `bound` must be below 2**31.

    The high half of a product replaces a division. For bounds as large as a number of edges the
    bias is below one in ten million.
    """
    return int(np.int64(((random_word(state) & U(0xFFFFFFFF)) * U(bound)) >> U(32)))
