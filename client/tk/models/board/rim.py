"""Find the letters and numbers on the rim of a board from the names of its actions.

An action such as ``c4`` is in the column c and the row 4. A rim exists where each letter belongs to
one place from left to right, and each number to one place from top to bottom. So the rim needs to
know no game, and games with other names have none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from doublecross.client.tk.models.board.places import BoardPlaces

Label = tuple[float, str]
"""The place of a label along the rim in board units, and its text."""

_NAME: Final = re.compile(r"([a-z])([0-9]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rim:
    """The letters below a board, from the left, and the numbers beside it, from below."""

    columns: tuple[Label, ...] = ()
    rows: tuple[Label, ...] = ()

    @property
    def digits(self) -> int:
        """The length of the longest number; 0 without numbers."""
        return max((len(text) for _, text in self.rows), default=0)


NO_RIM: Final = Rim()


def find_rim(places: BoardPlaces, names: Sequence[str]) -> Rim:
    """Return the rim of a board whose actions have these names."""
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    for action, name in enumerate(names):
        found = _NAME.fullmatch(name)
        if found is None:
            return NO_RIM
        x, y = places.middle(action)
        letter, number = found.groups()
        if columns.setdefault(letter, x) != x or (number and rows.setdefault(number, y) != y):
            return NO_RIM
    return Rim(
        tuple((x, letter) for letter, x in sorted(columns.items())),
        tuple((y, number) for number, y in sorted(rows.items(), key=lambda row: int(row[0]))),
    )


def thinned(labels: Sequence[Label], unit: float, least: float) -> Sequence[Label]:
    """Return every label, or every second, third ... of them, so that `least` pixels lie between.

    One board unit has `unit` pixels. The first label always stays.
    """
    gaps = [abs(b[0] - a[0]) * unit for a, b in pairwise(labels)]
    if not gaps:
        return labels
    return labels[:: max(1, math.ceil(least / min(gaps)))]
