"""The last positions of finished games over HTTP, for the small boards of lists."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.games.record import movers_of, parse_record
from doublecross.server.core.rooms.snapshot import board, drawers
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import BadRequestError, Endpoint, QueryParameter, values
from doublecross.server.shell.web.games import KEEP_NOTHING, read_game

MOST_GAMES: Final = 30
"""The most games of one answer: a thread replays each in about 0.2 ms."""
MOST_KEPT: Final = 1024
"""How many positions are kept."""


def last_boards_endpoint(authority: Authority, stored: Callable[..., Awaitable[None]]) -> Endpoint:
    """Return the endpoint; `stored()` waits until all finished games are stored."""

    async def last_boards(request: Request) -> Response:
        ids = values(request)["games"].split(",")
        if len(ids) > MOST_GAMES:
            raise BadRequestError(f"games must name at most {MOST_GAMES} games.")
        await stored(games=True)
        rows = [row for each in ids if (row := await read_game(authority, request, each))]
        records = [(row.game_id, row.record) for row in rows]
        shown = await asyncio.to_thread(lambda: [_last_board(*each) for each in records])
        private = any(row.private for row in rows)
        headers = {"Cache-Control": KEEP_NOTHING} if private else None
        return JSONResponse({"boards": shown}, headers=headers)

    return Endpoint(
        "/api/boards",
        last_boards,
        "How finished games ended on the board. Games that are not there, or not for whoever asks, "
        "are left out; `/api/games/{game_id}` says who may read private ones.",
        answers.LastBoards,
        (
            QueryParameter(
                "games", f"the ids of up to {MOST_GAMES} games, with commas", is_required=True
            ),
            QueryParameter("code", "the join code of a private room"),
        ),
    )


@lru_cache(maxsize=MOST_KEPT)
def _last_board(game_id: str, text: str) -> dict[str, Any]:
    record = parse_record(text)
    actions = [move.action for move in record.moves]
    return {
        "id": game_id,
        "game": record.game.key,
        "params": dict(record.game.params),
        "board": board(record.final_state()),
        "drawers": drawers(record.game.num_actions, actions, movers_of(record)),
    }
