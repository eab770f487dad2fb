"""Who acts as an admin or as the host, and the data of a player for them."""

from __future__ import annotations

import hmac
from typing import Final

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from doublecross.server.shell.accounts.identification import Identification
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.admin.audit import HOST, Actor
from doublecross.server.shell.admin.export import player_data
from doublecross.server.shell.admin.service import find_player
from doublecross.server.shell.identity.rights import bearer, missing, token_hash
from doublecross.server.shell.web.endpoints import Endpoint, Handler, QueryParameter, values
from doublecross.server.shell.web.limits import address_of
from doublecross.server.shell.web.managing.account import identified
from doublecross.server.shell.web.managing.admin_answers import PlayerData
from doublecross.server.shell.web.reading import Reading

LONG_S: Final = 300.0
"""How long a request that reads all games of a player may take, in seconds."""
FROM_HOST: Final = "doublecross.from_host"
"""The key in the scope of a request that is true if a node has found the host's token in it."""
_ERRORS: Final = {
    401: "The token is missing, unknown or has ended.",
    403: "The token lacks the scope admin, or the account is banned.",
    404: "There is no such player, room or ban.",
    409: "This is not possible now; the sentence says why.",
}


async def actor_of(
    accounts: Identification, sources: Sources, host_hash: bytes | None, request: Request
) -> Actor:
    """Return who sends a request.

    Raises:
        Refused: neither the host nor an admin.
        StoreError: the database failed.
    """
    address = address_of(sources, request.scope)
    # The host has no account, so it needs no look into the database.
    if request.scope.get(FROM_HOST) or is_host(bearer(request.headers), host_hash):
        return Actor("", HOST, address)
    login, rights = await identified(accounts, sources, request)
    if not rights.is_admin:
        raise missing("admin")
    return Actor(login.account.account_id, login.player.name, address)


def player_data_endpoint(reading: Reading, host_hash: bytes | None) -> Endpoint:
    """Return the endpoint; `host_hash` is the hash of the host's token, if there is one."""

    async def data(request: Request) -> Response:
        await actor_of(reading.accounts, reading.sources, host_hash, request)
        login = await find_player(reading.store.accounts, values(request)["player"])
        await reading.matches.settled()
        found = await player_data(reading.store, login)
        headers = {"cache-control": "no-store"}
        return Response(found, media_type="application/json", headers=headers)

    return admin_endpoint(
        "player-data",
        data,
        "Everything that is stored about a player.",
        PlayerData,
        (QueryParameter("player", "the player's name", is_required=True),),
    )


def is_host(secret: str, known: bytes | None) -> bool:
    """Return whether this is the host's token; `known` is its hash, if there is one."""
    return bool(secret) and known is not None and hmac.compare_digest(token_hash(secret), known)


def admin_endpoint(
    name: str,
    handle: Handler,
    about: str,
    answer: type[BaseModel],
    parameters: tuple[QueryParameter, ...] = (),
    question: type[BaseModel] | None = None,
) -> Endpoint:
    """Return an endpoint for admins and the host."""
    return Endpoint(
        f"/api/admin/{name}",
        handle,
        about,
        answer,
        parameters,
        _ERRORS,
        deadline_s=LONG_S,
        question=question,
    )
