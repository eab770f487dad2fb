"""The session of a learner with one exercise: a state machine without I/O.

Theory of operation
-------------------
In the exercises `best` and `play` the session needs the values of positions. It asks for them:
`wanted` has the moves after which it needs the values, and `give` hands them in. Meanwhile a
learner may have played already; the move is judged as soon as the values are there. So a window
can ask a process, a page a server, and a test a function (`settle`).

A wrong move stays on the board with its sentences until `retry` takes it back. The opponent's
replies keep the value, so that only right moves of the learner solve an exercise.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from doublecross.analysis.course.judging import feedback_on, judged, own_sentence, reply
from doublecross.analysis.course.lesson import Exercise, Step
from doublecross.analysis.course.moves import edges_of, why_not
from doublecross.analysis.sentences.templates import phrase
from doublecross.analysis.values import PositionValues
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

Judge = Callable[[DotsAndBoxesState], PositionValues]


class Status(StrEnum):
    """The state of a session: the learner moves, somebody else does, or it is over for now."""

    YOURS = "yours"
    WAITING = "waiting"
    WRONG = "wrong"
    SOLVED = "solved"


class ExerciseSession:
    """A learner's session with `exercise`.

    `moves` are those that were played after the exercise's position. `feedback` has the sentences
    about the last thing that happened. `found` has the edges that a learner of `find` has clicked
    rightly. `mistakes` and `hints_used` count.
    """

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.seat = exercise.seat
        self.moves: tuple[int, ...] = ()
        self.status = Status.YOURS
        self.feedback: tuple[str, ...] = ()
        self.found: frozenset[int] = frozenset()
        self.mistakes = self.hints_used = 0
        self._known: dict[tuple[int, ...], PositionValues] = {}
        self._pending: int | None = None
        self._right = 0
        self._said_why = False
        self._targets = frozenset(
            edges_of(exercise.what, self.state()) if exercise.kind == "find" else ()
        )

    def state(self) -> DotsAndBoxesState:
        """Return the position now."""
        return self.exercise.position.state(self.moves)

    # -- the judge ---------------------------------------------------------------------------

    @property
    def wanted(self) -> tuple[int, ...] | None:
        """The moves, from the exercise's position on, after which values are needed; or None."""
        if self.exercise.kind not in ("best", "play") or self.status is Status.SOLVED:
            return None
        if self.moves in self._known or self.state().is_terminal():
            return None
        return self.moves

    def give(self, moves: tuple[int, ...], values: PositionValues) -> None:
        """Take the values of the position after `moves`, and go on if the session waited."""
        self._known[moves] = values
        self._advance()

    # -- the learner -------------------------------------------------------------------------

    def play(self, action: int) -> bool:
        """Play or click an edge; return whether that was possible now."""
        if self.status is not Status.YOURS or not self.state().is_legal(action):
            return False
        if self.exercise.kind == "find":
            return self._mark(action)
        if self.exercise.kind not in ("best", "play"):
            return False
        self._pending, self.status, self.feedback = action, Status.WAITING, ()
        self._advance()
        return True

    def enter(self, number: int) -> bool:
        """Enter the answer of a `count` exercise; return whether that was possible now."""
        exercise = self.exercise
        if exercise.kind != "count" or self.status is Status.SOLVED:
            return False
        if number == exercise.answer:
            self._solve((exercise.solved,))
            return True
        self.mistakes += 1
        own = next((wrong.say for wrong in exercise.wrong if wrong.number == number), "")
        size = "too-many" if number > exercise.answer else "too-few"
        self.feedback = (own or phrase(size, number=number),)
        return True

    def step(self, by: int) -> bool:
        """Watch the next step (`by` is 1), or go back by one; return whether there is one."""
        steps, at = self.exercise.steps, len(self.moves) + by
        if self.exercise.kind != "watch" or not 0 <= at <= len(steps):
            return False
        self.moves = tuple(each.action for each in steps[:at])
        said = self._said(steps[at - 1]) if at else ()
        self.feedback = said
        if at == len(steps):
            self._solve((*said, *([self.exercise.solved] if self.exercise.solved else ())))
        return True

    def retry(self) -> bool:
        """Take the wrong move back; return whether there is one."""
        if self.status is not Status.WRONG:
            return False
        self.moves = self.moves[:-1]
        self.status, self.feedback = Status.YOURS, ()
        return True

    def restart(self) -> None:
        """Begin the exercise again. What is known about positions stays."""
        self.moves, self.found, self.feedback = (), frozenset(), ()
        self.status, self._pending, self._right = Status.YOURS, None, 0

    def hint(self) -> str:
        """Return the next hint; after the last one again the last one."""
        hints = self.exercise.hints
        if not hints:
            return ""
        self.hints_used += 1
        return hints[min(self.hints_used, len(hints)) - 1]

    @property
    def marked(self) -> tuple[int, ...]:
        """The edges to mark on the board: the answer, once the hints are used up."""
        if self.hints_used <= len(self.exercise.hints) or self.status is not Status.YOURS:
            return ()
        if self.exercise.kind == "find":
            return tuple(sorted(self._targets - self.found))[:1]
        values = self._known.get(self.moves)
        return () if values is None else values.best

    @property
    def answer(self) -> tuple[int, ...]:
        """The principal variation after a wrong move; empty if it is unknown."""
        values = self._known.get(self.moves)
        return values.pv if self.status is Status.WRONG and values is not None else ()

    @property
    def progress(self) -> tuple[int, int]:
        """Return how much is done, and how much there is: moves, edges or steps."""
        kind = self.exercise.kind
        if kind == "best":
            return self._right, self.exercise.length
        if kind == "find":
            return len(self.found), len(self._targets)
        if kind == "watch":
            return len(self.moves), len(self.exercise.steps)
        return int(self.status is Status.SOLVED), 1

    # -- inside ------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Judge the learner's move and play the opponent's, as far as the values are known."""
        while self.status is Status.WAITING:
            state = self.state()
            if state.is_terminal():
                self._solve((self.exercise.solved,))
                return
            values = self._known.get(self.moves)
            if values is None:
                return
            if self._pending is not None:
                self._judge(state, values, self._pending)
            elif state.current_player() == self.seat:
                self.status = Status.YOURS
            else:
                self.moves = (*self.moves, reply(state, values))
        if self.status is Status.WRONG and not self._said_why:
            self._explain()

    def _judge(self, state: DotsAndBoxesState, values: PositionValues, action: int) -> None:
        """Judge the learner's move `action` in `state`."""
        exercise, before = self.exercise, self.moves
        self._pending = None
        found = judged(state, values, action)
        self.moves = (*before, action)
        lost = found.cost.net > 0
        if lost and (exercise.kind == "best" or found.value.of(self.seat) < exercise.least):
            self.mistakes += 1
            self.status, self._said_why = Status.WRONG, False
            self.feedback = feedback_on(exercise, state, values, action, ())
            return
        if lost:
            self.mistakes += 1
            self.feedback = feedback_on(exercise, state, values, action, ())
        self._right += 1
        if exercise.kind == "best" and self._right == exercise.length:
            self._solve((exercise.solved,))

    def _explain(self) -> None:
        """Say why the last move was wrong, now that the best answer to it is known."""
        after = self._known.get(self.moves)
        if after is None:
            return
        self._said_why = True
        before, action = self.moves[:-1], self.moves[-1]
        state = self.exercise.position.state(before)
        self.feedback = feedback_on(self.exercise, state, self._known[before], action, after.pv)

    def _mark(self, action: int) -> bool:
        if action in self.found:
            return False
        name = self.exercise.position.game.action_name(action)
        if action not in self._targets:
            self.mistakes += 1
            own = own_sentence(self.exercise, self.state(), action)
            why = Sentence(why_not(self.exercise.what))
            self.feedback = (own or phrase("not-one-of-them", move=name, why=why),)
            return True
        self.found |= {action}
        left = len(self._targets - self.found)
        self.feedback = (phrase("is-one-of-them", move=name, left=left),)
        if not left:
            self._solve((self.exercise.solved,))
        return True

    def _solve(self, said: tuple[str, ...]) -> None:
        self.status = Status.SOLVED
        self.feedback = tuple(sentence for sentence in said if sentence)

    def _said(self, step: Step) -> tuple[str, ...]:
        name = self.exercise.position.game.action_name(step.action)
        return (step.say or f"{name}.",)


def settle(session: ExerciseSession, judge: Judge) -> None:
    """Give a session all values that it asks for, from a judge that answers at once."""
    while (moves := session.wanted) is not None:
        session.give(moves, judge(session.state()))
