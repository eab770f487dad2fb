"""The answers about puzzles, as the OpenAPI document describes them."""

from __future__ import annotations

from pydantic import Field

from doublecross.server.shell.web.answers import HttpAnswer


class PuzzleKind(HttpAnswer):
    """A kind of puzzle."""

    kind: str
    title: str
    question: str = Field(description="what the player is asked")


class PuzzleEntry(HttpAnswer):
    """A puzzle in the list."""

    id: str
    kind: str
    size: str
    difficulty: int = Field(description="from 1 to 5")
    turns: int = Field(description="how many turns the player has to find")


class Puzzles(HttpAnswer):
    """All puzzles, the easy ones first, and their kinds."""

    kinds: list[PuzzleKind]
    puzzles: list[PuzzleEntry]


class PuzzleCost(HttpAnswer):
    """How many boxes a move loses."""

    action: int
    cost: int = Field(description="0: the move keeps the value")


class PuzzleAnswer(PuzzleEntry):
    """A puzzle with its position and the cost of every first move."""

    title: str = Field(description="the title of its kind")
    question: str
    game: str
    moves: list[int] = Field(description="the moves that lead to the position")
    seat: int = Field(description="the seat of the player, which moves first")
    net: int = Field(description="the final net score of the player with best play")
    costs: list[PuzzleCost] = Field(description="one for each legal move, in ascending order")
    day: str | None = Field(
        None, description="the date in UTC, such as 2026-11-23, if it is the puzzle of this day"
    )
