"""The hello of a connection: finds or makes its player, and answers with a welcome."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import secrets
from typing import Any, Final

from protocol import client_messages as said
from protocol.common import Kind, PlayerInfo
from protocol.errors import ErrorCode
from protocol.version import MAX_INBOUND_BYTES, PROTOCOL_VERSION
from server.core.errors import Refused
from server.core.storage import PlayerRow, StoreError
from server.shell.authority import Authority
from server.shell.offers import challenged
from server.shell.peer import Peer

SERVER_NAME: Final = "doublecross"


def token_hash(token: str) -> bytes:
    """What is stored of a token. It has 192 random bits, so a plain SHA-256 is enough: there is
    nothing to guess."""
    return hashlib.sha256(token.encode()).digest()


def new_token(name: str, key: str | None) -> str:
    """The token of a new player: random, or, given the client's key, what always follows from
    key and name, so that a hello sent again after a lost welcome is known to be the same."""
    if key is None:
        return secrets.token_urlsafe(24)
    digest = hmac.digest(key.encode(), b"doublecross player " + name.casefold().encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:24]).decode()


async def hello(
    authority: Authority, peer: Peer, message: said.Hello, http: str | None, silence_ms: int
) -> Peer | None:
    """Find or make the player; answer `welcome`. Returns the connection that it replaces.

    Raises:
        Refused: another protocol version, an unknown token, a name that is taken.
    """
    if message.protocol != PROTOCOL_VERSION:
        raise Refused(
            ErrorCode.UNSUPPORTED_VERSION,
            f"This server speaks protocol version {PROTOCOL_VERSION}, not {message.protocol}.",
        )
    if (message.kind == "bot") != (message.engine is not None):
        raise Refused(ErrorCode.BAD_MESSAGE, "Bots, and only bots, say which engine they run.")
    try:
        row, token = await _find_or_make(authority, message)
    except StoreError:
        raise Refused(
            ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again."
        ) from None
    player = PlayerInfo(name=row.name, kind=row.kind, engine=message.engine)
    peer.client = message.client
    replaced = authority.arrive(peer, player)
    challenges = authority.lobby.offers.challenges_to(player.name)
    welcome: dict[str, Any] = {
        "type": "welcome",
        "id": message.id,
        "protocol": PROTOCOL_VERSION,
        "server": SERVER_NAME,
        "epoch": authority.config.epoch,
        "player": player.model_dump(),
        "token": token,
        "rooms": (),
        "http": http,
        "limits": {
            "frame_bytes": MAX_INBOUND_BYTES,
            "messages_per_s": authority.config.limits.messages_per_s,
            "grace_ms": authority.config.times.grace_ms,
            "silence_ms": silence_ms,
        },
    }

    def deliver() -> None:
        rooms = authority.lobby.rooms.of_player(player.name)
        welcome["rooms"] = tuple(room.id for room in rooms if not room.left_by(player.name))
        peer.send(welcome)
        for offer in challenges:
            if offer.offer_id in authority.lobby.offers:
                peer.send(challenged(offer))
        if not welcomed.done():
            welcomed.set_result(None)

    welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    # The player is stored, so a commit that fails now undoes nothing of the hello.
    authority.committer.after(deliver, deliver)
    await welcomed  # nobody is listened to before
    return replaced


async def _find_or_make(authority: Authority, message: said.Hello) -> tuple[PlayerRow, str]:
    """The player of the hello, stored, and its token."""
    engine = ("", "") if message.engine is None else (message.engine.name, message.engine.version)
    if message.token is not None:
        row = await authority.store.player_by_token_hash(token_hash(message.token))
        if row is None:
            raise Refused(ErrorCode.BAD_TOKEN, "No player of this server has that token.")
        return await _as_said(authority, row, message.kind, engine), message.token
    if message.name is None:
        raise Refused(ErrorCode.BAD_MESSAGE, "A hello has a name or a token.")
    folded = message.name.casefold()
    token = new_token(message.name, message.key)
    taken = Refused(ErrorCode.NAME_TAKEN, f"The name {message.name} is taken; choose another.")
    if folded in authority.peers.reserved:
        raise taken
    authority.peers.reserved.add(folded)
    try:
        known = await authority.store.player_by_name(message.name)
        if known is not None:
            if message.key is None or not hmac.compare_digest(known.token_hash, token_hash(token)):
                raise taken
            return await _as_said(authority, known, message.kind, engine), token
        row = PlayerRow(message.name, message.kind, *engine, token_hash(token), authority.now())
        await authority.committer.player(row)
        return row, token
    finally:
        authority.peers.reserved.discard(folded)


async def _as_said(
    authority: Authority, row: PlayerRow, kind: Kind, engine: tuple[str, str]
) -> PlayerRow:
    """A known player, as what it says it is today."""
    if (row.kind, row.engine, row.engine_version) != (kind, *engine):
        row = PlayerRow(row.name, kind, *engine, row.token_hash, row.created_ms)
        await authority.committer.player(row)
    return row
