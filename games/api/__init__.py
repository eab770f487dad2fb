"""The interface between a game and the rest of the program: rules, parameters, openings, geometry.

Theory of operation
-------------------
A `Game` is an immutable description with its parameters filled in ("Dots and Boxes, 5 rows, 5
columns"). A `State` is one mutable position of it, with its history: `apply` plays an action,
`undo` takes the last one back. Terms follow OpenSpiel: an *action* is an int in
``range(game.num_actions)``, `current_player` returns the seat (0 or 1) to move, `returns` the
utilities. Always ask the state who moves: a completed box keeps the turn, so the mover does not
follow from the parity of the ply. Some actions can be played more than once in a game (a column
of Connect Four).

A `Geometry` contains all that a client needs to draw a game: cells, segments between points, and
the regions in which a click means an action. Each action has either one segment or some regions.
"""

from doublecross.games.api.errors import (
    BadOpening,
    BadParameter,
    BadRecord,
    GameError,
    IllegalAction,
    UnknownGame,
)
from doublecross.games.api.geometry import Cell, Feature, Geometry, PieceStyle, Region, Segment
from doublecross.games.api.rules import SEATS, Game, Openings, Parameter, State, why_illegal

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
