"""Samples of other games than Dots and Boxes: positions of a grid with targets of the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.training.teachers.arrays import SampleArrays

_CELLS: Final = 0


@dataclass(frozen=True, slots=True)
class GridSamples(SampleArrays):
    """Positions of one game and size, and the targets of the network.

    `mine`, `theirs` (n, cells): the cells of the player to move, and of the opponent. `legal` (n,
    cells): the targets of the legal actions (see `doublecross.bots.zero.grids`). `policy` (n,
    cells): the weight of each, about 255 in all, or 0 where the policy is not known. `left` (n,):
    the most plies still to be played. `second` (n,): whether seat 1 is to move. `score` (n,): the
    result for the player to move, -1, 0 or 1.
    """

    BITS: ClassVar[Mapping[str, int]] = {"mine": _CELLS, "theirs": _CELLS, "legal": _CELLS}
    ROWS: ClassVar[Mapping[str, int]] = {"policy": _CELLS}

    mine: NDArray[np.bool_]
    theirs: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    policy: NDArray[np.uint8]
    left: NDArray[np.int16]
    second: NDArray[np.bool_]
    score: NDArray[np.int8]
