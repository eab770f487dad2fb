"""Print what a network says about a position: `doublecross analyse --net`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem, out, say

if TYPE_CHECKING:
    from rich.text import Text

    from doublecross.bots.zero.reading import Reading
    from doublecross.cli.analysis.position import AnalysedPosition
    from doublecross.games.dots_and_boxes.board import Board

_CELL: Final = 3
"""The columns of a dot, an edge or a box."""
_LEAST: Final = 0.005
"""A prior below this is shown as a dot."""
_SHADES: Final = ((0.2, "bold black on green3"), (0.05, "black on sea_green3"), (0.01, "green"))
"""The style of an edge whose prior is at least so high."""
_BEST: Final = 5
"""So many moves are listed."""


def show_network(position: AnalysedPosition, path: Path, as_json: bool) -> None:
    """Print what the network in the file `path` says about a position.

    Raises:
        Problem: the network cannot be used.
    """
    from doublecross.bots.api import BotError
    from doublecross.bots.zero.net import Net
    from doublecross.bots.zero.planes import PLANES
    from doublecross.bots.zero.reading import read
    from doublecross.bots.zero.search import prepare

    state = position.state
    prepare(state.board)
    try:
        net = Net.load(path, state.game.key, PLANES)
        reading = read(state.board, net, state.edges)
    except BotError as error:
        raise Problem(str(error)) from None
    if as_json:
        _print_json(state.board, path, net.about, reading)
    else:
        _print_page(position, reading)


def _print_json(board: Board, path: Path, about: dict[str, object], reading: Reading) -> None:
    line = {
        "rows": board.rows,
        "cols": board.cols,
        "net": str(path),
        "about": about,
        "edges": board.members(reading.edges),
        "policy": {str(edge): round(p, 6) for edge, p in sorted(reading.priors.items())},
        "mean": round(reading.mean, 4),
        "scores": {str(score): round(p, 6) for score, p in reading.scores.items()},
        "owners": {str(box): round(p, 4) for box, p in reading.owners.items()},
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _print_page(position: AnalysedPosition, reading: Reading) -> None:
    state = position.state
    free = state.board.num_edges - reading.edges.bit_count()
    say(f"{state.game.title} {state.game.size}: {free} edges free")
    if reading.edges != state.edges:
        say("Boxes can be captured; the network sees the position after all captures.")
    say()
    out().print(heat_map(state.board, reading), soft_wrap=True)
    say()
    if reading.priors:
        say("The numbers are the percentages of the moves; a chain or a loop is one move.", "dim")
    else:
        say("No junction is left, so the value follows without the network.", "dim")
    won = sum(p for score, p in reading.scores.items() if score > 0)
    lost = sum(p for score, p in reading.scores.items() if score < 0)
    say()
    say(
        f"The network expects a net score of {reading.mean:+.1f} from here for the player to move:",
        "bold",
    )
    equal = f"as many {reading.scores[0]:.0%}, " if 0 in reading.scores else ""
    say(f"more boxes {won:.0%}, {equal}fewer {lost:.0%}.")
    if reading.priors:
        best = sorted(reading.priors, key=lambda edge: (-reading.priors[edge], edge))[:_BEST]
        words = (f"{state.game.action_name(e)} ({e}) {reading.priors[e]:.0%}" for e in best)
        say(f"Highest: {', '.join(words)}.")


def heat_map(board: Board, reading: Reading) -> Text:
    """Return the board with the prior of each free edge in percent, and the drawn edges."""
    from rich.text import Text

    width, height = 2 * board.cols + 1, 2 * board.rows + 1
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = Text("   " + "".join(f"{letters[x]:^{_CELL}}" for x in range(width)).rstrip() + "\n")
    for y in range(height):
        text.append(f"{height - y:>2} ")
        for x in range(width):
            if x % 2 == y % 2:
                text.append("+".center(_CELL) if x % 2 == 0 else " " * _CELL)
                continue
            edge = board.edge_at(x, y)
            if reading.edges >> edge & 1:
                text.append("-" * _CELL if x % 2 else "|".center(_CELL))
                continue
            prior = reading.priors.get(edge, 0.0)
            shown = f"{100 * prior:.0f}" if prior >= _LEAST else "·"
            style = next((style for least, style in _SHADES if prior >= least), "dim")
            text.append(f"{shown:^{_CELL}}", style)
        text.append("\n" if y < height - 1 else "")
    return text
