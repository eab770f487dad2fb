"""The boards of several games over HTTP, for lists: finished games, and those in play."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.games.record import movers_of, parse_record
from doublecross.server.core.rooms.snapshot import board, drawers
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import BadRequestError, Endpoint, QueryParameter, values
from doublecross.server.shell.web.games import KEEP_NOTHING
from doublecross.server.shell.web.reading import Reading

MOST_GAMES: Final = 30
"""The most games of one answer. A thread replays each finished one in about 0.2 ms."""
MOST_KEPT: Final = 1024
"""How many positions are kept."""


def boards_endpoint(reading: Reading) -> Endpoint:
    """Return the endpoint."""

    async def boards(request: Request) -> Response:
        ids, rooms = (_listed(values(request)[name]) for name in ("games", "rooms"))
        if len(ids) + len(rooms) > MOST_GAMES:
            raise BadRequestError(f"games and rooms must name at most {MOST_GAMES} games.")
        live = await reading.matches.live(rooms) if rooms else []
        rows = [row for each in ids if (row := await reading.readable_game(request, each))]
        records = [(row.game_id, row.record) for row in rows]
        over = await asyncio.to_thread(lambda: [_last_board(*each) for each in records])
        private = any(row.private for row in rows)
        headers = {"Cache-Control": KEEP_NOTHING} if private else None
        return JSONResponse({"boards": over, "live": live}, headers=headers)

    return Endpoint(
        "/api/boards",
        boards,
        "How finished games ended on the board, and how games in play stand. Games that are not "
        "there, or not for whoever asks, are left out; `/api/games/{game_id}` and "
        "`/api/rooms/{room_id}` say who may see them.",
        answers.Boards,
        (
            QueryParameter("games", "the ids of finished games, with commas", default=""),
            QueryParameter("rooms", "the ids of rooms with games in play", default=""),
            QueryParameter("code", "the join code of a private room"),
        ),
    )


def _listed(names: str) -> list[str]:
    return names.split(",") if names else []


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
