"""The HTTP application: the server's health, the open rooms and the finished games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from games.record import parse_record
from server.core.storage import GameRow, StoreError
from server.shell.authority import Authority
from server.shell.connection import Connections
from server.shell.lobby_feed import MAX_ROOMS
from server.shell.upkeep.health import Health
from server.shell.web.ratings import rating_routes
from server.shell.web.tournaments import tournament_routes

MAX_GAMES = 200
"""The most games in one answer."""
STORED_S: Final = 5.0
"""How many seconds an answer waits until everything that it shows is stored."""


def game_summary(row: GameRow) -> dict[str, Any]:
    """Return a finished game without its moves."""
    return {
        "id": row.game_id,
        "room": row.room,
        "match": row.match,
        "game": row.game,
        "size": row.size,
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


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status_code=status)


def make_http(authority: Authority, connections: Connections, state: Health) -> Starlette:
    """Return the HTTP application of one server."""
    started = time.monotonic()

    async def stored(*, games: bool = False) -> None:
        """Wait until everything that may be shown is stored; with `games`, finished games too.

        Raises:
            StoreError: it could not be stored, or not in time.
        """
        try:
            async with asyncio.timeout(STORED_S):
                await authority.committer.settled(games=games)
        except TimeoutError:
            raise StoreError("The server's storage does not answer; try again later.") from None

    async def health(_: Request) -> Response:
        writer = authority.committer.writer
        report = await state.report()
        body = {
            **report,
            "epoch": authority.config.epoch,
            "uptime_s": round(time.monotonic() - started, 1),
            "connections": len(connections.peers),
            "players": len(authority.peers.by_name),
            "rooms": len(authority.rooms.registry.channels),
            "commits": writer.commits,
            "events": writer.events,
            "failed_commits": writer.failures,
        }
        return JSONResponse(body, status_code=503 if report["problem"] else 200)

    async def rooms(_: Request) -> Response:
        shown, total = authority.lobby_feed.rooms(MAX_ROOMS)
        try:
            await stored()
        except StoreError as error:
            return _error(503, str(error))
        return JSONResponse({"rooms": shown, "total": total})

    async def games(request: Request) -> Response:
        query = request.query_params
        try:
            limit = int(query.get("limit", "50"))
            before = int(query["before_ms"]) if "before_ms" in query else None
        except ValueError:
            return _error(400, "limit and before_ms must be whole numbers.")
        if not 1 <= limit <= MAX_GAMES or (before is not None and not 0 <= before < 2**53):
            return _error(
                400,
                f"limit must be from 1 to {MAX_GAMES},"
                " before_ms a time in milliseconds since 1970.",
            )
        try:
            await stored(games=True)
            rows = await authority.store.games(
                limit=limit,
                before_ms=before,
                player=query.get("player"),
                game=query.get("game"),
            )
        except StoreError as error:
            return _error(503, str(error))
        return JSONResponse({"games": [game_summary(row) for row in rows]})

    async def one_game(request: Request) -> Response:
        game_id = request.path_params["game_id"]
        try:
            await stored(games=True)
            row = await authority.store.game(game_id)
        except StoreError as error:
            return _error(503, str(error))
        if row is None:
            return _error(404, f"There is no finished game {game_id[:60]}.")
        wants_text = request.query_params.get("format") == "text" or _prefers_text(request.headers)
        if wants_text:
            return PlainTextResponse(row.record)
        return JSONResponse(game_with_moves(row))

    async def refused(_: Request, refusal: Exception) -> Response:
        assert isinstance(refusal, HTTPException)
        sentences = {
            404: "There is nothing at this address.",
            405: "This address answers only GET requests.",
        }
        return _error(refusal.status_code, sentences.get(refusal.status_code, refusal.detail))

    return Starlette(
        exception_handlers={HTTPException: refused},
        routes=[
            Route("/health", health),
            Route("/api/rooms", rooms),
            Route("/api/games", games),
            Route("/api/games/{game_id}", one_game),
            *tournament_routes(authority, stored),
            *rating_routes(authority, stored),
        ],
    )


def _prefers_text(headers: Mapping[str, str]) -> bool:
    return headers.get("accept", "").strip().lower().startswith("text/plain")
