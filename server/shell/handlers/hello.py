"""Handle the hello of a connection in three steps, each with a question of its own.

==========  ===================================================================================
`identify`  Who is it? Find the player of the token, or make a new one with the name.
`admit`     May they come in? Wait until they have their rate again, and look once more whether
            a ban or the end of the token came meanwhile.
`welcome`   What do they get? Connect the player, and send the welcome with what waits for it.
==========  ===================================================================================

`identify` and `admit` change nothing that others see. `welcome` waits only for the commit.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from doublecross.protocol import client_messages
from doublecross.protocol.common import Kind, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.protocol.version import MAX_INBOUND_BYTES, PROTOCOL_VERSION
from doublecross.server.core.errors import Refused, storage_silent
from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.arranging import arranged_challenge
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.identity.newcomers import taken
from doublecross.server.shell.identity.rights import (
    Rights,
    check_kind,
    new_id,
    new_token,
    token_hash,
)
from doublecross.server.shell.lobby.offers import challenged
from doublecross.server.shell.peer import Peer

SERVER_NAME: Final = "doublecross"
pause = asyncio.sleep
"""Wait for so many seconds."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place where the client is, as a welcome says it.

    `http` is the HTTP address, `page` the version of the browser page, and `silence_ms` how long
    the client may send nothing.
    """

    http: str | None
    page: str | None
    silence_ms: int


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is known, and not admitted yet. `rights` are those of the token."""

    row: PlayerRow
    token: str
    rights: Rights


async def hello(
    authority: Authority,
    peer: Peer,
    message: client_messages.Hello,
    place: Place,
    joined: Callable[[], None],
) -> list[Peer]:
    """Identify, admit and welcome whoever has sent a hello.

    Returns the player's connections whose place this one takes. `joined` is called right after the
    welcome is sent.

    Raises:
        Refused: another protocol version, an unknown token or one that has ended, an account of the
            other kind, a ban, a name that is taken or not allowed, or too many new names from the
            peer's address.
    """
    _check(message)
    # Before the first look at the account, so that no change in between is missed.
    seen = authority.accounts.changes
    visitor = await identify(authority, peer, message)
    visitor = await admit(authority, peer, message.kind, visitor, seen)
    return await welcome(authority, peer, message, visitor, place, joined)


def _check(message: client_messages.Hello) -> None:
    """Check what a hello says of its client.

    Raises:
        Refused: another protocol version, or a bot without a proper engine.
    """
    if message.protocol != PROTOCOL_VERSION:
        raise Refused(
            ErrorCode.UNSUPPORTED_VERSION,
            "This server speaks protocol version {version}, not {asked}; install the"
            " matching version of Doublecross.",
            PROTOCOL_VERSION,
            message.protocol,
        )
    engine = message.engine
    if (message.kind == "bot") != (engine is not None):
        raise Refused(ErrorCode.BAD_MESSAGE, "A bot must name its engine, and a person must not.")
    if engine is not None and not (engine.name.isprintable() and engine.version.isprintable()):
        raise Refused(
            ErrorCode.BAD_MESSAGE,
            "The engine's name or version has control characters; leave them out.",
        )


@contextmanager
def _storage() -> Iterator[None]:
    """Refuse a hello during which the storage fails.

    Raises:
        Refused: it has failed.
    """
    try:
        yield
    except StoreError:
        raise storage_silent() from None


# -- who is it -----------------------------------------------------------------------------------


async def identify(authority: Authority, peer: Peer, message: client_messages.Hello) -> Visitor:
    """Return the stored player of a hello; store a new player first.

    Raises:
        Refused: see `hello`.
    """
    with _storage():
        if message.token is not None:
            return await _known(authority, message, message.token)
        if message.name is None:
            raise Refused(ErrorCode.BAD_MESSAGE, "A hello must have a name or a token.")
        return await _named(authority, message, message.name, peer.source)


async def _known(authority: Authority, message: client_messages.Hello, token: str) -> Visitor:
    """Return the player of a token."""
    login, rights = await authority.accounts.identify(token)
    check_kind(login, message.kind, rights.scopes)
    return Visitor(await _updated(authority, login.player, message), token, rights)


async def _named(
    authority: Authority, message: client_messages.Hello, name: str, source: str
) -> Visitor:
    """Return a new player with a name, or the one that this client has made before.

    The same client proves itself by its key. `source` may have a limited number of new names.
    """
    token = new_token(name, message.key)
    hashed = token_hash(token)
    accounts = authority.accounts
    # The name stays reserved until the player is stored, at the end of this block.
    async with accounts.newcomers.reserve(name, hashed) as alike:
        if alike and alike[0].name.casefold() == name.casefold():
            row = alike[0]
            # The token follows from name and key, so the same key is proof of the same client.
            if message.key is None or not hmac.compare_digest(row.token_hash, hashed):
                raise taken(name)
            # The key has let the client in without `AccountService.identify`, which checks this.
            accounts.bans.check_account(row.account_id)
            accounts.check_steady(row.account_id)
            row = await _updated(authority, row, message)
        elif message.key is not None and await authority.store.accounts.login(hashed) is not None:
            # The same client, whose player has another name now.
            return await _known(authority, message, token)
        else:
            authority.availability.check_accepting()
            accounts.newcomers.check(name, alike, source)
            row = PlayerRow(
                name,
                message.kind,
                *_engine(message),
                hashed,
                authority.date(),
                look_of(name),
                new_id(),
            )
            await authority.committer.queue_player(row)
    return Visitor(row, token, Rights(row.account_id))


async def _updated(
    authority: Authority, row: PlayerRow, message: client_messages.Hello
) -> PlayerRow:
    """Return a known player with the kind and engine of this hello, stored if they changed."""
    now = (message.kind, *_engine(message))
    if (row.kind, row.engine, row.engine_version) != now:
        row = replace(row, kind=now[0], engine=now[1], engine_version=now[2])
        await authority.committer.queue_player(row)
    return row


def _engine(message: client_messages.Hello) -> tuple[str, str]:
    return ("", "") if message.engine is None else (message.engine.name, message.engine.version)


# -- may they come in ----------------------------------------------------------------------------


async def admit(
    authority: Authority, peer: Peer, kind: Kind, visitor: Visitor, seen: int
) -> Visitor:
    """Wait until the player has its rate again, and check once more that it may come in.

    `seen` is `AccountService.changes` at the start of the hello. No other task runs between the
    last look and the return.

    Raises:
        Refused: the token has ended meanwhile, or there is a ban, or the connection has ended.
    """
    name = visitor.row.name
    others, now = authority.peers.of(name), asyncio.get_running_loop().time()
    wait_s = authority.used_rates.wait_s(name, others, now)
    if wait_s:
        await pause(wait_s)
    accounts = authority.accounts
    # Again and again, because the account may change during each look as well.
    while accounts.changes != seen:
        seen = accounts.changes
        with _storage():
            accounts.bans.check_address(peer.address)
            login, rights = await accounts.identify(visitor.token)
        check_kind(login, kind, rights.scopes)
        visitor = Visitor(login.player, visitor.token, rights)
    if not peer.websocket.is_open:
        # It must not take the place of a connection that is in use.
        raise Refused(ErrorCode.HELLO_FIRST, "The connection has ended.")
    return visitor


# -- what do they get ----------------------------------------------------------------------------


async def welcome(
    authority: Authority,
    peer: Peer,
    message: client_messages.Hello,
    visitor: Visitor,
    place: Place,
    joined: Callable[[], None],
) -> list[Peer]:
    """Connect the player, and send the welcome and what waits for the player.

    Returns the connections whose place this one takes. `joined` is called after the welcome.
    """
    row, peer.rights = visitor.row, visitor.rights
    # A guest's token has no id, and there is no password to guess.
    if peer.rights.token_id:
        authority.accounts.guesses.know(row.name, peer.source)
    player = PlayerInfo(name=row.name, kind=row.kind, engine=message.engine)
    peer.client = one_line(message.client)
    peer.boards = message.boards
    peer.takebacks = message.takebacks
    peer.exclusive = player.kind == "bot" if message.exclusive is None else message.exclusive
    surplus = authority.arrive(peer, player)
    lobby = authority.lobby
    # From now on the player is connected and is told of new offers. Only these are left to
    # `deliver`.
    challenges = lobby.offers.challenges_to(player.name) if peer.may_play else ()
    # Only bots are asked to play a match that somebody else arranges.
    asked = peer.may_play and player.kind == "bot"
    arrangements = lobby.arrangements.with_bot(player.name) if asked else ()
    # The player is connected now, so a later announcement comes by itself.
    announcement = authority.announcements.for_newcomer()

    def deliver() -> None:
        # Not before, because a room can close, or can be undone, while the welcome waits.
        peer.send(_answer(authority, message.id, peer, visitor.token, place))
        for offer in challenges:
            # It may have ended during the wait.
            if offer.offer_id in lobby.offers:
                peer.send(challenged(offer))
        for arrangement in arrangements:
            if arrangement.arrangement_id in lobby.arrangements:
                peer.send(arranged_challenge(arrangement, player.name))
        if announcement is not None:
            peer.send(announcement)
        joined()
        # Whoever waits for it may have been cancelled.
        if not welcomed.done():
            welcomed.set_result(None)

    welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    # The welcome goes out even if a commit fails now, because the player is stored already.
    authority.committer.after(deliver, deliver)
    await welcomed  # the welcome must be the first message, before any answer
    return surplus


def _answer(
    authority: Authority, request_id: int, peer: Peer, token: str, place: Place
) -> dict[str, Any]:
    """Return the welcome of a player."""
    config, player = authority.config, peer.player
    assert player is not None
    answer: dict[str, Any] = {
        "type": "welcome",
        "id": request_id,
        "protocol": PROTOCOL_VERSION,
        "server": SERVER_NAME,
        "epoch": config.epoch,
        "player": player.model_dump(),
        "token": token,
        "rooms": authority.lobby.rooms.rejoinable(peer.name) if peer.may_play else [],
        "http": place.http,
        "page": place.page,
        "limits": {
            "frame_bytes": MAX_INBOUND_BYTES,
            "messages_per_s": config.limits.messages_per_s,
            "grace_ms": config.times.grace_ms,
            "silence_ms": place.silence_ms,
        },
        "advice": authority.advice.is_open,
        "reviews": authority.reviews.is_open,
        "talk": config.limits.talk,
    }
    if config.servers:
        answer["servers"] = config.servers
    return answer
