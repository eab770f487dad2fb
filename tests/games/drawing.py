"""Read boards of Dots and Boxes that tests draw in ASCII, as `notation.draw` writes them."""

from __future__ import annotations

import re
from textwrap import dedent

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState


def read_drawing(text: str) -> tuple[DotsAndBoxes, list[int], str]:
    """Return the game, the drawn edges in order, and a mark or a space for each box."""
    lines = [re.sub(r"^ *\d+( |$)", "", line) for line in dedent(text).strip("\n").split("\n")]
    if "+" not in lines[0]:
        del lines[0]
    rows, cols = len(lines) // 2, len(lines[0]) // 4
    game = DotsAndBoxes({"rows": rows, "cols": cols})
    places = ((x, y) for y in range(2 * rows + 1) for x in range(2 * cols + 1))
    ink = {(x, y): lines[y].ljust(4 * cols + 1)[2 * x] for x, y in places}
    edges = [e for e in range(game.num_actions) if ink[game.board.place(e)] != " "]
    return game, edges, "".join(mark for (x, y), mark in ink.items() if x % 2 and y % 2)


def from_drawing(text: str) -> DotsAndBoxesState:
    """Return the position with these edges, before the first move."""
    game, edges, _ = read_drawing(text)
    return game.initial_state(edges)
