"""Ratings over HTTP: those of one player with their history, and the best of a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.games.api import GameError
from doublecross.games.registry import game_class
from doublecross.protocol.common import PROVISIONAL
from doublecross.server.core.rating_book import PlayerRating
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, QueryParameter, error, limit, values

MAX_RATINGS: Final = 500
"""The most ratings in one answer."""
_BOTS: Final[dict[str | None, bool | None]] = {None: None, "yes": True, "no": False}


def rating_line(rated: PlayerRating, now_ms: int) -> dict[str, Any]:
    """Return a rating as of `now_ms`; `interval` is the 95 % confidence interval."""
    now = rated.now(now_ms)
    return {
        "player": rated.player,
        "engine": rated.engine,
        "game": rated.game,
        "size": rated.size,
        "title": title_of(rated.game, rated.size),
        "rating": round(now.rating, 1),
        "deviation": round(now.deviation, 1),
        "interval": [round(now.interval.low, 1), round(now.interval.high, 1)],
        "provisional": now.deviation > PROVISIONAL,
        "games": rated.games,
        "at_ms": rated.at_ms,
    }


def rating_endpoints(
    authority: Authority, stored: Callable[..., Awaitable[None]]
) -> list[Endpoint]:
    """Return the endpoints; `stored()` waits until everything that may be shown is stored."""

    async def player(request: Request) -> Response:
        name = request.path_params["name"]
        await stored()
        row = await authority.store.player_by_name(name)
        if row is None:
            return error(404, f"There is no player {name[:40]}.")
        now = authority.date()
        ratings = [
            {
                **rating_line(rated, now),
                "history": [list(point) for point in rated.history],
                "deviations": [round(deviation, 1) for deviation in rated.deviations],
            }
            for rated in authority.ratings.of(row.name)
        ]
        return JSONResponse(
            {
                "name": row.name,
                "kind": row.kind,
                "engine": f"{row.engine} {row.engine_version}".strip(),
                "online": row.name in authority.peers.sessions,
                "created_ms": row.created_ms,
                "ratings": ratings,
            }
        )

    async def best(request: Request) -> Response:
        query = values(request)
        pools = [
            {"game": game, "size": size, "title": title_of(game, size), "ratings": count}
            for game, size, count in authority.ratings.pools()
        ]
        if not request.query_params:
            return JSONResponse({"pools": pools})
        if not query["game"]:
            return error(400, "Add game=...; /api/ratings alone lists the games with ratings.")
        try:
            kind = game_class(query["game"])
            if kind.parameters and not query["size"]:
                return error(400, f"Add the board size too, such as size={kind.default_size()}.")
            size = kind(kind.parse_size(query["size"]) if kind.parameters else None).size
        except GameError as bad:
            return error(400, str(bad))
        now = authority.date()
        bots = _BOTS[query["bots"]]
        found = authority.ratings.best(kind.key, size, now, query["limit"], bots=bots)
        return JSONResponse({"ratings": [rating_line(rated, now) for rated in found]})

    return [
        Endpoint(
            "/api/players/{name}",
            player,
            "A player with all ratings and their history.",
            answers.PlayerAnswer,
            errors={404: "There is no such player."},
        ),
        Endpoint(
            "/api/ratings",
            best,
            "The best players of a game on one board size. Without parameters: the games and sizes "
            "that have ratings.",
            answers.Ratings,
            (
                QueryParameter("game", "the game, such as dots-and-boxes"),
                QueryParameter("size", "the board size, such as 5x5"),
                QueryParameter("bots", "yes: only bots; no: only people", choices=("yes", "no")),
                limit(MAX_RATINGS, 100),
            ),
        ),
    ]
