"""The addresses of puzzles. Each answer is encoded once, at its first request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.puzzles.puzzle import GAME, Puzzle
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.server.shell.web.boards.catalogue import as_json, encoded
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.learning import puzzle_answers as answers


def _today() -> date:
    return datetime.now(UTC).date()


def puzzle_endpoints(today: Callable[[], date] = _today) -> list[Endpoint]:
    """Return the endpoints about puzzles; `today` returns the date in UTC."""

    async def listed(_: Request) -> Response:
        return as_json(await asyncio.to_thread(_list))

    async def daily(_: Request) -> Response:
        return as_json(await asyncio.to_thread(_daily, today()))

    async def one(request: Request) -> Response:
        body = await asyncio.to_thread(_one, request.path_params["puzzle_id"], today())
        if body is None:
            return error(404, "There is no such puzzle; see /api/puzzles for their ids.")
        return as_json(body)

    return [
        Endpoint("/api/puzzles", listed, "All puzzles, the easy ones first.", answers.Puzzles),
        Endpoint(
            "/api/puzzles/today",
            daily,
            "The puzzle of the day, the same for everybody.",
            answers.PuzzleAnswer,
        ),
        Endpoint(
            "/api/puzzles/{puzzle_id}",
            one,
            "A puzzle with its position, and how many boxes every first move loses.",
            answers.PuzzleAnswer,
            errors={404: "There is no such puzzle."},
        ),
    ]


@cache
def _list() -> bytes:
    kinds = [{"kind": name, **kind._asdict()} for name, kind in KINDS.items()]
    return encoded({"kinds": kinds, "puzzles": [_entry(each) for each in puzzles().puzzles]})


@lru_cache(maxsize=2)
def _daily(day: date) -> bytes:
    return encoded({**as_answer(puzzles().of_day(day)), "day": day.isoformat()})


def _one(name: str, day: date) -> bytes | None:
    puzzle = puzzles().by_id.get(name)
    if puzzle is None:
        return None
    # The answer about the puzzle of the day also has the day.
    return _daily(day) if puzzle == puzzles().of_day(day) else _encoded(puzzle)


@cache
def _encoded(puzzle: Puzzle) -> bytes:
    return encoded({**as_answer(puzzle), "day": None})


def _entry(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "kind": puzzle.kind,
        "size": puzzle.size,
        "difficulty": puzzle.difficulty,
        "turns": puzzle.turns,
    }


def as_answer(puzzle: Puzzle) -> dict[str, Any]:
    """Return the answer about a puzzle."""
    return {
        **_entry(puzzle),
        **KINDS[puzzle.kind]._asdict(),
        "game": GAME,
        "moves": puzzle.actions,
        "seat": puzzle.state().current_player(),
        "net": puzzle.net,
        "costs": [{"action": edge, "cost": cost} for edge, cost in puzzle.cost_of.items()],
    }
