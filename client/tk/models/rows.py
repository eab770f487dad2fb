"""Define the rows of the lists of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list; `key` identifies it.

    `short` has shorter texts for cells whose column is too narrow, by the number of the column.
    """

    key: str
    cells: tuple[str, ...]
    short: Mapping[int, str] = field(default_factory=dict)
