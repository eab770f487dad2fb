"""The answers about lessons, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from doublecross.protocol.review_messages import ReviewPhrase
from doublecross.server.shell.web.answers import HttpAnswer


class LessonEntry(HttpAnswer):
    """A lesson in the list of the course."""

    name: str
    title: str
    goal: str
    exercises: list[str] = Field(description="the ids of its exercises, in order")


class Lessons(HttpAnswer):
    """The course."""

    lessons: list[LessonEntry]
    terms: dict[str, str] = Field(
        description="explanations by term. Texts mark terms as `[chain]`, or as `[chain|chains]` "
        "to show other words"
    )


class LessonWrong(HttpAnswer):
    """A sentence for some wrong answers."""

    say: str
    move: str = Field(description="the kind of moves that is meant, or empty; see /api/kinds")
    actions: list[int] = Field(description="the edges that are meant in the first position")
    number: int | None = Field(description="the number that is meant, where the learner counts")


class LessonStep(HttpAnswer):
    """A move that a learner watches."""

    action: int
    say: str
    cost: int = Field(description="how many boxes the move costs")


class LessonExercise(HttpAnswer):
    """An exercise. Fields that its kind does not use are empty, 0 or 1."""

    id: str
    kind: Literal["best", "play", "find", "count", "watch"]
    task: str
    game: str
    size: str
    moves: list[int] = Field(description="the moves that lead to the position")
    seat: int = Field(description="the learner's seat, which moves first")
    hints: list[str]
    solved: str
    wrong: list[LessonWrong]
    best: list[int] = Field(description="all moves that keep the value, in the first position")
    length: int = Field(description="how many moves of the learner solve a `best` exercise")
    value: int = Field(description="the learner's final net score with best play")
    least: int = Field(description="the final net score that solves a `play` exercise")
    targets: list[int] = Field(description="the edges to click in a `find` exercise")
    why_not: str = Field(description="why another edge is none of the `targets`")
    answer: int
    steps: list[LessonStep]


class LessonAnswer(HttpAnswer):
    """A lesson with its exercises. Texts mark terms as in `Lessons`."""

    name: str
    title: str
    goal: str
    text: list[str]
    exercises: list[LessonExercise]


class MoveKind(HttpAnswer):
    """A free edge: its kinds, and what it gives away."""

    action: int
    gives: int = Field(description="how many boxes the opponent can take in one turn then")
    kinds: list[str] = Field(description="such as takes, safe or opens-long")


class MoveKinds(HttpAnswer):
    """The free edges of a position, in ascending order."""

    moves: list[MoveKind]


class MoveSentences(HttpAnswer):
    """Sentences about a move, the most important first."""

    sentences: list[ReviewPhrase]
