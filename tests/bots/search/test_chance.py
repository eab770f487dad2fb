"""Check the random numbers of the kernels."""

from __future__ import annotations

import numpy as np

from doublecross.bots.search.chance import random_below, random_word


def test_the_generator_is_splitmix64() -> None:
    # The first outputs of splitmix64 for the state 1234567, as Vigna's reference code prints them.
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    chance = np.array([1234567], dtype=np.uint64)
    assert [random_word(chance) for _ in words] == words
    chance[0] = 1234567
    bound = 2**31 - 1
    expected = [((word & 0xFFFFFFFF) * bound) >> 32 for word in words]
    assert [random_below(chance, bound) for _ in words] == expected
