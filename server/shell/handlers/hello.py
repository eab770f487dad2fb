"""Handle the hello of a connection: find or create its player, and answer with a welcome."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from doublecross.protocol import client_messages
from doublecross.protocol.common import Kind, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.protocol.version import MAX_INBOUND_BYTES, PROTOCOL_VERSION
from doublecross.server.core.accounts import PlayerRow
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.arranging import arranged_challenge
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.identity.newcomers import taken
from doublecross.server.shell.identity.rights import Rights, check_kind
from doublecross.server.shell.identity.tokens import new_id, new_token, token_hash
from doublecross.server.shell.lobby.offers import challenged
from doublecross.server.shell.peer import Peer

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
    joined: Callable[[], None],
) -> Peer | None:
    """Find or create the player, and answer with `welcome`.

    Returns the player's former connection, which this one replaces, or None. `http` is the HTTP
    address for the welcome, `page` the version of the browser page; `silence_ms` is how long the
    peer may send nothing. `joined` is called right after the welcome is sent.

    Raises:
        Refused: another protocol version, an unknown token or one that has ended, an account of the
            other kind, a ban, a name that is taken or not allowed, or too many logins or new names
            from the peer's address.
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
    accounts = authority.accounts
    seen = accounts.changes
    try:
        accounts.bans.check_address(peer.address)
        row, token, peer.rights = await _find_or_create(authority, message, peer.source)
    except StoreError:
        raise Refused(
            ErrorCode.STORAGE_FAILED,
            "The server's storage does not answer; try again in a moment.",
        ) from None
    now, old = asyncio.get_running_loop().time(), authority.peers.by_name.get(row.name)
    if old is not None:
        authority.used_rates.keep(old)
    wait_s = authority.used_rates.wait_s(row.name, now)
    if wait_s:
        await pause(wait_s)
    row, peer.rights = await _still(authority, seen, row, token, peer, message.kind)
    if not peer.websocket.is_open:
        # It must not replace a connection that is in use.
        raise Refused(ErrorCode.HELLO_FIRST, "The connection has ended.")
    if peer.rights.token_id:
        accounts.guesses.know(row.name, peer.source)
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
    if authority.config.servers:
        welcome["servers"] = authority.config.servers

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
        announcement = authority.announcements.for_newcomer()
        if announcement is not None:
            peer.send(announcement)
        joined()
        if not welcomed.done():
            welcomed.set_result(None)

    welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    # The welcome goes out even if a commit fails now, because the player is stored already.
    authority.committer.after(deliver, deliver)
    await welcomed  # the welcome must be the first message, before any answer
    return replaced


async def _still(
    authority: Authority, seen: int, row: PlayerRow, token: str, peer: Peer, kind: Kind
) -> tuple[PlayerRow, Rights]:
    """Return the player and the rights of a token, which may have changed during the hello.

    `seen` is `AccountService.changes` at its start. No other task runs between the last look and
    the return.

    Raises:
        Refused: the token has ended meanwhile, or there is a ban.
    """
    accounts, rights = authority.accounts, peer.rights
    while accounts.changes != seen:
        seen = accounts.changes
        try:
            accounts.bans.check_address(peer.address)
            login, rights = await accounts.identify(token)
        except StoreError:
            raise Refused(
                ErrorCode.STORAGE_FAILED,
                "The server's storage does not answer; try again in a moment.",
            ) from None
        check_kind(login, kind, rights.scopes)
        row = login.player
    accounts.check_steady(row.account_id)
    return row, rights


async def _find_or_create(
    authority: Authority, message: client_messages.Hello, source: str
) -> tuple[PlayerRow, str, Rights]:
    """Return the stored player of a hello, its token and rights; store a new player first.

    `source` is the address of the peer, which may have a limited number of new names.
    """
    engine = ("", "") if message.engine is None else (message.engine.name, message.engine.version)
    if message.token is not None:
        login, rights = await authority.accounts.identify(message.token)
        check_kind(login, message.kind, rights.scopes)
        row = await _update_player(authority, login.player, message.kind, engine)
        return row, message.token, rights
    if message.name is None:
        raise Refused(ErrorCode.BAD_MESSAGE, "A hello must have a name or a token.")
    token = new_token(message.name, message.key)
    hashed = token_hash(token)
    newcomers = authority.accounts.newcomers
    async with newcomers.reserve(message.name, hashed) as alike:
        if alike and alike[0].name.casefold() == message.name.casefold():
            known = alike[0]
            if message.key is None or not hmac.compare_digest(known.token_hash, hashed):
                raise taken(message.name)
            authority.accounts.bans.check_account(known.account_id)
            row = await _update_player(authority, known, message.kind, engine)
        elif message.key is not None and await authority.store.accounts.login(hashed) is not None:
            # The same client, whose player has another name now.
            login, rights = await authority.accounts.identify(token)
            check_kind(login, message.kind, rights.scopes)
            return (
                await _update_player(authority, login.player, message.kind, engine),
                token,
                rights,
            )
        else:
            authority.availability.check_accepting()
            newcomers.check(message.name, alike, source)
            look, account_id = look_of(message.name), new_id()
            row = PlayerRow(
                message.name, message.kind, *engine, hashed, authority.date(), look, account_id
            )
            await authority.committer.queue_player(row)
    return row, token, Rights(row.account_id)


async def _update_player(
    authority: Authority, row: PlayerRow, kind: Kind, engine: tuple[str, str]
) -> PlayerRow:
    """Return a known player with the kind and engine of this hello, stored if they changed."""
    if (row.kind, row.engine, row.engine_version) != (kind, *engine):
        row = replace(row, kind=kind, engine=engine[0], engine_version=engine[1])
        await authority.committer.queue_player(row)
    return row
