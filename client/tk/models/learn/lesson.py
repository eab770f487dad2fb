"""The model of the lesson screen: one lesson, its exercises, and the learner's session.

Theory of operation
-------------------
The session asks for the values of positions (see `analysis.course.session`). The screen passes each
request on to a helper process, and its answer back. At most one request is under way. An answer
for an exercise that was left meanwhile is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from analysis.course.lesson import Exercise, Lesson
from analysis.course.progress import Progress
from analysis.course.session import ExerciseSession, Status
from analysis.values import PositionValues
from client.tk.models.board.model import BoardChanges, BoardModel
from games.api import Game

Tone = Literal["plain", "good", "wrong", "hint"]

_WAITING: Final = "Thinking about your move ..."
_NUMBER: Final = "Enter a whole number, such as 3."


@dataclass(frozen=True, slots=True)
class ValuesRequest:
    """The position for which to request values (see `Helpers.values`)."""

    game: Game
    moves: tuple[int, ...]
    session: ExerciseSession
    later: tuple[int, ...]


class LessonModel:
    """The exercises of `lesson`, from the first that is not solved in `progress`.

    `on_solved` is called with the progress after an exercise was solved. `board` shows the
    position of the current exercise.
    """

    def __init__(
        self, lesson: Lesson, progress: Progress, on_solved: Callable[[Progress], None]
    ) -> None:
        self.lesson = lesson
        self.progress = progress
        self._on_solved = on_solved
        self.index = 0
        self.session: ExerciseSession
        self.board: BoardModel
        self._request: ValuesRequest | None = None
        self._problem = self._hint = ""
        self.open(progress.first_open(lesson))

    # -- exercises ---------------------------------------------------------------------------

    @property
    def exercise(self) -> Exercise:
        """The current exercise."""
        return self.lesson.exercises[self.index]

    def open(self, index: int) -> None:
        """Begin the exercise with this index."""
        self.index = index
        self.session = ExerciseSession(self.exercise)
        self.board = BoardModel(self.exercise.position.game)
        self._request, self._problem, self._hint = None, "", ""
        self.changes()

    @property
    def is_last(self) -> bool:
        """Whether this is the last exercise of the lesson."""
        return self.index == len(self.lesson.exercises) - 1

    def changes(self) -> BoardChanges:
        """Bring the board up to date; return what changed."""
        return self.board.show((), (*self.exercise.position.moves, *self.session.moves))

    # -- the helper --------------------------------------------------------------------------

    def request(self) -> ValuesRequest | None:
        """Return a new request for values if one is needed; it counts as under way then."""
        later = self.session.wanted
        if later is None or self._request is not None or self._problem:
            return None
        position = self.exercise.position
        self._request = ValuesRequest(position.game, (*position.moves, *later), self.session, later)
        return self._request

    def take(self, request: ValuesRequest, values: PositionValues) -> bool:
        """Take the answer to a request; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._request = None
        request.session.give(request.later, values)
        self._note()
        return True

    def fail(self, request: ValuesRequest, sentence: str) -> bool:
        """Note why there are no values; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._request, self._problem = None, sentence
        return True

    # -- the learner -------------------------------------------------------------------------

    def play(self, action: int) -> bool:
        """Play or click an edge; return whether anything happened."""
        return self._done(self.session.play(action))

    def enter(self, text: str) -> bool:
        """Enter a number; return whether it was right or wrong, and not a text without meaning."""
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            self._problem = _NUMBER
            return False
        self._problem = ""
        return self._done(self.session.enter(int(word)))

    def step(self, by: int) -> bool:
        """Watch the next step, or go back by one; return whether there is one."""
        return self._done(self.session.step(by))

    def retry(self) -> bool:
        """Take a wrong move back, or ask again after a problem; return whether there was one."""
        if self._problem:
            self._problem = ""
            return True
        return self._done(self.session.retry())

    def hint(self) -> None:
        """Show the next hint."""
        self._hint = self.session.hint()
        if self.session.marked:
            self._hint = (
                "The marked edge is right."
                if len(self.session.marked) == 1
                else ("Each of the marked edges is right.")
            )

    # -- what is shown -----------------------------------------------------------------------

    @property
    def heading(self) -> str:
        """The number of the exercise: ``Exercise 2 of 4``."""
        done = " · solved" if self.progress.has(self.lesson, self.exercise) else ""
        return f"Exercise {self.index + 1} of {len(self.lesson.exercises)}{done}"

    @property
    def you(self) -> str:
        """Who the learner is, such as ``You are A``; empty where nobody plays."""
        if self.exercise.kind not in ("best", "play"):
            return ""
        seat, scores = self.session.seat, self.session.state().scores()
        name = self.exercise.position.game.seat_names[seat]
        return f"You are {name} · {scores[seat]}-{scores[1 - seat]}"

    @property
    def message(self) -> tuple[str, Tone]:
        """The sentence below the task, and its tone."""
        session = self.session
        if self._problem:
            return self._problem, "wrong"
        if session.status is Status.SOLVED:
            return " ".join(session.feedback) or "Solved.", "good"
        if self._hint:
            return self._hint, "hint"
        if session.status is Status.WRONG:
            return " ".join(session.feedback), "wrong"
        if session.status is Status.WAITING and not session.feedback:
            return _WAITING, "plain"
        right = self.exercise.kind in ("watch", "find") and not session.mistakes
        return " ".join(session.feedback), "plain" if right else "wrong"

    @property
    def done_line(self) -> str:
        """How far the exercise is: ``1 of 3 moves``; empty where it has one step."""
        done, whole = self.session.progress
        unit = {"best": "moves", "find": "edges", "watch": "moves"}.get(self.exercise.kind)
        return f"{done} of {whole} {unit}" if unit and whole > 1 else ""

    @property
    def can_play(self) -> bool:
        """Whether a click on the board means something now."""
        playing = self.exercise.kind in ("best", "play", "find")
        return playing and self.session.status is Status.YOURS

    @property
    def can_retry(self) -> bool:
        """Whether there is a wrong move to take back, or a request to repeat."""
        return self.session.status is Status.WRONG or (
            bool(self._problem) and self.exercise.kind != "count"
        )

    @property
    def can_hint(self) -> bool:
        """Whether there is a hint to ask for."""
        return bool(self.exercise.hints) and self.session.status is Status.YOURS

    @property
    def may_outline(self) -> bool:
        """Whether outlines of chains and loops do not give the answer away."""
        return self.solved or self.exercise.kind not in ("count", "find")

    @property
    def solved(self) -> bool:
        """Whether the exercise has been solved now."""
        return self.session.status is Status.SOLVED

    def _done(self, happened: bool) -> bool:
        if happened:
            self._hint = ""
            self._note()
        return happened

    def _note(self) -> None:
        if self.solved and not self.progress.has(self.lesson, self.exercise):
            self.progress = self.progress.with_solved(self.lesson.key(self.exercise))
            self._on_solved(self.progress)
