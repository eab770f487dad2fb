"""Open rooms and finished games over HTTP."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from doublecross.games.record import parse_record
from doublecross.protocol.common import MAX_INT
from doublecross.server.core.events import settings_dict
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.lobby.listing import MAX_ROOMS
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import (
    AFTER,
    Endpoint,
    QueryParameter,
    error,
    limit,
    next_page,
    values,
)
from doublecross.server.shell.web.reading import Reading

MAX_GAMES: Final = 200
"""The most games in one answer."""
JOIN_CODE: Final = QueryParameter("code", "the join code of a private room")
KEEP_NOTHING: Final = "private, no-store"
"""The caching of answers with private games."""
NO_GAME: Final = {404: "There is no such game, or it is private."}
"""The errors of addresses of one game."""
NO_LIVE_GAME: Final = {404: "No game is in play in such a public room here."}


def game_summary(row: GameRow) -> dict[str, Any]:
    """Return a finished game without its moves."""
    return {
        "id": row.game_id,
        "room": row.room,
        "match": row.match,
        "game": row.game,
        "size": row.size,
        "title": title_of(row.game, row.size),
        "players": list(row.players),
        "engines": list(row.engines),
        "rated": row.rated,
        "time_control": row.time_control,
        "started_ms": row.started_ms,
        "finished_ms": row.finished_ms,
        "termination": row.termination,
        "result": row.result,
        "winner": row.winner,
        "scores": list(row.scores),
        "plies": row.plies,
    }


def game_with_moves(row: GameRow) -> dict[str, Any]:
    """Return a finished game with its opening, its moves and the clock after each.

    `clock_ms` has the milliseconds that the mover had left.
    """
    record = parse_record(row.record)
    return {
        **game_summary(row),
        "params": dict(record.game.params),
        "opening": list(record.opening),
        "moves": [m.action for m in record.moves],
        "clock_ms": [m.clock_ms for m in record.moves],
        "record": row.record,
    }


def room_endpoints(authority: Authority, stored: Callable[..., Awaitable[None]]) -> list[Endpoint]:
    """Return the endpoints; `stored()` waits until everything that may be shown is stored."""

    async def rooms(_: Request) -> Response:
        # Take the rooms before the wait, so that all of what they show is stored after it.
        shown, total = authority.lobby_feed.rooms(MAX_ROOMS)
        await stored()
        return JSONResponse({"rooms": shown, "total": total})

    async def waits(_: Request) -> Response:
        usual = authority.lobby.waits.usual()
        lines = [{"settings": settings_dict(each), "median_ms": ms} for each, ms in usual]
        return JSONResponse({"waits": lines})

    return [
        Endpoint("/api/rooms", rooms, "The public rooms that are open.", answers.Rooms),
        Endpoint("/api/waits", waits, "How long offers waited lately.", answers.Waits),
    ]


def game_endpoints(reading: Reading) -> list[Endpoint]:
    """Return the endpoints of games in play and of finished games."""

    async def live(request: Request) -> Response:
        shown = await reading.matches.live([request.path_params["room_id"]])
        return JSONResponse(shown[0]) if shown else error(404, NO_LIVE_GAME[404])

    async def games(request: Request) -> Response:
        chosen = values(request)
        before_ms, before_id = chosen["after"] or (chosen["before_ms"], "")
        await reading.matches.settled(here=True)
        # One more than asked for shows whether there is a next page.
        rows = await reading.store.games(
            limit=chosen["limit"] + 1,
            before_ms=before_ms,
            before_id=before_id,
            player=chosen["player"],
            opponent=chosen["opponent"],
            game=chosen["game"],
        )
        shown = rows[: chosen["limit"]]
        more = len(rows) > len(shown)
        last = shown[-1] if more else None
        return JSONResponse(
            {
                "games": [game_summary(row) for row in shown],
                "next": last and next_page(request, last.finished_ms, last.game_id),
            }
        )

    async def one_game(request: Request) -> Response:
        chosen = values(request)
        row = await reading.readable_game(request)
        if row is None:
            return no_game(request)
        wants_text = chosen["format"] == "text" or _prefers_text(request.headers)
        headers = {"Cache-Control": KEEP_NOTHING} if row.private else None
        if wants_text:
            text = row.record if reading.signer is None else reading.signer.sign(row.record)
            return PlainTextResponse(text, headers=headers)
        return JSONResponse(game_with_moves(row), headers=headers)

    async def report(request: Request) -> Response:
        row = await reading.readable_game(request)
        if row is None:
            return no_game(request)
        found = await reading.report(row.game_id)
        text = b"null" if found is None else await asyncio.to_thread(zlib.decompress, found.text)
        headers = {"Cache-Control": KEEP_NOTHING} if row.private else None
        body = b'{"report":' + text + b"}"
        return Response(body, media_type="application/json", headers=headers)

    return [
        Endpoint(
            "/api/rooms/{room_id}",
            live,
            "The game in play in a public room, as it stands.",
            answers.GameInPlay,
            errors=NO_LIVE_GAME,
        ),
        Endpoint(
            "/api/games",
            games,
            "Finished public games, newest first. `next` is the address of the next page.",
            answers.Games,
            (
                limit(MAX_GAMES, 50),
                AFTER,
                QueryParameter(
                    "before_ms",
                    "only games that ended before this time, in milliseconds since 1970",
                    0,
                    MAX_INT,
                ),
                QueryParameter("player", "only games of this player"),
                QueryParameter("opponent", "with `player`: only games of these two"),
                QueryParameter("game", "only this game, such as dots-and-boxes"),
            ),
        ),
        Endpoint(
            "/api/games/{game_id}",
            one_game,
            "A finished game with its moves. The game of a private room is for its players, who "
            "send `Authorization: Bearer` with their token, and for those who give its join code. "
            "As text it is signed, if the server has a key (`/api/keys`).",
            answers.GameAnswer,
            (
                QueryParameter(
                    "format", "text: the plain record, not JSON", choices=("text", "json")
                ),
                JOIN_CODE,
            ),
            NO_GAME,
            or_text=True,
        ),
        Endpoint(
            "/api/games/{game_id}/report",
            report,
            "The report of a finished game, if one is stored; `get_review` lets the server make "
            "one. Those may read it who may read the game.",
            answers.StoredReport,
            (JOIN_CODE,),
            NO_GAME,
        ),
    ]


def no_game(request: Request) -> Response:
    """Return the answer to a request for a game that does not exist, or that is private."""
    return error(404, f"There is no finished game {request.path_params['game_id'][:60]}.")


def _prefers_text(headers: Mapping[str, str]) -> bool:
    return headers.get("accept", "").strip().lower().startswith("text/plain")
