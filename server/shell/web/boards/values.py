"""The values of all moves of a position over HTTP, from the server's adviser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.as_json import values_to_json
from doublecross.games.api import Game, GameError
from doublecross.games.registry import make_game
from doublecross.server.shell.analysis.advice import DEADLINE_S, AdviceFailedError, AdviceService
from doublecross.server.shell.web.boards import answers
from doublecross.server.shell.web.boards.catalogue import as_json, encoded
from doublecross.server.shell.web.endpoints import (
    BODY_S,
    BadRequestError,
    Endpoint,
    body_of,
    busy,
    error,
)
from doublecross.server.shell.web.limits import VALUES

NOT_A_QUESTION: Final = (
    "Send a JSON object with game, params, opening and moves; params has whole numbers by name, the"
    " others are a text and two lists of whole numbers."
)
PLAYED: Final = (
    "This position is being played in a match without help, so its values stay hidden. Ask again"
    " when the match is over."
)


class ValuesQuestion(BaseModel):
    """A position: the game, its parameters, the opening, and the moves after it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(max_length=40)
    params: dict[str, int] = Field(max_length=20)
    opening: tuple[int, ...]
    moves: tuple[int, ...]


def values_endpoint(
    advice: AdviceService,
    is_played: Callable[[Game, tuple[int, ...], tuple[int, ...]], Awaitable[bool]],
    source_of: Callable[[Request], str],
) -> Endpoint:
    """Return the endpoint.

    `is_played` returns whether a position is being played (`analysis/fair.py`), and `source_of` the
    client.
    """

    async def values(request: Request) -> Response:
        game, question = await _read(request)
        opening, moves = question.opening, question.moves
        try:
            state = game.replay(opening, moves)
        except GameError as bad:
            raise BadRequestError(str(bad)) from None
        if state.is_terminal():
            raise BadRequestError("The game is over in this position.")
        if await is_played(game, opening, moves):
            return error(403, PLAYED)
        try:
            found = await advice.values(source_of(request), state)
        except AdviceFailedError as failed:
            return busy(str(failed))
        return as_json(encoded(values_to_json(found)))

    return Endpoint(
        VALUES,
        values,
        "The values of all moves in a position.",
        answers.PositionValues,
        errors={
            403: "The position is being played in a rated match, a tournament or between people.",
            413: "The question is longer than any position.",
            415: "The question is not application/json.",
            503: "The server has no adviser, it cannot value this position, or too many ask.",
        },
        # Longer than both waits inside, whose refusals say more.
        deadline_s=DEADLINE_S + BODY_S + 5,
        question=ValuesQuestion,
    )


async def _read(request: Request) -> tuple[Game, ValuesQuestion]:
    body = await body_of(request)
    try:
        question = ValuesQuestion.model_validate_json(body)
    except ValidationError:
        raise BadRequestError(NOT_A_QUESTION) from None
    try:
        return make_game(question.game, question.params), question
    except GameError as bad:
        raise BadRequestError(str(bad)) from None
