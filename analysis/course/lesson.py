"""Define the parts of a course: `Lesson`, `Exercise`, and the parts of an exercise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

Kind = Literal["best", "play", "find", "count", "watch"]


@dataclass(frozen=True, slots=True)
class Position:
    """The position after `moves`, from the empty board of `game`."""

    game: DotsAndBoxes
    moves: tuple[int, ...]

    def state(self, later: tuple[int, ...] = ()) -> DotsAndBoxesState:
        """Return the position after `later` moves more."""
        state = self.game.replay((), (*self.moves, *later))
        assert isinstance(state, DotsAndBoxesState)
        return state


@dataclass(frozen=True, slots=True)
class Wrong:
    """The sentence for some wrong answers: these `edges`, a kind of moves, or a number."""

    say: str
    edges: tuple[int, ...] = ()
    move: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A move that a learner watches, what is said about it, and how many boxes it costs."""

    action: int
    say: str
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise of a lesson; the learner has the seat that moves in its position.

    `best`: play `length` moves that keep the value; `best` has the moves that do at first, and
    `value` is the learner's final net score then. `play`: play to the end, with a final net score
    of `least` or more. `find`: click all edges of the kind `what`. `count`: enter `answer`, the
    number of `what`. `watch`: see the `steps`.

    `hints` come one after the other, `solved` is said in the end, and `wrong` has sentences for
    wrong answers, the first that fits first.
    """

    id: str
    kind: Kind
    task: str
    position: Position
    hints: tuple[str, ...] = ()
    solved: str = ""
    wrong: tuple[Wrong, ...] = ()
    best: tuple[int, ...] = ()
    length: int = 1
    value: int = 0
    least: int = 0
    what: str = ""
    answer: int = 0
    steps: tuple[Step, ...] = ()

    @property
    def seat(self) -> int:
        """The seat of the learner."""
        return self.position.state().current_player()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: what it is about, the learner's goal, its text, and its exercises."""

    name: str
    title: str
    goal: str
    text: tuple[str, ...]
    exercises: tuple[Exercise, ...] = field(default=())

    def key(self, exercise: Exercise) -> str:
        """Return the name of an exercise in the whole course, such as ``chains/count``."""
        return f"{self.name}/{exercise.id}"
