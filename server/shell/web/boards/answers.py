"""The answers about games, positions and values, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doublecross.protocol.review_messages import ReviewPhrase
from doublecross.server.shell.web.answers import HttpAnswer, Numbers, Pair


class GameParameter(HttpAnswer):
    """A whole-number parameter of a game, with its inclusive range."""

    name: str
    label: str = Field(description="the text beside its input field")
    low: int
    high: int
    default: int


class CatalogueGame(HttpAnswer):
    """A game that the server knows."""

    key: str = Field(description="the name on the wire, such as dots-and-boxes")
    title: str
    parameters: list[GameParameter] = Field(
        description="in the order in which a size such as 5x5 lists them"
    )
    least_numbers: int = Field(description="how many of the parameters a size must list")
    seat_names: Pair = Field(description="the names of seat 0 and seat 1")
    unit: str = Field(
        description="what the scores count, such as boxes; empty: games are only won, lost or drawn"
    )
    features: bool = Field(description="whether `/api/features` finds features in this game")
    policy: bool = Field(
        False, description="whether `/api/policy` answers: the server has a network for this game"
    )
    values: bool = Field(
        False, description="whether `/api/values` answers: the server has an adviser"
    )


class Catalogue(HttpAnswer):
    """The games that the server knows."""

    games: list[CatalogueGame]


class GeometrySegment(HttpAnswer):
    """A stroke between two points; playing `action` draws it."""

    action: int
    start: int = Field(description="the index of a point")
    end: int = Field(description="the index of a point")


class GeometryCell(HttpAnswer):
    """An area that a seat can own."""

    index: int
    corners: list[int] = Field(description="indices of points, in drawing order")
    segments: list[int] = Field(description="the actions whose segments surround the cell")


class GeometryRegion(HttpAnswer):
    """An area in which a click means `action`. An action may have several."""

    action: int
    corners: list[int] = Field(description="indices of points, in drawing order")


class GameGeometry(HttpAnswer):
    """All that a client needs to draw a game and to name its actions.

    Each action has either one segment, or one or more regions. Cells are numbered from 0.
    """

    game: str
    size: str
    title: str = Field(description="the title of the game with its size")
    width: int = Field(description="in board units")
    height: int = Field(description="in board units")
    points: list[Annotated[list[float], Field(min_length=2, max_length=2)]] = Field(
        description="x and y in board units; y points downwards"
    )
    segments: list[GeometrySegment]
    cells: list[GeometryCell]
    regions: list[GeometryRegion]
    pieces: Literal["fill", "sign", "disc", "object"] = Field(
        description="how a cell shows its owner. fill: empty until it is won, then filled; sign: a "
        "square with a sign; disc: a hole with a disc; object: a piece from the start, whose owner "
        "is the seat that took it away"
    )
    dots: bool = Field(description="whether to draw the points themselves")
    names: list[str] = Field(description="the name of each action")
    seat_names: Pair
    unit: str
    max_score: int | None = Field(
        description="the sum of both scores at the end; null: games are only won, lost or drawn"
    )
    max_moves: int = Field(description="the greatest number of moves, the opening included")


class GamePosition(HttpAnswer):
    """A position. `cells`, `legal` and `winning` are those of a `BoardState` of the protocol."""

    cells: str = Field(
        description="a character for each cell: the seat that owns it, or `.` for nobody"
    )
    legal: str = Field(description="a character for each action: `1` if it is legal, else `0`")
    winning: list[int] = Field(description="the cells that decided the game")
    scores: Numbers
    to_move: int | None = Field(description="the seat to move; null: the game is over")


class Positions(HttpAnswer):
    """The position after the opening, and the position after each move."""

    positions: list[GamePosition]


class PositionFeature(HttpAnswer):
    """Something about a position that a client may point out, such as a chain."""

    kind: str = Field(description="the key of the kind of feature, such as chain")
    label: str = Field(description="a description for people")
    cells: list[int]
    actions: list[int]
    declinable: int = Field(
        0, description="how many of the last cells whoever takes them may decline"
    )


class Features(HttpAnswer):
    """The features of a position, and what they mean."""

    features: list[PositionFeature]
    sentences: list[ReviewPhrase] = Field(
        description="the long chains, who wants how many, and what an endgame of chains is worth"
    )


class ActionShare(HttpAnswer):
    """An action and how much of a network's policy it has, from 0 to 1."""

    action: int
    share: float


class PositionPolicy(HttpAnswer):
    """The policy of a network in a position, without a search."""

    shares: list[ActionShare] = Field(
        description="the largest share first; actions of one move have the share of that move, and "
        "actions that cannot matter are missing"
    )


class ValueOfAction(HttpAnswer):
    """An action and its value."""

    action: int
    net: float
    spread: float


class ValueEstimate(HttpAnswer):
    """The final net score of seat 0 if both play best from here on."""

    net: float = Field(description="points of seat 0 minus those of seat 1; 1, 0 or -1 without")
    spread: float = Field(description="the standard error; 0 for an exact value")


class PositionValues(HttpAnswer):
    """The values of all legal actions in a position."""

    version: int = Field(description="goes up when the meaning of an answer changes")
    value: ValueEstimate = Field(description="the value of the best action")
    actions: list[ValueOfAction] = Field(description="the best one for the mover first")
    line: list[int] = Field(description="a best line, which begins with the first action")
