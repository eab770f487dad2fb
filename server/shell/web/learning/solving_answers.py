"""The questions and answers about progress, attempts at puzzles and storms."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from doublecross.protocol.common import MAX_INT
from doublecross.server.core.people.progress import MOST_DAYS, MOST_SETTINGS
from doublecross.server.core.people.solver import Solver
from doublecross.server.shell.web.answers import HttpAnswer
from doublecross.server.shell.web.boards.answers import GamePosition
from doublecross.server.shell.web.learning.puzzle_answers import PuzzleEntry
from doublecross.server.shell.web.managing.account_answers import Question

ProgressKey = Annotated[str, Field(max_length=80)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
TimeMs = Annotated[int, Field(ge=0, le=MAX_INT)]
SettingName = Annotated[str, Field(pattern=r"^[A-Za-z]{1,30}$")]
SettingValue = bool | Annotated[str, Field(max_length=20)]
_Ids = Annotated[list[ProgressKey], Field(max_length=1000)]


class SolvedDocument(BaseModel):
    """What a person has solved: exercises, such as `chains/count`, or puzzles by their ids."""

    model_config = ConfigDict(extra="forbid")

    solved: _Ids = []
    clean: _Ids = Field(default=[], description="puzzles that were solved at the first try")
    days: Annotated[list[Day], Field(max_length=MOST_DAYS)] = Field(
        default=[], description="the days whose daily puzzle is solved, such as 2026-11-23"
    )


class ProgressQuestion(Question):
    """The documents of a browser; without one, the server only answers with its own."""

    version: Literal[1]
    owner: Annotated[str, Field(max_length=40)] | None = Field(
        default=None, description="the account id of the player whose documents these are"
    )
    lessons: SolvedDocument | None = None
    puzzles: SolvedDocument | None = None
    settings: (
        Annotated[dict[SettingName, tuple[SettingValue, TimeMs]], Field(max_length=MOST_SETTINGS)]
        | None
    ) = Field(default=None, description="each value with the time of its last change")
    solver: Solver | None = None


class ProgressAnswer(HttpAnswer):
    """The documents of an account after the merge."""

    version: Literal[1] = 1
    account_id: str
    merged: bool = Field(description="false: the documents belong to another person's account")
    lessons: SolvedDocument
    puzzles: SolvedDocument
    settings: dict[str, tuple[bool | str, int]]
    solver: Solver
    levels: dict[str, str] = Field(
        description="results by game, size and level: wins, draws, losses and the last games"
    )


class _SolvingQuestion(Question):
    solver: Solver = Field(default=Solver(), description="only a visitor without a name sends this")


class NextQuestion(_SolvingQuestion):
    """The kind of puzzle that somebody wants; null: any."""

    kind: Annotated[str, Field(max_length=40)] | None = None
    but: ProgressKey | None = Field(default=None, description="a puzzle that must not come")


class NextAnswer(HttpAnswer):
    """The next puzzle."""

    puzzle: str
    solver: Solver


class AttemptQuestion(_SolvingQuestion):
    """An attempt at a puzzle."""

    puzzle: ProgressKey
    moves: Annotated[list[int], Field(max_length=300)] | None = Field(
        description="all moves after the puzzle's position, up to a wrong one or to the end; "
        "null: somebody has asked for a hint"
    )


class AttemptAnswer(HttpAnswer):
    """The result of an attempt."""

    solved: bool
    change: float | None = Field(description="of the solver's rating; null: it was not rated")
    puzzle_rating: float
    solver: Solver


class StormPuzzle(PuzzleEntry):
    """A puzzle of a storm, without its solution."""

    game: str
    question: str
    moves: list[int]
    seat: int
    positions: list[GamePosition] = Field(description="from the empty board to the puzzle")


class StormQuestion(_SolvingQuestion):
    """A storm that begins (without `storm`), a move in it, or (without `move`) its end."""

    storm: Annotated[str, Field(max_length=40)] | None = None
    puzzle: ProgressKey | None = Field(default=None, description="the present puzzle")
    move: int | None = None


class StormAnswer(HttpAnswer):
    """A storm."""

    storm: str
    left_ms: int
    score: int
    combo: int = Field(description="right moves in a row")
    right: bool | None = Field(description="whether the move was; null without one")
    puzzle: StormPuzzle | None = Field(description="null: the time is over; end the storm")
    solver: Solver | None = Field(description="after the end")
