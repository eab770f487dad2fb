"""The opening book: best edges for positions whose exact search takes too long during a game.

Theory of operation
-------------------
A book stores positions by their canonical form. Each symmetry of the board maps the drawn edges to
an image, in which interchangeable edges (two that join one box to the ground) are put in a fixed
order. The canonical form is the image that is the smallest number. For each form the book has one
best edge and the value for the player to move. A look-up converts the position to its form and the
edge back to the position.

A file has the sorted entries, compressed by zlib: 8 bytes for the form, 1 for the edge and 1 for
the value. `python -m doublecross.bots.engine.make_book` makes it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from doublecross.bots.search.exact.layout import free_twin, twins
from doublecross.games.dots_and_boxes.board import Board

FOLDER: Final = Path(__file__).parent / "books"
_ENTRY: Final = Struct(">QBb")


class Entry(NamedTuple):
    """A best edge, and the value of the position for the player to move."""

    edge: int
    value: int


def _image(board: Board, symmetry: tuple[int, ...], edges: int) -> int:
    """Return the image of the drawn edges, with interchangeable edges in their fixed order."""
    image = 0
    for edge in board.members(edges):
        image |= 1 << symmetry[edge]
    for first, second in twins(board):
        if image >> second & 1 and not image >> first & 1:
            image ^= 1 << first | 1 << second
    return image


def canonical(board: Board, edges: int) -> tuple[int, int]:
    """Return the canonical form of a set of drawn edges, and the number of its symmetry."""
    return min(
        (_image(board, symmetry, edges), number) for number, symmetry in enumerate(board.symmetries)
    )


class OpeningBook:
    """The book of one board: its entries by canonical form."""

    def __init__(self, board: Board, entries: Mapping[int, Entry]) -> None:
        self.board = board
        self.entries = dict(entries)

    def __len__(self) -> int:
        return len(self.entries)

    def look_up(self, edges: int) -> Entry | None:
        """Return the entry of the position with the drawn `edges`; None if there is none."""
        form, number = canonical(self.board, edges)
        entry = self.entries.get(form)
        if entry is None:
            return None
        edge = self.board.symmetries[number].index(entry.edge)
        if edges >> edge & 1:
            # The symmetry ignores the order of interchangeable edges: the other one is free here.
            edge = free_twin(self.board, edges, edge)
        return Entry(edge, entry.value)

    def add(self, edges: int, edge: int, value: int) -> None:
        """Add the position with the drawn `edges`: its best edge and its value."""
        form, number = canonical(self.board, edges)
        image = self.board.symmetries[number][edge]
        if form >> image & 1:
            image = free_twin(self.board, form, image)
        self.entries[form] = Entry(image, value)

    def to_bytes(self) -> bytes:
        """Return the contents of the file for this book."""
        rows = (_ENTRY.pack(form, *entry) for form, entry in sorted(self.entries.items()))
        return zlib.compress(b"".join(rows), 9)

    @classmethod
    def from_bytes(cls, board: Board, data: bytes) -> OpeningBook:
        """Return the book with the file contents `data`."""
        rows: Iterable[tuple[int, int, int]] = _ENTRY.iter_unpack(zlib.decompress(data))
        return cls(board, {form: Entry(edge, value) for form, edge, value in rows})


@cache
def book_for(board: Board) -> OpeningBook | None:
    """Return the book that the program includes for this board, or None."""
    path = FOLDER / f"{board.rows}x{board.cols}.book"
    if not path.exists():
        return None
    return OpeningBook.from_bytes(board, path.read_bytes())
