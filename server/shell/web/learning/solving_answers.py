"""The questions and answers about progress, attempts at puzzles and storms."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from doublecross.protocol.common import MAX_INT
from doublecross.server.core.progress import MOST_DAYS, MOST_SETTINGS
from doublecross.server.shell.web.answers import HttpAnswer
from doublecross.server.shell.web.boards.answers import GamePosition
from doublecross.server.shell.web.learning.puzzle_answers import PuzzleEntry
from doublecross.server.shell.web.managing.account_answers import Question
from doublecross.stats.glicko2 import MAX_DEVIATION, MAX_VOLATILITY, RATING, VOLATILITY

ProgressKey = Annotated[str, Field(max_length=80)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
TimeMs = Annotated[int, Field(ge=0, le=MAX_INT)]
Count = Annotated[int, Field(ge=0, le=100_000)]
SettingName = Annotated[str, Field(pattern=r"^[A-Za-z]{1,30}$")]
SettingValue = bool | Annotated[str, Field(max_length=20)]
_Ids = Annotated[list[ProgressKey], Field(max_length=1000)]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LessonsDocument(_Document):
    """The exercises that a person has solved, such as `chains/count`."""

    solved: _Ids = []


class PuzzlesDocument(_Document):
    """The ids of puzzles that a person has solved."""

    solved: _Ids = []
    clean: _Ids = Field(default=[], description="those solved at the first try")
    days: Annotated[list[Day], Field(max_length=MOST_DAYS)] = Field(
        default=[], description="the days whose daily puzzle is solved, such as 2026-11-23"
    )


class SolverDocument(_Document):
    """The rating and the results of a person who solves puzzles."""

    rating: float = Field(default=RATING, ge=0, le=4000, description="Glicko-2")
    deviation: float = Field(default=MAX_DEVIATION, ge=1, le=MAX_DEVIATION)
    volatility: float = Field(default=VOLATILITY, ge=0.001, le=MAX_VOLATILITY)
    at_ms: TimeMs = Field(default=0, description="the time of the last rated attempt")
    streak: Count = Field(default=0, description="puzzles solved in a row")
    best_streak: Count = 0
    tries: Annotated[dict[ProgressKey, tuple[bool, TimeMs]], Field(max_length=1000)] = Field(
        default={}, description="whether the first attempt succeeded, and the time of the last one"
    )
    storm_best: Count = 0
    storm_days: Annotated[dict[ProgressKey, Count], Field(max_length=20)] = Field(
        default={}, description="the best storm of each of the last seven days"
    )


class ProgressQuestion(Question):
    """The documents of a browser; without one, the server only answers with its own."""

    version: Literal[1]
    owner: Annotated[str, Field(max_length=40)] | None = Field(
        default=None, description="the account id of the player whose documents these are"
    )
    lessons: LessonsDocument | None = None
    puzzles: PuzzlesDocument | None = None
    settings: (
        Annotated[dict[SettingName, tuple[SettingValue, TimeMs]], Field(max_length=MOST_SETTINGS)]
        | None
    ) = Field(default=None, description="each value with the time of its last change")
    solver: SolverDocument | None = None


class ProgressAnswer(HttpAnswer):
    """The documents of an account after the merge."""

    version: Literal[1] = 1
    account_id: str
    merged: bool = Field(description="false: the documents belong to another person's account")
    lessons: LessonsDocument
    puzzles: PuzzlesDocument
    settings: dict[str, tuple[bool | str, int]]
    solver: SolverDocument
    levels: dict[str, str] = Field(
        description="results by game, size and level: wins, draws, losses and the last games"
    )


class _SolvingQuestion(Question):
    solver: SolverDocument = Field(
        default=SolverDocument(), description="only a visitor without a name sends this"
    )


class NextQuestion(_SolvingQuestion):
    """The kind of puzzle that somebody wants; null: any."""

    kind: Annotated[str, Field(max_length=40)] | None = None
    but: ProgressKey | None = Field(default=None, description="a puzzle that must not come")


class NextAnswer(HttpAnswer):
    """The next puzzle."""

    puzzle: str
    solver: SolverDocument


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
    solver: SolverDocument


class StormPuzzle(PuzzleEntry):
    """A puzzle of a storm, without its solution."""

    game: str
    question: str
    moves: list[int]
    seat: int
    positions: list[GamePosition] = Field(description="from the empty board to the puzzle")


class StormQuestion(Question):
    """A storm that begins."""


class StormMoveQuestion(Question):
    """The move that answers the present puzzle of a storm."""

    storm: Annotated[str, Field(max_length=40)]
    puzzle: ProgressKey
    move: int


class StormEndQuestion(_SolvingQuestion):
    """The storm to end."""

    storm: Annotated[str, Field(max_length=40)]


class StormAnswer(HttpAnswer):
    """A storm."""

    storm: str
    left_ms: int
    score: int
    combo: int = Field(description="right moves in a row")
    right: bool | None = Field(description="whether the move was; null at the beginning")
    puzzle: StormPuzzle | None = Field(description="null: the storm is over; end it")


class StormEndAnswer(HttpAnswer):
    """The end of a storm."""

    solver: SolverDocument
