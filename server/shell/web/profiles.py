"""Sums of a player's last public games over HTTP."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.core.profile import Profile
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.reading import Reading

MOST_GAMES: Final = 1000
"""How many games are summed up, the newest ones."""
PAGE: Final = 40
"""How many games are read at once, so that the event loop is free in between."""
MOST_KEPT: Final = 64
KEEP_MS: Final = 60_000
"""How many answers are kept, and how long: an opponent may have another name by then."""


def profile_endpoint(reading: Reading) -> Endpoint:
    """Return the endpoint."""
    kept: OrderedDict[str, tuple[int, dict[str, Any]]] = OrderedDict()

    async def profile(request: Request) -> Response:
        await reading.matches.settled(here=True)
        player = await reading.store.player_by_name(request.path_params["name"])
        if player is None:
            return error(404, f"There is no player {request.path_params['name'][:40]}.")
        until, told = kept.get(player.name, (0, {}))
        if reading.now() >= until:
            told = await made(player.name)
            kept[player.name] = reading.now() + KEEP_MS, told
            if len(kept) > MOST_KEPT:
                kept.popitem(last=False)
        return JSONResponse(told)

    async def made(name: str) -> dict[str, Any]:
        sums, read, before_ms, before_id = Profile(name), 0, None, ""
        while read < MOST_GAMES:
            rows = await reading.store.games(
                limit=PAGE, before_ms=before_ms, before_id=before_id, player=name, records=True
            )
            sums.add(rows)
            read += PAGE
            if len(rows) < PAGE:
                break
            before_ms, before_id = rows[-1].finished_ms, rows[-1].game_id
        told = sums.told()
        for pool in told["pools"]:
            pool["title"] = title_of(pool["game"], pool["size"])
        return told

    return Endpoint(
        "/api/players/{name}/profile",
        profile,
        f"The last {MOST_GAMES} public games of a player: against whom, in which games, and with "
        "which first moves. Openings that mirror or turn each other are one.",
        answers.ProfileAnswer,
        errors={404: "There is no such player."},
    )
