"""Samples of Dots and Boxes: positions of one size with the targets of the network.

A file has about ten bytes for each edge of a sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.training.teachers.arrays import SampleArrays

_EDGES, _BOXES = range(2)


@dataclass(frozen=True, slots=True)
class Samples(SampleArrays):
    """Positions of one board size, which have no captures, and the targets of the network.

    `drawn` (n, E): which edges are drawn. `policy` (n, E): the weight of each edge, about 255 in
    all. `legal` (n, E): which edges belong to a move. `score` (n,): the net score from here on of
    the player to move. `ownership` (n, B): how probably the player to move gets the box, from 0 to
    255, where `owned` (n,) says that it is known.
    """

    BITS: ClassVar[Mapping[str, int]] = {"drawn": _EDGES, "legal": _EDGES}
    ROWS: ClassVar[Mapping[str, int]] = {"policy": _EDGES, "ownership": _BOXES}

    drawn: NDArray[np.bool_]
    policy: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    score: NDArray[np.int8]
    ownership: NDArray[np.uint8]
    owned: NDArray[np.bool_]
