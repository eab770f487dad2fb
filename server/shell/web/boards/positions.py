"""Positions and their features over HTTP, for clients that show games without knowing the rules.

The answers are made on the event loop, one at a time and in small steps, between which the loop
does other work. A thread would hold the interpreter for milliseconds at a time, while players wait.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.as_json import phrase_fields
from doublecross.analysis.sentences.position import say_position
from doublecross.games.api import BadOpening, Game, IllegalAction, State
from doublecross.server.core.rooms.snapshot import board
from doublecross.server.shell.analysis.advice import DEADLINE_S, AdviceFailedError, AdviceService
from doublecross.server.shell.web.boards import answers
from doublecross.server.shell.web.boards.catalogue import GAME, SIZE, as_json, chosen_game, encoded
from doublecross.server.shell.web.endpoints import (
    BadRequestError,
    Endpoint,
    QueryParameter,
    busy,
    values,
)
from doublecross.server.shell.web.limits import POLICY

Make: TypeAlias = Callable[[Game, tuple[int, ...], tuple[int, ...]], Awaitable[bytes]]

STEP: Final = 16
"""How many positions are made in one step, which takes half a millisecond on the largest board."""

_ACTIONS: Final = re.compile(r"(?:[0-9]{1,5}(?:,[0-9]{1,5})*)?")
_PARAMETERS: Final = (
    GAME,
    SIZE,
    QueryParameter("opening", "the actions before the first move, such as 0,7"),
    QueryParameter("moves", "the moves after the opening, such as 3,12,4"),
)


def position_endpoints(
    advice: AdviceService, source_of: Callable[[Request], str]
) -> list[Endpoint]:
    """Return the endpoints about the positions of a game.

    `advice` knows networks, and `source_of` returns the client.
    """
    turn = asyncio.Lock()

    async def answer(request: Request, make: Make) -> Response:
        game = chosen_game(request)
        opening, moves = _actions(request, "opening", game), _actions(request, "moves", game)
        try:
            async with turn:
                await asyncio.sleep(0)  # so that each turn of the loop makes one answer
                body = await make(game, opening, moves)
        except (BadOpening, IllegalAction) as bad:
            raise BadRequestError(str(bad)) from None
        return as_json(body)

    async def positions(request: Request) -> Response:
        return await answer(request, _positions)

    async def features(request: Request) -> Response:
        return await answer(request, _features)

    async def policy(request: Request) -> Response:
        game = chosen_game(request)
        opening, moves = _actions(request, "opening", game), _actions(request, "moves", game)
        try:
            if game.replay(opening, moves).is_terminal():
                raise BadRequestError("The game is over in this position.")
            shares = await advice.policy(source_of(request), game, opening, moves)
        except (BadOpening, IllegalAction) as bad:
            raise BadRequestError(str(bad)) from None
        except AdviceFailedError as failed:
            return busy(str(failed))
        found = [{"action": action, "share": round(share, 4)} for action, share in shares]
        return as_json(encoded({"shares": found}))

    return [
        Endpoint(
            "/api/positions",
            positions,
            "The position after the opening and after each move.",
            answers.Positions,
            _PARAMETERS,
        ),
        Endpoint(
            "/api/features",
            features,
            "The features of the position after all moves, such as chains, and what they mean. Of "
            "most games it finds none.",
            answers.Features,
            _PARAMETERS,
        ),
        Endpoint(
            POLICY,
            policy,
            "What a network would play in the position after all moves. The catalogue says for "
            "which games there is one.",
            answers.PositionPolicy,
            _PARAMETERS,
            errors={503: "There is no network for this game, or it cannot answer now."},
            deadline_s=DEADLINE_S + 5,
        ),
    ]


def _actions(request: Request, name: str, game: Game) -> tuple[int, ...]:
    """Return the list of actions in a parameter.

    Raises:
        BadRequestError: it is no list, or longer than any game.
    """
    text = values(request)[name] or ""
    if text.count(",") >= game.max_game_length:
        raise BadRequestError(
            f"{name} has more actions than a game of {game.full_title}, "
            f"which has at most {game.max_game_length}."
        )
    if _ACTIONS.fullmatch(text) is None:
        raise BadRequestError(f"{name} must be whole numbers with commas between them.")
    return tuple(map(int, text.split(","))) if text else ()


async def _positions(game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> bytes:
    state = game.initial_state(opening)
    shown = [encoded(position_of(state))]
    for ply, action in enumerate(moves):
        if ply % STEP == STEP - 1:
            await asyncio.sleep(0)
        try:
            state.apply(action)
        except IllegalAction as error:
            raise IllegalAction(f"At ply {ply}: {error}") from None
        shown.append(encoded(position_of(state)))
    return b'{"positions":[%b]}' % b",".join(shown)


def position_of(state: State) -> dict[str, Any]:
    """Return the answer about a position."""
    over = state.is_terminal()
    return {
        **board(state),
        "scores": state.scores(),
        "to_move": None if over else state.current_player(),
    }


async def _features(game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> bytes:
    state = game.replay(opening, moves)
    return encoded(
        {
            "features": [asdict(feature) for feature in state.features()],
            "sentences": [phrase_fields(each) for each in say_position(state)],
        }
    )
