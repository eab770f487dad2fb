"""Ratings over HTTP: those of one player with their history, and the best of a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from games.api import GameError
from games.registry import game_class
from protocol.common import PROVISIONAL
from server.core.rating_book import PlayerRating
from server.core.storage import StoreError
from server.shell.authority import Authority

MAX_RATINGS: Final = 500
"""The most ratings in one answer."""
_BOTS: Final[dict[str, bool | None]] = {"": None, "yes": True, "no": False}


def rating_line(rated: PlayerRating, now_ms: int) -> dict[str, Any]:
    """Return a rating as of `now_ms`; `interval` is the 95 % confidence interval."""
    now = rated.now(now_ms)
    return {
        "player": rated.player,
        "engine": rated.engine,
        "game": rated.game,
        "size": rated.size,
        "rating": round(now.rating, 1),
        "deviation": round(now.deviation, 1),
        "interval": [round(now.interval.low, 1), round(now.interval.high, 1)],
        "provisional": now.deviation > PROVISIONAL,
        "games": rated.games,
        "at_ms": rated.at_ms,
    }


def rating_routes(authority: Authority, stored: Callable[..., Awaitable[None]]) -> list[Route]:
    """Return the routes; `stored()` waits until everything that may be shown is stored."""

    def error(status: int, message: str) -> Response:
        return JSONResponse({"error": message}, status_code=status)

    async def player(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            await stored()
            row = await authority.store.player_by_name(name)
        except StoreError as failed:
            return error(503, str(failed))
        if row is None:
            return error(404, f"There is no player {name[:40]}.")
        now = authority.now()
        ratings = [
            {**rating_line(rated, now), "history": [list(point) for point in rated.history]}
            for rated in authority.ratings.of(row.name)
        ]
        return JSONResponse(
            {
                "name": row.name,
                "kind": row.kind,
                "engine": f"{row.engine} {row.engine_version}".strip(),
                "online": row.name in authority.peers.by_name,
                "created_ms": row.created_ms,
                "ratings": ratings,
            }
        )

    async def best(request: Request) -> Response:
        query = request.query_params
        pools = [
            {"game": game, "size": size, "ratings": count}
            for game, size, count in authority.ratings.pools()
        ]
        if not query:
            return JSONResponse({"pools": pools})
        if "game" not in query:
            return error(400, "Add game=...; /api/ratings alone lists the games with ratings.")
        bots = query.get("bots", "")
        if bots not in _BOTS:
            return error(400, "bots must be yes (only bots) or no (only people).")
        try:
            kind = game_class(query["game"])
            if kind.parameters and not query.get("size"):
                return error(400, f"Add the board size too, such as size={kind.default_size()}.")
            size = kind(kind.parse_size(query["size"]) if kind.parameters else None).size
            most = int(query.get("limit", "100"))
        except (GameError, ValueError) as bad:
            return error(
                400, str(bad) if isinstance(bad, GameError) else "limit must be a whole number."
            )
        if not 1 <= most <= MAX_RATINGS:
            return error(400, f"limit must be from 1 to {MAX_RATINGS}.")
        now = authority.now()
        found = authority.ratings.best(kind.key, size, now, most, bots=_BOTS[bots])
        return JSONResponse({"ratings": [rating_line(rated, now) for rated in found]})

    return [Route("/api/players/{name}", player), Route("/api/ratings", best)]
