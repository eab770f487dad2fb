"""Handle the hello of a connection: find or create its player, and answer with a welcome."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from typing import Any, Final

from websockets.protocol import OPEN

from protocol import client_messages
from protocol.common import Kind, PlayerInfo
from protocol.errors import ErrorCode
from protocol.text import one_line
from protocol.version import MAX_INBOUND_BYTES, PROTOCOL_VERSION
from server.core.errors import Refused
from server.core.storage import PlayerRow, StoreError
from server.shell.addresses.admission import Action
from server.shell.arranging.desk import arranged_challenge
from server.shell.authority import Authority
from server.shell.identity.names import look_of, problem_with
from server.shell.identity.tokens import new_token, token_hash
from server.shell.offers import challenged
from server.shell.peer import Peer
from server.shell.peers import Reservation

SERVER_NAME: Final = "doublecross"
pause = asyncio.sleep
"""Wait for so many seconds."""


async def hello(
    authority: Authority,
    peer: Peer,
    message: client_messages.Hello,
    http: str | None,
    page: str | None,
    silence_ms: int,
) -> Peer | None:
    """Find or create the player, and answer with `welcome`.

    Returns the player's former connection, which this one replaces, or None. `http` is the HTTP
    address for the welcome, `page` the version of the browser page; `silence_ms` is how long the
    peer may send nothing.

    Raises:
        Refused: another protocol version, an unknown token, a name that is taken or not allowed, or
            too many logins or new names from the peer's address.
    """
    if message.protocol != PROTOCOL_VERSION:
        raise Refused(
            ErrorCode.UNSUPPORTED_VERSION,
            f"This server speaks protocol version {PROTOCOL_VERSION}, not {message.protocol};"
            " install the matching version of Doublecross.",
        )
    if (message.kind == "bot") != (message.engine is not None):
        raise Refused(ErrorCode.BAD_MESSAGE, "A bot must name its engine, and a person must not.")
    engine = message.engine
    if engine is not None and not (engine.name.isprintable() and engine.version.isprintable()):
        raise Refused(
            ErrorCode.BAD_MESSAGE,
            "The engine's name or version has control characters; leave them out.",
        )
    authority.admission.check(peer.source, Action.LOGIN)
    try:
        row, token = await _find_or_create(authority, message, peer.source)
    except StoreError:
        raise Refused(
            ErrorCode.STORAGE_FAILED,
            "The server's storage does not answer; try again in a moment.",
        ) from None
    now, old = asyncio.get_running_loop().time(), authority.peers.by_name.get(row.name)
    if old is not None:
        authority.debts.keep(old)
    wait_s = authority.debts.wait_s(row.name, now)
    if wait_s:
        await pause(wait_s)
    if peer.ws.state is not OPEN:
        # It must not replace a connection that is in use.
        raise Refused(ErrorCode.HELLO_FIRST, "The connection has ended.")
    player = PlayerInfo(name=row.name, kind=row.kind, engine=message.engine)
    peer.client = one_line(message.client)
    peer.boards = message.boards
    peer.takebacks = message.takebacks
    replaced = authority.arrive(peer, player)
    challenges = authority.lobby.offers.challenges_to(player.name)
    arrangements = authority.lobby.arrangements.with_bot(player.name)
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
        "page": page,
        "limits": {
            "frame_bytes": MAX_INBOUND_BYTES,
            "messages_per_s": authority.config.limits.messages_per_s,
            "grace_ms": authority.config.times.grace_ms,
            "silence_ms": silence_ms,
        },
        "advice": authority.advice.is_open,
        "reviews": authority.reviews.is_open,
    }

    def deliver() -> None:
        rooms = authority.lobby.rooms.of_player(player.name)
        welcome["rooms"] = tuple(room.id for room in rooms if not room.left_by(player.name))
        peer.send(welcome)
        for offer in challenges:
            if offer.offer_id in authority.lobby.offers:
                peer.send(challenged(offer))
        for arrangement in arrangements:
            if arrangement.arrangement_id in authority.lobby.arrangements:
                peer.send(arranged_challenge(arrangement, player.name))
        if not welcomed.done():
            welcomed.set_result(None)

    welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    # The welcome goes out even if a commit fails now, because the player is stored already.
    authority.committer.after(deliver, deliver)
    await welcomed  # the welcome must be the first message, before any answer
    return replaced


async def _find_or_create(
    authority: Authority, message: client_messages.Hello, source: str
) -> tuple[PlayerRow, str]:
    """Return the stored player of a hello, and its token; store the player first if it is new.

    `source` is the address of the peer, which may have a limited number of new names.
    """
    engine = ("", "") if message.engine is None else (message.engine.name, message.engine.version)
    if message.token is not None:
        row = await authority.store.player_by_token_hash(token_hash(message.token))
        if row is None:
            raise Refused(
                ErrorCode.BAD_TOKEN,
                "No player of this server has that token; connect with a name instead.",
            )
        return await _update_player(authority, row, message.kind, engine), message.token
    if message.name is None:
        raise Refused(ErrorCode.BAD_MESSAGE, "A hello must have a name or a token.")
    folded, look = message.name.casefold(), look_of(message.name)
    token = new_token(message.name, message.key)
    taken = Refused(ErrorCode.NAME_TAKEN, f"The name {message.name} is taken; choose another.")
    hashed = token_hash(token)
    reserved = authority.peers.reserved
    while other := reserved.get(folded) or reserved.get(look):
        if not hmac.compare_digest(other.token_hash, hashed):
            raise taken
        await other.ended.wait()  # the same player has sent its hello again
    own = reserved[folded] = reserved[look] = Reservation(hashed)
    try:
        alike = await authority.store.players_like(message.name, look)
        known = alike[0] if alike and alike[0].name.casefold() == folded else None
        if known is not None:
            if message.key is None or not hmac.compare_digest(known.token_hash, hashed):
                raise taken
            return await _update_player(authority, known, message.kind, engine), token
        _check_new_name(authority, message.name, look, alike)
        authority.admission.check(source, Action.NAME)
        row = PlayerRow(message.name, message.kind, *engine, hashed, authority.date(), look)
        await authority.committer.queue_player(row)
        return row, token
    finally:
        del reserved[folded]
        reserved.pop(look, None)  # a look can equal a name
        own.ended.set()


def _check_new_name(authority: Authority, name: str, look: str, alike: Sequence[PlayerRow]) -> None:
    """Check that a new player may have this name; `alike` are players whose names look like it.

    Raises:
        Refused: others could take the player for somebody else.
    """
    problem = problem_with(name)
    if problem:
        raise Refused(ErrorCode.BAD_MESSAGE, problem)
    # `Boss` and `bOSS` have equal looks too, as looks do not depend on case.
    if look in authority.reserved_looks:
        raise Refused(ErrorCode.NAME_TAKEN, f"The name {name} is reserved; choose another.")
    if alike:
        raise Refused(
            ErrorCode.NAME_TAKEN,
            f"The name {name} looks like {alike[0].name}, which is taken; choose another.",
        )


async def _update_player(
    authority: Authority, row: PlayerRow, kind: Kind, engine: tuple[str, str]
) -> PlayerRow:
    """Return a known player with the kind and engine of this hello, stored if they changed."""
    if (row.kind, row.engine, row.engine_version) != (kind, *engine):
        row = PlayerRow(row.name, kind, *engine, row.token_hash, row.created_ms, row.look)
        await authority.committer.queue_player(row)
    return row
