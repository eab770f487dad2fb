"""Dots and Boxes once more, written from the rules: the tests do not trust `games` to judge itself.

A horizontal edge has the number ``r*C + c``, a vertical one ``(R+1)*C + r*(C+1) + c``.
"""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
_COMMENT: Final = re.compile(r"\{[^}]*\}")
_EDGE: Final = re.compile(r"\b([a-z])(\d+)\b")


class Board:
    """A board of boxes, with the edges that are drawn."""

    def __init__(self, rows: int, cols: int) -> None:
        self.edges = (rows + 1) * cols + rows * (cols + 1)
        self.drawn: set[int] = set()
        self.to_move: int | None = 0
        self.scores = [0, 0]
        first_vertical = (rows + 1) * cols
        self._boxes = [
            {
                row * cols + col,
                (row + 1) * cols + col,
                first_vertical + row * (cols + 1) + col,
                first_vertical + row * (cols + 1) + col + 1,
            }
            for row in range(rows)
            for col in range(cols)
        ]

    def free(self) -> list[int]:
        """Return the edges that can be drawn."""
        return [edge for edge in range(self.edges) if edge not in self.drawn]

    def draw(self, edge: int) -> None:
        """Draw an edge for the player to move.

        Raises:
            ValueError: there is no such edge, it is drawn already, or the game is over.
        """
        if self.to_move is None:
            raise ValueError(f"edge {edge} after the end of the game")
        if edge in self.drawn or not 0 <= edge < self.edges:
            raise ValueError(f"edge {edge} cannot be drawn")
        self.drawn.add(edge)
        taken = sum(edge in box and box <= self.drawn for box in self._boxes)
        self.scores[self.to_move] += taken
        if len(self.drawn) == self.edges:
            self.to_move = None
        elif not taken:
            self.to_move = 1 - self.to_move


def read_record(text: str) -> tuple[dict[str, str], list[int]]:
    """Return the tags of a record, and the edges that were drawn.

    In a record, columns are letters from the left and rows are numbers from the bottom, and dots,
    edges and boxes are counted alike.
    """
    tags = dict(_TAG.findall(text))
    rows, cols = (int(part) for part in tags["Size"].split("x"))
    moves = text[max(0, text.rfind("]")) :]
    moves = _COMMENT.sub("", moves)
    edges = []
    for letter, number in _EDGE.findall(moves):
        x, y = ord(letter) - ord("a"), 2 * rows + 1 - int(number)
        if y % 2 == 0:
            edges.append(y // 2 * cols + (x - 1) // 2)
        else:
            edges.append((rows + 1) * cols + (y - 1) // 2 * (cols + 1) + x // 2)
    return tags, edges
