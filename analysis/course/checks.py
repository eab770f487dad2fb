"""Check that lessons are true: a judge plays every exercise and compares it with the file.

Theory of operation
-------------------
The checks meet every position in which a learner moves, as long as both play best: each right move
of the learner, and the one reply that the session chooses. In these positions each wrong move has
its sentence. A sentence of the file is true if a learner can read it, and only after a move that
costs something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from doublecross.analysis.course.judging import Judge, judged, reply
from doublecross.analysis.course.lesson import Exercise, Lesson, Wrong
from doublecross.analysis.course.moves import BOXES, count, edges_of
from doublecross.analysis.values import PositionValues
from doublecross.games.dots_and_boxes.openings import canonical
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

MOST_POSITIONS: Final = 400
"""The most positions of one exercise that are checked."""


def faults(lesson: Lesson, judge: Judge) -> list[str]:
    """Return what is wrong with a lesson, one sentence for each fault; empty if all is true."""
    return [
        f"{lesson.key(exercise)}: {sentence}"
        for exercise in lesson.exercises
        for sentence in _exercise(exercise, judge)
    ]


def alike(lessons: Iterable[Lesson]) -> list[str]:
    """Return a sentence for each two exercises with the same position up to symmetry."""
    seen: dict[tuple[str, tuple[int, ...]], str] = {}
    found = []
    for lesson in lessons:
        for exercise in lesson.exercises:
            position = exercise.position
            edges = position.game.board.members(position.state().edges)
            key = position.game.size, canonical(position.game.board, tuple(edges))
            name = lesson.key(exercise)
            if key in seen:
                found.append(
                    f"{name} has the same position as {seen[key]}, perhaps mirrored; use another."
                )
            seen.setdefault(key, name)
    return found


def _exercise(exercise: Exercise, judge: Judge) -> Iterator[str]:
    if exercise.kind in ("best", "play"):
        yield from _played(exercise, judge)
    elif exercise.kind == "find":
        yield from _find(exercise)
    elif exercise.kind == "count":
        yield from _count(exercise, judge)
    else:
        yield from _watch(exercise, judge)


# -- best and play ---------------------------------------------------------------------------


@dataclass(slots=True)
class _Tour:
    """The positions in which a learner can have to move in an exercise, with their values."""

    met: list[tuple[DotsAndBoxesState, PositionValues]] = field(default_factory=list)
    complete: bool = True


def _played(exercise: Exercise, judge: Judge) -> Iterator[str]:
    state = exercise.position.state()
    values = judge(state)
    seat, name = exercise.seat, exercise.position.game.action_name
    best = values.best
    value = values.value.of(seat)
    if value != exercise.value:
        yield f"with best play the learner ends at {value:+.0f}, not at {exercise.value:+d}."
    if exercise.kind == "best" and set(best) != set(exercise.best):
        yield (
            f"the best moves are {_names(exercise, best)}, not {_names(exercise, exercise.best)}."
        )
    if exercise.kind == "play" and exercise.least > value:
        yield f"nobody can reach {exercise.least:+d}; the best is {value:+.0f}."
    tour = _tour(exercise, judge)
    wrong = [
        (state, edge)
        for state, values in tour.met
        for edge in state.legal_actions()
        if judged(state, values, edge).cost.net > 0
    ]
    if not wrong:
        yield "no move is wrong, so there is nothing to learn; change the position."
    right = {(id(state), edge) for state, values in tour.met for edge in values.best}
    for each in exercise.wrong:
        if each.number is not None:
            yield "a number is a wrong answer only where the learner counts; write edges or move."
            continue
        if not any(_says(exercise, state, edge) is each for state, edge in wrong):
            yield f'nobody ever reads "{each.say}": no wrong move is meant by it.'
        for edge in each.edges:
            met = [state for state, _ in tour.met if state.is_legal(edge)]
            if met and all((id(state), edge) in right for state in met):
                yield f"{name(edge)} is called wrong, but it is always right."
    if not tour.complete:
        yield "there are too many ways to solve it; choose a later position, or fewer moves."


def _tour(exercise: Exercise, judge: Judge) -> _Tour:
    """Return all positions in which the learner moves, if both play best."""
    tour = _Tour()
    todo: list[tuple[tuple[int, ...], int]] = [((), 0)]
    seen: set[tuple[int, ...]] = set()
    while todo:
        moves, right = todo.pop()
        state = exercise.position.state(moves)
        while not state.is_terminal() and state.current_player() != exercise.seat:
            state.apply(reply(state, judge(state)))
        done = exercise.kind == "best" and right == exercise.length
        if state.is_terminal() or done or state.key() in seen:
            continue
        seen.add(state.key())
        if len(tour.met) == MOST_POSITIONS:
            tour.complete = False
            return tour
        values = judge(state)
        tour.met.append((state, values))
        later = state.history()[len(exercise.position.moves) :]
        todo += [((*later, edge), right + 1) for edge in values.best]
    return tour


def _says(exercise: Exercise, state: DotsAndBoxesState, action: int) -> Wrong | None:
    """Return the first of the lesson's wrong answers that fits an edge."""
    return next(
        (
            each
            for each in exercise.wrong
            if action in each.edges or (each.move and action in edges_of(each.move, state))
        ),
        None,
    )


# -- find, count and watch -------------------------------------------------------------------


def _find(exercise: Exercise) -> Iterator[str]:
    state = exercise.position.state()
    targets = edges_of(exercise.what, state)
    others = [edge for edge in state.legal_actions() if edge not in targets]
    if not targets:
        yield f"no edge is of the kind {exercise.what}; change the position."
    if not others:
        yield f"every edge is of the kind {exercise.what}, so no click is wrong."
    for each in exercise.wrong:
        if each.number is not None:
            yield "a number is a wrong answer only where the learner counts; write edges or move."
        elif not any(_says(exercise, state, edge) is each for edge in others):
            yield f'nobody ever reads "{each.say}": no wrong edge is meant by it.'


def _count(exercise: Exercise, judge: Judge) -> Iterator[str]:
    state = exercise.position.state()
    if exercise.what == BOXES:
        net = judge(state).value.of(exercise.seat)
        true = int(state.board.num_boxes + net) // 2
    else:
        true = count(exercise.what, state)
    if true != exercise.answer:
        yield f"the number of {exercise.what} is {true}, not {exercise.answer}."
    for each in exercise.wrong:
        if each.number is None:
            yield "here a wrong answer is a number; write number in place of edges or move."
        elif each.number == true:
            yield f"{each.number} is called wrong, but it is right."


def _watch(exercise: Exercise, judge: Judge) -> Iterator[str]:
    state = exercise.position.state()
    for number, step in enumerate(exercise.steps, 1):
        values = judge(state)
        cost = round(judged(state, values, step.action).cost.boxes)
        if cost != step.cost:
            name = exercise.position.game.action_name(step.action)
            yield f"step {number} ({name}) costs {cost} boxes, not {step.cost}."
        state.apply(step.action)


def _names(exercise: Exercise, edges: Iterable[int]) -> str:
    return " ".join(map(exercise.position.game.action_name, sorted(edges)))
