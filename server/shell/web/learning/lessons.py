"""Lessons over HTTP. The answers never change while a server runs, so they are made once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.course.lesson import Exercise, Lesson
from doublecross.analysis.course.moves import edges_of, why_not
from doublecross.analysis.shipped.course import lessons, terms
from doublecross.server.shell.web.boards.catalogue import as_json, encoded
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.learning import lesson_answers as answers


def lesson_endpoints() -> list[Endpoint]:
    """Return the endpoints about the course."""

    async def listed(_: Request) -> Response:
        # The first call makes all answers, which takes too long for the event loop.
        return as_json((await asyncio.to_thread(_bodies))[""])

    async def lesson(request: Request) -> Response:
        name = request.path_params["name"]
        body = (await asyncio.to_thread(_bodies)).get(name)
        if body is None:
            return error(404, "There is no such lesson; see /api/lessons for their names.")
        return as_json(body)

    return [
        Endpoint(
            "/api/lessons",
            listed,
            "The lessons of the course, in order, and the terms that they explain.",
            answers.Lessons,
        ),
        Endpoint(
            "/api/lessons/{name}",
            lesson,
            "A lesson with all that a client without rules needs: positions as lists of actions, "
            "and the right answers.",
            answers.LessonAnswer,
            errors={404: "There is no such lesson."},
        ),
    ]


@cache
def _bodies() -> Mapping[str, bytes]:
    """Return all answers by the name of the lesson; the list has the empty name."""
    course = {
        "lessons": [
            {
                "name": lesson.name,
                "title": lesson.title,
                "goal": lesson.goal,
                "exercises": [exercise.id for exercise in lesson.exercises],
            }
            for lesson in lessons()
        ],
        "terms": dict(terms()),
    }
    return {"": encoded(course)} | {each.name: encoded(_lesson(each)) for each in lessons()}


def _lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        "name": lesson.name,
        "title": lesson.title,
        "goal": lesson.goal,
        "text": lesson.text,
        "exercises": [as_answer(each) for each in lesson.exercises],
    }


def as_answer(exercise: Exercise) -> dict[str, Any]:
    """Return the answer about an exercise."""
    position, state = exercise.position, exercise.position.state()
    finds = exercise.kind == "find"
    return {
        "id": exercise.id,
        "kind": exercise.kind,
        "task": exercise.task,
        "game": position.game.key,
        "size": position.game.size,
        "moves": position.moves,
        "seat": exercise.seat,
        "hints": exercise.hints,
        "solved": exercise.solved,
        "wrong": [
            {
                "say": wrong.say,
                "move": wrong.move,
                "actions": edges_of(wrong.move, state) if wrong.move else wrong.edges,
                "number": wrong.number,
            }
            for wrong in exercise.wrong
        ],
        "best": exercise.best,
        "length": exercise.length,
        "value": exercise.value,
        "least": exercise.least,
        "targets": edges_of(exercise.what, state) if finds else (),
        "why_not": why_not(exercise.what) if finds else "",
        "answer": exercise.answer,
        "steps": [
            {"action": step.action, "say": step.say, "cost": step.cost} for step in exercise.steps
        ],
    }
