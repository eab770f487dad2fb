"""Define what a run needs to know about a game in one size."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from doublecross.bots.training.learning.batches import SampleWindow
from doublecross.bots.training.teachers.arrays import SampleArrays
from doublecross.bots.zero.net import Net

Row = dict[str, Any]


class NetForm(NamedTuple):
    """The form of the networks of a game: planes of a cell, the largest score, logits of a cell."""

    planes: int
    span: int
    actions: int


class Subject(Protocol):
    """A game in one size, with its teachers and tests."""

    form: NetForm

    def window(self, most: int) -> SampleWindow[Any]:
        """Return an empty window for `most` samples."""

    def load(self, path: Path) -> SampleArrays:
        """Read a file of samples.

        Raises:
            ValueError: the file is damaged, or of another board; the message is a sentence.
        """

    def teach(
        self, teacher: str, net: Net | None, simulations: int, count: int, seed: str
    ) -> SampleArrays:
        """Return at least `count` samples of `teacher`, which the settings allow for this game.

        Self-play uses `net`, and `simulations` for a full search.
        """

    def play_pair(self, new: Net, old: Net, rng: Random) -> float:
        """Return the points of `new` in a game pair from a random opening, without a search."""

    def truth(self, net: Net, seed: str) -> Row | None:
        """Measure `net` without a search where exact values are known, else return None."""


def points(result: float) -> float:
    """Return the points of a game: 1 for a result above zero, 1/2 for zero."""
    return 1.0 if result > 0 else 0.5 if result == 0 else 0.0
