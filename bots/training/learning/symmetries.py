"""Find the symmetries of a game whose board is a grid.

Theory of operation
-------------------
The geometry says which mirror images and turns map the cells onto cells. It does not say which of
them the rules respect: in Connect Four left and right can be exchanged, up and down cannot. So each
candidate is tried in some random games: an action and its image must change corresponding cells,
and the results must be the same.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from doublecross.bots.zero.grids import CellGrid, grid_of
from doublecross.games.api import Game

_GAMES: Final = 12
"""Random games that a symmetry must survive."""

Image = tuple[int, ...]


@cache
def grid_symmetries(game: Game) -> tuple[Image, ...]:
    """Return the image of each cell under each symmetry of `game`, the identity first."""
    grid = grid_of(game)
    return tuple(image for image in _candidates(grid) if _holds(game, grid, image))


def _candidates(grid: CellGrid) -> list[Image]:
    """Return the maps of the cells that the grid allows: mirror images, and turns of squares."""
    cell_at = {divmod(place, grid.cols): cell for cell, place in enumerate(grid.cells)}
    found = []
    for turned in (False, True) if grid.rows == grid.cols else (False,):
        for down in (False, True):
            for across in (False, True):
                image = []
                for place in grid.cells:
                    y, x = divmod(place, grid.cols)
                    y = grid.rows - 1 - y if down else y
                    x = grid.cols - 1 - x if across else x
                    image.append(cell_at.get((x, y) if turned else (y, x)))
                whole = tuple(cell for cell in image if cell is not None)
                if len(whole) == len(image):
                    found.append(whole)
    return found


def _holds(game: Game, grid: CellGrid, image: Image) -> bool:
    """Return whether random games of `game` agree with a symmetry."""
    by_cells = {frozenset(cells): action for action, cells in grid.actions.items()}
    actions: dict[int, int] = {}
    for action, cells in grid.actions.items():
        other = by_cells.get(frozenset(image[cell] for cell in cells))
        if other is None:
            return False
        actions[action] = other
    rng = Random(0)
    for _ in range(_GAMES):
        state, mirrored = game.initial_state(), game.initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if sorted(actions[action] for action in legal) != mirrored.legal_actions():
                return False
            action = rng.choice(legal)
            state.apply(action)
            mirrored.apply(actions[action])
            there = mirrored.owners()
            if any(owner != there[image[cell]] for cell, owner in enumerate(state.owners())):
                return False
        if not mirrored.is_terminal() or state.returns() != mirrored.returns():
            return False
    return True
