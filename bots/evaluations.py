"""Evaluations: named functions that estimate the value of a position where a search stops.

A search evaluates the leaves of its tree, finished games included, always for one fixed player:
the *root player*, who moves at the root of the tree. It takes the maximum where that player moves
and the minimum where the opponent moves. It never negates a value, so an evaluation may give both
seats values that do not add up to zero. `unfilled` is such an evaluation: it adds the same
unfilled boxes for either seat.

For a finished game every evaluation returns the final net score (the root player's boxes minus
the opponent's; 1, 0 or -1 in tic-tac-toe), so a search to the end of the game finds the same value
with each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from doublecross.games.api import State


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named evaluation.

    `function` returns the value of a state, in boxes, for a seat (0 or 1). `expects` says whether
    this value estimates the seat's final net score. If not, the value only serves to compare
    positions.
    """

    name: str
    doc: str
    function: Callable[[State, int], float]
    expects: bool


def net(state: State, root: int) -> float:
    """Return the net score of seat `root` so far: its boxes minus the opponent's.

    In tic-tac-toe, where a winning line scores 1, this is the utility. As an estimate of the final
    net score it assumes that both players share the rest of the boxes equally.
    """
    scores = state.scores()
    return float(scores[root] - scores[1 - root])


def unfilled(state: State, root: int) -> float:
    """Return `net` plus half a box for each box that is not complete yet.

    This is the usual classroom heuristic of Dots and Boxes, searched to depth 3: own boxes -
    opponent's boxes + 0.5 x unfilled boxes. Among leaves with the same net score it prefers those
    with fewer boxes taken. In games without boxes it equals `net`.
    """
    value = net(state, root)
    if state.game.unit:
        value += 0.5 * _unfilled_cells(state)
    return value


def _unfilled_cells(state: State) -> int:
    cells = state.game.geometry().cells
    if not state.opening:
        return len(cells) - sum(state.scores())
    # An opening may complete boxes that belong to nobody, so the scores do not count them.
    free = set(state.legal_actions())
    return sum(1 for cell in cells if not free.isdisjoint(cell.segments))


NET: Final = Evaluation("net", "own boxes minus the other's", net, expects=True)
UNFILLED: Final = Evaluation(
    "unfilled", "net score + 0.5 x unfilled boxes", unfilled, expects=False
)

EVALUATIONS: Final[Mapping[str, Evaluation]] = {each.name: each for each in (NET, UNFILLED)}
"""All evaluations by name, the default first."""
