"""Say over HTTP who invites whom to what, for people who open the link of a room or a seek."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.protocol.common import MatchSettings
from doublecross.server.core.events import PlayerDict, player_dict, settings_dict
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, error, values
from doublecross.server.shell.web.games import JOIN_CODE, KEEP_NOTHING
from doublecross.server.shell.web.links import answers


def invitation_endpoint(authority: Authority, stored: Callable[..., Awaitable[None]]) -> Endpoint:
    """Return the endpoint; `stored()` waits until everything that may be shown is stored."""

    async def invitation(request: Request) -> Response:
        key = request.path_params["invitation_id"]
        found = invitation_of(authority, key, values(request)["code"])
        await stored()
        if found is None:
            return error(404, "There is no such invitation, or it needs its code.")
        return JSONResponse(found, headers={"Cache-Control": KEEP_NOTHING})

    return Endpoint(
        "/api/invitations/{invitation_id}",
        invitation,
        "An open room or seek, or one that ended lately: who invites, and to what. A private room "
        "needs its join code.",
        answers.Invitation,
        (JOIN_CODE,),
        {404: "There is no such room or seek, or it ended long ago, or its code is missing."},
    )


def invitation_of(authority: Authority, key: str, code: str | None) -> dict[str, Any] | None:
    """Return what the room or the seek `key` offers; None if there is none or the code is wrong."""
    room = authority.lobby.rooms.get(key) or authority.offers.closed.get(key)
    if room is not None:
        secret = room.terms.code
        if secret is not None and not hmac.compare_digest((code or "").encode(), secret.encode()):
            return None
        return _room(room)
    over = authority.offers.over.get(key)
    offer = authority.lobby.offers.get(key) if over is None else over.offer
    if offer is None or offer.target is not None:
        return None
    seat = None if offer.seat is None else 1 - offer.seat
    players = [player_dict(offer.owner), None]
    state, where = ("open", None) if over is None else (over.outcome, over.room)
    return _answer("seek", state, players, seat, offer.settings, where)


def _room(room: Room) -> dict[str, Any]:
    players = [None if each is None else player_dict(each) for each in room.players]
    free = [seat for seat, player in enumerate(players) if player is None]
    state = "open" if room.status == "waiting" else room.status
    seat = free[0] if len(free) == 1 else None
    return _answer("room", state, players, seat, room.settings, room.id)


def _answer(
    kind: str,
    state: str,
    players: list[PlayerDict | None],
    seat: int | None,
    settings: MatchSettings,
    room: str | None,
) -> dict[str, Any]:
    return {
        "kind": kind,
        "state": state,
        "players": players,
        "seat": seat,
        "settings": settings_dict(settings),
        "room": room,
    }
