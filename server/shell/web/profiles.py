"""Sums of a player's last public games over HTTP."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.core.profile import Profile
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, error

MOST_GAMES: Final = 1000
"""How many games are summed up, the newest ones."""
PAGE: Final = 40
"""How many games are read at once, so that the event loop is free in between."""
MOST_KEPT: Final = 64
"""How many answers are kept until their players have played again."""
KEEP_MS: Final = 60_000
"""How long at most: an opponent may have another name by then."""


def profile_endpoint(authority: Authority, stored: Callable[..., Awaitable[None]]) -> Endpoint:
    """Return the endpoint; `stored()` waits until all finished games are stored."""
    kept: OrderedDict[str, tuple[str, int, dict[str, Any]]] = OrderedDict()

    async def page(name: str, last: GameRow | None, limit: int = PAGE) -> list[GameRow]:
        before_ms, before_id = (None, "") if last is None else (last.finished_ms, last.game_id)
        found = await authority.store.games(
            limit=limit, before_ms=before_ms, before_id=before_id, player=name, records=True
        )
        return list(found)

    async def profile(request: Request) -> Response:
        await stored(games=True)
        player = await authority.store.player_by_name(request.path_params["name"])
        if player is None:
            return error(404, f"There is no player {request.path_params['name'][:40]}.")
        name = player.name
        newest = await page(name, None, 1)
        last = newest[0].game_id if newest else ""
        known, until, told = kept.pop(name, ("", 0, {}))
        if known == last and authority.now() < until:
            kept[name] = known, until, told
            return JSONResponse(told)
        sums, read, rows = Profile(name), 0, await page(name, None)
        while rows:
            sums.add(rows)
            read += len(rows)
            rows = await page(name, rows[-1]) if read < MOST_GAMES and len(rows) == PAGE else []
        told = sums.told()
        told["pools"] = [
            {**pool, "title": title_of(pool["game"], pool["size"])} for pool in told["pools"]
        ]
        kept[name] = last, authority.now() + KEEP_MS, told
        if len(kept) > MOST_KEPT:
            kept.popitem(last=False)
        return JSONResponse(told)

    return Endpoint(
        "/api/players/{name}/profile",
        profile,
        f"The last {MOST_GAMES} public games of a player: against whom, in which games, and with "
        "which first moves. Openings that mirror or turn each other are one.",
        answers.ProfileAnswer,
        errors={404: "There is no such player."},
    )
