"""The opening book: best edges for boards that are solved, but not while a person waits.

Theory of operation
-------------------
A book holds positions by their canonical form: the smallest, as a number, of the images of the
drawn edges under the board's symmetries, with interchangeable edges (two that join one box to the
ground) in a fixed order. For each there is one best edge of that form and the value for the player
to move. Looking a position up turns it into its form, and the edge back.

A file is a header and the entries, sorted, compressed by zlib: 8 bytes for the form, 1 for the
edge, 1 for the value. `python -m bots.engine.make_book` makes it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from bots.search.exact.layout import free_twin, twins
from games.dots_and_boxes.board import Board

FOLDER: Final = Path(__file__).parent / "books"
_ENTRY: Final = Struct(">QBb")


class Entry(NamedTuple):
    """A best edge, and the value of the position for the player to move."""

    edge: int
    value: int


def _image(board: Board, symmetry: tuple[int, ...], edges: int) -> int:
    """The drawn edges under a symmetry, interchangeable ones put in order."""
    image = 0
    for edge in board.members(edges):
        image |= 1 << symmetry[edge]
    for first, second in twins(board):
        if image >> second & 1 and not image >> first & 1:
            image ^= 1 << first | 1 << second
    return image


def canonical(board: Board, edges: int) -> tuple[int, int]:
    """The canonical form of a set of drawn edges, and the number of the symmetry that gives it."""
    return min(
        (_image(board, symmetry, edges), number) for number, symmetry in enumerate(board.symmetries)
    )


class OpeningBook:
    """The book of one board: canonical forms and what is known of them."""

    def __init__(self, board: Board, entries: Mapping[int, Entry]) -> None:
        self.board = board
        self.entries = dict(entries)

    def __len__(self) -> int:
        return len(self.entries)

    def look_up(self, edges: int) -> Entry | None:
        """The best edge in the position with the drawn `edges`, and its value; None when the
        book does not have it."""
        form, number = canonical(self.board, edges)
        entry = self.entries.get(form)
        if entry is None:
            return None
        edge = self.board.symmetries[number].index(entry.edge)
        if edges >> edge & 1:
            # Its twin is the free one of the two here.
            edge = free_twin(self.board, edges, edge)
        return Entry(edge, entry.value)

    def add(self, edges: int, edge: int, value: int) -> None:
        """Learn that `edge` is best in the position with the drawn `edges`, worth `value`."""
        form, number = canonical(self.board, edges)
        image = self.board.symmetries[number][edge]
        if form >> image & 1:
            image = free_twin(self.board, form, image)
        self.entries[form] = Entry(image, value)

    def to_bytes(self) -> bytes:
        """The book as a file has it."""
        rows = (_ENTRY.pack(form, *entry) for form, entry in sorted(self.entries.items()))
        return zlib.compress(b"".join(rows), 9)

    @classmethod
    def from_bytes(cls, board: Board, data: bytes) -> OpeningBook:
        """The book of a file."""
        rows: Iterable[tuple[int, int, int]] = _ENTRY.iter_unpack(zlib.decompress(data))
        return cls(board, {form: Entry(edge, value) for form, edge, value in rows})


@cache
def book_for(board: Board) -> OpeningBook | None:
    """The book that comes with the program for this board, None where there is none."""
    path = FOLDER / f"{board.rows}x{board.cols}.book"
    if not path.exists():
        return None
    return OpeningBook.from_bytes(board, path.read_bytes())
