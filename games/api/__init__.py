"""What a game is to the rest of the program: rules, parameters, openings and a picture to draw.

Theory of operation
-------------------
A `Game` is an immutable description with its parameters filled in ("Dots and Boxes, 5 rows, 5
columns"). A `State` is one mutable position of it, with its history: `apply` plays an action,
`undo` takes the last one back. Terms follow OpenSpiel: an *action* is an int in
``range(game.num_actions)``, `current_player` says which seat (0 or 1) moves, `returns` gives the
utilities. Always ask the state who moves: a completed box keeps the turn, so the parity of the
ply says nothing. An action may be playable more than once (a column of Connect Four).

A `Geometry` is all that a client needs to draw a game: cells, segments between points, and the
regions in which a click means an action. An action is drawn as a segment, or it has regions.
"""

from games.api.errors import (
    BadOpening,
    BadParameter,
    BadRecord,
    GameError,
    IllegalAction,
    UnknownGame,
)
from games.api.picture import Cell, Feature, Geometry, PieceStyle, Region, Segment
from games.api.rules import SEATS, Game, Openings, Parameter, State, why_illegal

__all__ = [
    "SEATS",
    "BadOpening",
    "BadParameter",
    "BadRecord",
    "Cell",
    "Feature",
    "Game",
    "GameError",
    "Geometry",
    "IllegalAction",
    "Openings",
    "Parameter",
    "PieceStyle",
    "Region",
    "Segment",
    "State",
    "UnknownGame",
    "why_illegal",
]
