"""Write Dots and Boxes as text: edge names and ASCII boards.

Theory of operation
-------------------
*Edge names.* The points of the (2C+1) x (2R+1) lattice of dots, edges and boxes get a letter for
the column, from ``a`` on the left, and a number for the row, from 1 at the bottom. This is how
players on littlegolem.net write moves (forum 110, topic 180: on 5x5 they play ``j3`` on the lower
right, ``e10`` and ``f11`` at the top). A name is an edge when letter and number, counted from 1,
have an odd sum; on 5x5 the corner dots are a1, k1, a11 and k11, and g6 is an edge near the middle.

*Pairs of dots.* Older lists of moves there name the dots at the ends of an edge (topic 12), and
only dots are counted: on 5x5 the corner dots are a1, f1, a6 and f6, and ``b5c5`` is d9.

*ASCII board.* Dots are ``+``, edges ``---`` and ``|``. A complete box shows its owner, or ``*``
when the opening completed it. The last edge may be drawn with ``#``. The rim shows the letters
and numbers of the lattice, so a reader can name any edge::

       a b c d e
     5 +---+   +
     4 | A |
     3 +---+---+
     2     |
     1 +   +   +
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from doublecross.games.api import IllegalAction
from doublecross.games.dots_and_boxes.board import Board

OWNER_MARKS: Final = ("A", "B", "*")
"""The marks of a complete box of seat 0, of seat 1, and of none."""

_NAME: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)


@lru_cache(maxsize=128)
def edge_names(board: Board) -> tuple[str, ...]:
    """Return the names of all edges of a board; the cache has room for all hundred sizes."""
    places = map(board.place, range(board.num_edges))
    return tuple(f"{chr(ord('a') + x)}{2 * board.rows + 1 - y}" for x, y in places)


@lru_cache(maxsize=128)
def dot_pairs(board: Board) -> tuple[tuple[str, str], ...]:
    """Return the dots at the ends of all edges, the left or lower one first."""

    def dot(x: int, y: int) -> str:
        return f"{chr(ord('a') + x // 2)}{board.rows + 1 - y // 2}"

    places = map(board.place, range(board.num_edges))
    return tuple((dot(x - x % 2, y + y % 2), dot(x + x % 2, y - y % 2)) for x, y in places)


def edge_name(board: Board, edge: int) -> str:
    """Return the lattice name of an edge, such as ``g6``.

    Raises:
        IllegalAction: no such edge.
    """
    if type(edge) is not int or edge not in board.strokes:
        raise IllegalAction(
            f"{edge!r} is not an edge of a board of {board.rows}x{board.cols} boxes."
        )
    return edge_names(board)[edge]


def parse_edge(board: Board, text: str) -> int:
    """Return the edge that a lattice name, in either case, or a plain number stands for.

    Raises:
        IllegalAction: no such edge.
    """
    word = text.strip().lower()
    if _NUMBER.fullmatch(word) and int(word) < board.num_edges:
        return int(word)
    if match := _NAME.fullmatch(word):
        x = ord(match[1]) - ord("a")
        y = 2 * board.rows + 1 - int(match[2])
        if x <= 2 * board.cols and 0 <= y <= 2 * board.rows and (x + y) % 2:
            return board.edge_at(x, y)
    raise IllegalAction(f"{text!r} is not an edge of a board of {board.rows}x{board.cols} boxes.")


def draw(
    board: Board,
    edges: int,
    owners: Sequence[int],
    *,
    last: int | None = None,
    rim: bool = True,
) -> str:
    """Return the board in ASCII, without a trailing newline.

    `owners` has -1, 0 or 1 for each box; only complete boxes show their owner. The edge `last`
    appears as ``#``. `rim` adds the lattice letters and numbers around the board.
    """
    lines = []
    if rim:
        letters = " ".join(chr(ord("a") + x) for x in range(2 * board.cols + 1))
        lines.append(f"   {letters}")
    for y in range(2 * board.rows + 1):
        line = f"{2 * board.rows + 1 - y:2} " if rim else ""
        for x in range(2 * board.cols + 1):
            if (x + y) % 2:
                edge = board.edge_at(x, y)
                ink = "   " if x % 2 else " "
                if edges >> edge & 1:
                    ink = ("###" if x % 2 else "#") if edge == last else "---" if x % 2 else "|"
            elif x % 2:
                box = y // 2 * board.cols + x // 2
                complete = edges & board.box_masks[box] == board.box_masks[box]
                ink = f" {OWNER_MARKS[owners[box]]} " if complete else "   "
            else:
                ink = "+"
            line += ink
        lines.append(line.rstrip())
    return "\n".join(lines)
