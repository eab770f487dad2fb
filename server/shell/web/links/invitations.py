"""Say over HTTP who invites whom to what, for people who open the link of a room or a seek."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, error, values
from doublecross.server.shell.web.games import JOIN_CODE, KEEP_NOTHING
from doublecross.server.shell.web.links.answers import Invitation


def invitation_endpoint(authority: Authority, stored: Callable[..., Awaitable[None]]) -> Endpoint:
    """Return the endpoint; `stored()` waits until everything that may be shown is stored."""

    async def invitation(request: Request) -> Response:
        key = request.path_params["invitation_id"]
        found = await invitation_of(authority, key, values(request)["code"])
        await stored()
        if found is None:
            return error(404, "There is no such invitation, or it needs its code.")
        return JSONResponse(found.model_dump(), headers={"Cache-Control": KEEP_NOTHING})

    return Endpoint(
        "/api/invitations/{invitation_id}",
        invitation,
        "An open room or seek, or one that ended lately: who invites, and to what. A private room "
        "needs its join code.",
        Invitation,
        (JOIN_CODE,),
        {404: "There is no such room or seek, or it ended long ago, or its code is missing."},
    )


async def invitation_of(authority: Authority, key: str, code: str | None) -> Invitation | None:
    """Return what the room or the seek `key` offers; None if there is none or the code is wrong.

    Raises:
        StoreError: the database fails.
    """
    room = authority.lobby.rooms.get(key) or authority.offers.closed.get(key)
    if room is None:
        room = await authority.rooms.sleeping.find(key)
    if room is not None:
        secret = (room.terms.code or "").encode()
        if not hmac.compare_digest((code or "").encode() if secret else b"", secret):
            return None
        free = [seat for seat, player in enumerate(room.players) if player is None]
        return Invitation(
            kind="room",
            state="open" if room.status == "waiting" else room.status,
            players=list(room.players),
            seat=free[0] if len(free) == 1 else None,
            settings=room.settings,
            room=room.id,
        )
    over = authority.offers.over.get(key)
    offer = authority.lobby.offers.get(key) if over is None else over.offer
    if offer is None or offer.target is not None:
        return None
    return Invitation(
        kind="seek",
        state="open" if over is None else over.outcome,
        players=[offer.owner, None],
        seat=None if offer.seat is None else 1 - offer.seat,
        settings=offer.settings,
        room=None if over is None else over.room,
    )
