"""Make geometries and positions of all games for tests of the board.

Each set is what the page gets from the server: the geometry, and the positions of one random game.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from random import Random
from typing import Any, Final

from doublecross.games.api import Game
from doublecross.games.registry import GAMES, make_game
from doublecross.server.core.rooms.snapshot import board
from doublecross.server.shell.web.boards.catalogue import geometry_of

SIZES: Final[dict[str, tuple[str, ...]]] = {
    "dots-and-boxes": ("1x1", "2x2", "3x5", "5x5", "10x10"),
    "tic-tac-toe": ("3x3", "9x7"),
    "connect-four": ("6x7", "10x10"),
}
"""The sizes of a game besides its default one."""


def all_games() -> list[Game]:
    """Return every registered game in several sizes."""
    made = []
    for key, kind in GAMES.items():
        sizes = (kind.default_size(), *SIZES.get(key, ()))
        made += [make_game(key, kind.parse_size(size)) for size in sizes]
    return list(dict.fromkeys(made))


@cache
def sample(game: Game, seed: int = 1) -> dict[str, Any]:
    """Return the geometry, and the positions, moves and features of one random game."""
    rng = Random(seed)
    state = game.initial_state()
    positions: list[dict[str, Any]] = []
    features: list[list[dict[str, Any]]] = []
    drawers: list[int] = []
    while True:
        over = state.is_terminal()
        moves = state.history()
        positions.append(
            {
                **board(state),
                "before": positions[-1]["cells"] if positions else None,
                "played": moves,
                "drawers": tuple(drawers),
                "last": moves[-1] if moves else None,
                "toMove": None if over else state.current_player(),
                "scores": state.scores(),
            }
        )
        features.append([asdict(feature) for feature in state.features()])
        if over:
            break
        drawers.append(state.current_player())
        state.apply(rng.choice(state.legal_actions()))
    return {"geometry": geometry_of(game), "positions": positions, "features": features}
