"""The addresses of progress, of attempts at puzzles and of storms."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.puzzles.puzzle import GAME
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.analysis.values import PositionValues
from doublecross.games.api import State
from doublecross.server.core.people.accounts import Login
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.analysis.advice import DEADLINE_S, AdviceFailedError
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.rights import bearer
from doublecross.server.shell.solving.progress import ProgressService, known_ids
from doublecross.server.shell.solving.service import SolvingService
from doublecross.server.shell.web.boards.positions import position_of
from doublecross.server.shell.web.endpoints import Endpoint, busy, error, read_body
from doublecross.server.shell.web.learning import solving_answers as answers
from doublecross.server.shell.web.limits import PROGRESS, SOLVING, source_of
from doublecross.server.shell.web.managing.account import endpoint, identified, private


def solving_endpoints(authority: Authority, sources: Sources) -> list[Endpoint]:
    """Return the endpoints; `sources` finds the source of a request."""
    progress = ProgressService(authority.store, authority.accounts, authority.date)
    service = SolvingService(
        authority.store, authority.accounts, authority.date, authority.now, SystemRandom()
    )

    async def player(request: Request) -> Login | None:
        """Return who asks, or None for a visitor without a name."""
        await _load()
        if not bearer(request.headers):
            return None
        login, _ = await identified(authority.accounts, sources, request)
        return login

    async def merge(request: Request) -> Response:
        await _load()
        asked = await read_body(request, answers.ProgressQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        sent = asked.model_dump(exclude_none=True, exclude={"version", "owner"})
        if asked.solver is not None:
            sent["solver"] = asked.solver  # not as a dict
        merged, documents = await progress.merge(login, asked.owner, sent)
        found: dict[str, Any] = {"lessons": {}, "puzzles": {}, "settings": {}, "solver": {}}
        answer = answers.ProgressAnswer(
            account_id=login.account.account_id,
            merged=merged,
            levels=dict(await progress.levels(login)),
            **{**found, **documents},
        )
        return private(answer)

    async def choose(request: Request) -> Response:
        asked = await read_body(request, answers.NextQuestion)
        login = await player(request)
        puzzle, solver = await service.next(login, asked.solver, asked.kind, asked.but)
        return private(answers.NextAnswer(puzzle=puzzle, solver=solver))

    async def attempt(request: Request) -> Response:
        asked = await read_body(request, answers.AttemptQuestion)
        login = await player(request)
        puzzle = puzzles().by_id.get(asked.puzzle)
        if puzzle is None:
            return error(404, "There is no such puzzle; see /api/puzzles for their ids.")
        source = source_of(sources, request.scope)

        async def values(state: State) -> PositionValues:
            return await authority.advice.values(source, state)

        try:
            result = await service.attempt(login, asked.solver, puzzle, asked.moves, values)
        except AdviceFailedError as failed:
            return busy(str(failed))
        return private(
            answers.AttemptAnswer(
                solved=result.solved,
                change=result.change,
                puzzle_rating=await service.rating(puzzle.id),
                solver=result.solver,
            )
        )

    async def storm(request: Request) -> Response:
        asked = await read_body(request, answers.StormQuestion)
        login, name = await player(request), asked.storm
        right = solver = None
        if name is None:
            name, storm = service.begin_storm(login)
        elif asked.move is None:
            storm, solver = await service.end_storm(login, name, asked.solver)
        else:
            storm, right = service.storm_move(login, name, asked.puzzle, asked.move)
        present = storm.puzzle(now := authority.now())
        return private(
            answers.StormAnswer(
                storm=name,
                left_ms=max(0, storm.ends_ms - now),
                score=storm.score,
                combo=storm.combo,
                right=right,
                puzzle=None if present is None else _storm_puzzle(present),
                solver=solver,
            )
        )

    judged = endpoint(
        f"{SOLVING}/attempt",
        attempt,
        "Send an attempt at a puzzle. The server judges it; a player's first one is rated.",
        answers.AttemptAnswer,
        answers.AttemptQuestion,
    )
    return [
        endpoint(
            PROGRESS,
            merge,
            "Merge the progress and the settings of a browser into those of your account.",
            answers.ProgressAnswer,
            answers.ProgressQuestion,
        ),
        endpoint(
            f"{SOLVING}/next",
            choose,
            "The puzzle that fits the solver next.",
            answers.NextAnswer,
            answers.NextQuestion,
        ),
        # Longer than the wait for the adviser, whose refusal says more.
        replace(judged, deadline_s=DEADLINE_S + 5),
        endpoint(
            f"{SOLVING}/storm",
            storm,
            "Play a storm: as many puzzles as possible in three minutes, one move in each.",
            answers.StormAnswer,
            answers.StormQuestion,
        ),
    ]


async def _load() -> None:
    """Read lessons and puzzles at the first request, which takes too long for the event loop."""
    await asyncio.to_thread(known_ids)


def _storm_puzzle(puzzle_id: str) -> answers.StormPuzzle:
    puzzle = puzzles().by_id[puzzle_id]
    state = puzzle.game.initial_state()
    positions = [position_of(state)]
    for action in puzzle.actions:
        state.apply(action)
        positions.append(position_of(state))
    return answers.StormPuzzle(
        id=puzzle.id,
        kind=puzzle.kind,
        size=puzzle.size,
        difficulty=puzzle.difficulty,
        turns=puzzle.turns,
        game=GAME,
        question=KINDS[puzzle.kind].question,
        moves=list(puzzle.actions),
        seat=state.current_player(),
        positions=positions,
    )
