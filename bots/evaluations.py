"""What a position is worth where a search stops: small named functions of a state and a seat.

An evaluation is asked at the leaves of a tree, finished games among them, and always from the
side of one fixed player, the *root player*: the one who moves at the root of the tree. A search
takes the maximum where that player moves and the minimum where the other one does. It never
negates a value, so an evaluation need not be antisymmetric (and `unfilled` is not: both seats
count the same unfilled boxes for themselves).

All of them give the final net score of a finished game (the root player's boxes minus the other's,
1, 0 or -1 in tic-tac-toe), so that a search to the end finds the same value with each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from games.api import State


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named evaluation.

    `function` gives the worth of a state, in boxes, for a seat (0 or 1). `expects` says whether
    that is an estimate of the seat's final net score; otherwise it only compares positions.
    """

    name: str
    doc: str
    function: Callable[[State, int], float]
    expects: bool


def net(state: State, root: int) -> float:
    """The net score of seat `root` so far: its boxes minus the other's.

    In tic-tac-toe, where a winning line scores 1, that is the utility. As an estimate of the end
    it takes the rest of the game to be even.
    """
    scores = state.scores()
    return float(scores[root] - scores[1 - root])


def unfilled(state: State, root: int) -> float:
    """`net`, and half a box for each box that is not complete yet, whoever moves.

    The usual classroom heuristic of Dots and Boxes, searched to depth 3: own boxes - other's
    boxes + 0.5 x unfilled boxes. Among leaves with the same net score it prefers those with fewer
    boxes taken. Games without boxes have none unfilled: there it is `net`.
    """
    value = net(state, root)
    if state.game.unit:
        value += 0.5 * _unfilled_cells(state)
    return value


def _unfilled_cells(state: State) -> int:
    cells = state.game.geometry().cells
    if not state.opening:
        return len(cells) - sum(state.scores())
    # An opening may complete boxes for nobody, which no score counts.
    free = set(state.legal_actions())
    return sum(1 for cell in cells if not free.isdisjoint(cell.segments))


NET: Final = Evaluation("net", "own boxes minus the other's", net, expects=True)
UNFILLED: Final = Evaluation(
    "unfilled", "net score + 0.5 x unfilled boxes", unfilled, expects=False
)

EVALUATIONS: Final[Mapping[str, Evaluation]] = {each.name: each for each in (NET, UNFILLED)}
"""All evaluations by name, the default first."""
