"""Encode the positions of other games than Dots and Boxes as planes of a grid.

The geometry of a game (`doublecross.games.api.Geometry`) has cells, which are unit squares of a
grid, and for each action the regions in which a click means it. The *targets* of a legal action are
the cells in its regions that it changes: a cell in tic-tac-toe, and in Connect Four the cell of the
column into which the disc falls. So a position becomes planes without any knowledge of the rules,
which are only asked to play the actions: the cells of the player to move, those of the opponent,
the empty ones, and the targets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.zero.net import NetError
from doublecross.games.api import Game, Geometry, State

# The planes.
ON_BOARD, MINE, THEIRS, EMPTY, LEGAL, LEFT, SECOND = range(7)
GENERIC_PLANES: Final = 7
"""The number of planes."""
GENERIC_SPAN: Final = 1
"""The largest score: the game is won."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The places of a game's cells and actions in a grid of `rows` x `cols`.

    `cells` has the place of each cell in the flattened grid, and `actions` the cells in the regions
    of each action.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    actions: dict[int, tuple[int, ...]]


def is_grid(geometry: Geometry) -> bool:
    """Return whether all cells are unit squares in rows, and all actions are regions.

    A row may begin between two columns, as in Nim.
    """
    boxes = [_box(geometry, cell.corners) for cell in geometry.cells]
    places = {(math.floor(x), math.floor(y)) for x, y, _, _ in boxes}
    unit = all(box[2:] == (1, 1) for box in boxes)
    return unit and len(places) == len(boxes) and not geometry.segments


@cache
def grid_of(game: Game) -> CellGrid:
    """Return the grid of `game`.

    Raises:
        NetError: its cells are no grid.
    """
    geometry = game.geometry()
    if not is_grid(geometry):
        raise NetError(f"The bot zero cannot see the board of {game.title}.")
    rows, cols = geometry.height, geometry.width
    boxes = [_box(geometry, cell.corners) for cell in geometry.cells]
    cells = tuple(math.floor(y) * cols + math.floor(x) for x, y, _, _ in boxes)
    actions: dict[int, tuple[int, ...]] = {}
    for region in geometry.regions:
        left, top, width, height = _box(geometry, region.corners)
        inside = tuple(
            cell
            for cell, (x, y, _, _) in enumerate(boxes)
            if left < x + 0.5 < left + width and top < y + 0.5 < top + height
        )
        actions[region.action] = actions.get(region.action, ()) + inside
    return CellGrid(rows, cols, cells, actions)


def _box(geometry: Geometry, corners: tuple[int, ...]) -> tuple[float, float, float, float]:
    """Return the left and upper end of an area, its width and its height."""
    xs = [geometry.points[corner][0] for corner in corners]
    ys = [geometry.points[corner][1] for corner in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def targets(state: State) -> dict[int, tuple[int, ...]]:
    """Return the targets of each legal action, as indices of cells; `state` is not over."""
    return look_ahead(state)[0]


def look_ahead(state: State) -> tuple[dict[int, tuple[int, ...]], dict[int, int]]:
    """Play each legal action; return its targets, and the result for seat 0 if it ends the game.

    An action that changes no cell in its regions has all of them as targets.
    """
    regions = grid_of(state.game).actions
    before = state.owners()
    found: dict[int, tuple[int, ...]] = {}
    ends: dict[int, int] = {}
    for action in state.legal_actions():
        cells = [cell for cell in regions[action] if before[cell] < 0]
        state.apply(action)
        if len(cells) != 1:
            after = state.owners()
            cells = [cell for cell in regions[action] if before[cell] != after[cell]]
        if state.is_terminal():
            ends[action] = round(state.returns()[0])
        state.undo()
        found[action] = tuple(cells or regions[action])
    return found, ends


def encode_cells(
    game: Game, owned: NDArray[Any], legal: NDArray[Any], left: NDArray[Any], second: NDArray[Any]
) -> NDArray[np.float32]:
    """Return the planes, (n, GENERIC_PLANES, rows, cols), of n positions.

    `owned` (2, n, cells): the cells of the player to move and of the opponent. `legal` (n, cells):
    the targets of the legal actions. `left` (n,): the most plies still to be played. `second` (n,):
    whether seat 1 is to move.
    """
    grid = grid_of(game)
    planes = np.zeros((len(left), GENERIC_PLANES, grid.rows * grid.cols), np.float32)
    places = np.array(grid.cells)
    planes[:, ON_BOARD, places] = 1
    planes[:, MINE, places] = owned[0]
    planes[:, THEIRS, places] = owned[1]
    planes[:, EMPTY, places] = ~(owned[0] | owned[1])
    planes[:, LEGAL, places] = legal
    planes[:, LEFT] = left[:, None] / game.max_game_length
    planes[:, SECOND] = second[:, None]
    return planes.reshape(-1, GENERIC_PLANES, grid.rows, grid.cols)


def encode_state(
    state: State, aims: Mapping[int, tuple[int, ...]] | None = None
) -> NDArray[np.float32]:
    """Return the planes, (GENERIC_PLANES, rows, cols), of a position that is not over.

    `aims` are its `targets`, if the caller has them.
    """
    aims = targets(state) if aims is None else aims
    me = state.current_player()
    owners = np.array([state.owners()])
    legal = np.zeros(owners.shape, np.bool_)
    legal[0, [cell for cells in aims.values() for cell in cells]] = True
    planes = encode_cells(
        state.game,
        np.stack([owners == me, owners == 1 - me]),
        legal,
        np.array([state.plies_left()]),
        np.array([me]),
    )
    return planes.reshape(planes.shape[1:])
