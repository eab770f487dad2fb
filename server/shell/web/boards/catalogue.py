"""The games that the server knows, and their geometries, over HTTP.

With `positions.py`, a client in any language can draw all games without knowing their rules.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from doublecross.games.api import BadParameter, Game, State
from doublecross.games.registry import GAMES
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.web.boards import answers
from doublecross.server.shell.web.endpoints import BadRequestError, Endpoint, QueryParameter, values

MOST_KEPT: Final = 64
"""How many geometries are kept."""

GAME: Final = QueryParameter("game", "the key of the game", choices=tuple(GAMES), is_required=True)
SIZE: Final = QueryParameter("size", "the size, such as 5x5; without it the default one")


def catalogue_endpoints(advice: AdviceService) -> list[Endpoint]:
    """Return the endpoints whose answers never change while a server runs.

    A newer server may answer otherwise, so browsers ask whether their copy is still right.
    """
    listed = encoded({"games": [_catalogue_game(kind, advice) for kind in GAMES.values()]})

    async def catalogue(_: Request) -> Response:
        return as_json(listed)

    async def geometry(request: Request) -> Response:
        game = chosen_game(request)
        # The first answer about a large board takes long; the next ones are kept.
        return as_json(await asyncio.to_thread(_geometry, game))

    return [
        Endpoint(
            "/api/catalogue",
            catalogue,
            "The games that the server knows, with their parameters.",
            answers.Catalogue,
        ),
        Endpoint(
            "/api/geometry",
            geometry,
            "What a client draws of a game, and the names of its actions.",
            answers.GameGeometry,
            (GAME, SIZE),
        ),
    ]


def chosen_game(request: Request) -> Game:
    """Return the game that the parameters `game` and `size` name.

    Raises:
        BadRequestError: there is no such size.
    """
    chosen = values(request)
    kind = GAMES[chosen["game"]]
    try:
        return kind({} if chosen["size"] is None else kind.parse_size(chosen["size"][:60]))
    except BadParameter as bad:
        raise BadRequestError(str(bad)) from None


def encoded(answer: Mapping[str, Any]) -> bytes:
    """Return an answer as JSON."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def as_json(body: bytes) -> Response:
    """Return an answer with the JSON that `encoded` has returned."""
    return Response(body, media_type="application/json")


def _catalogue_game(kind: type[Game], advice: AdviceService) -> dict[str, Any]:
    return {
        "key": kind.key,
        "title": kind.title,
        "parameters": [asdict(parameter) for parameter in kind.parameters],
        "least_numbers": kind.least_numbers,
        "seat_names": kind.seat_names,
        "unit": kind.unit,
        "features": type(kind().initial_state()).features is not State.features,
        "policy": advice.has_policy(kind.key),
        "values": advice.is_open,
    }


@lru_cache(maxsize=MOST_KEPT)
def _geometry(game: Game) -> bytes:
    return encoded(geometry_of(game))


def geometry_of(game: Game) -> dict[str, Any]:
    """Return the geometry that a client draws of a game, and the names of its actions."""
    shape = game.geometry()
    return {
        "game": game.key,
        "size": game.size,
        "title": game.full_title,
        **asdict(shape),
        "names": [game.action_name(action) for action in range(game.num_actions)],
        "seat_names": game.seat_names,
        "unit": game.unit,
        "max_score": len(shape.cells) if game.unit else None,
        "max_moves": game.max_game_length,
    }
