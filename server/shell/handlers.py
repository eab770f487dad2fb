"""One handler for each message of a client after its hello, and the table that finds it.

A handler gets the authority, the peer and the message. It answers exactly once, now or after
the commit, or raises `Refused`. Those that read the database are coroutines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from protocol import client_messages as said
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from server.core import commands
from server.core.errors import Refused, Repeated
from server.core.events import Event
from server.core.lobby.lobby import OpenedRoom
from server.core.lobby.offers import Offer
from server.core.room import Room
from server.core.storage import StoreError
from server.shell.answers import after_commit
from server.shell.authority import Authority
from server.shell.peer import Peer
from server.shell.tournaments.handlers import TOURNAMENT_HANDLERS

# -- rooms -------------------------------------------------------------------------------------


def printable(text: str) -> str:
    """`text` for other people's screens: without control characters, without what turns the
    direction of writing, in one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _player(peer: Peer) -> PlayerInfo:
    assert peer.player is not None
    return peer.player


def _again(authority: Authority, peer: Peer, key: str, request_id: int) -> bool:
    """Whether this key has created something already; then that is the answer."""
    found = authority.lobby.created_by(peer.name, key)
    if isinstance(found, Room):
        authority.rooms.following.show(peer, found, request_id, origin=found.terms.origin)
    elif isinstance(found, Offer):
        _offer_answer(peer, found, request_id)
    return found is not None


def _offer_answer(peer: Peer, offer: Offer, request_id: int) -> None:
    kind, field = (
        ("seek_posted", "seek") if offer.target is None else ("challenge_sent", "challenge")
    )
    peer.send({"type": kind, "id": request_id, field: offer.offer_id})


def _may_see(room: Room, peer: Peer, code: str | None) -> None:
    if (
        room.terms.code is not None
        and code != room.terms.code
        and room.seat_of(peer.name) is None
        and room.id not in peer.followed
    ):
        raise Refused(ErrorCode.WRONG_CODE, "This room is private; its join code is needed.")


def _may_follow(authority: Authority, peer: Peer, room: str = "") -> None:
    if room not in peer.followed and len(peer.followed) >= authority.config.limits.followed_rooms:
        raise Refused(ErrorCode.TOO_MANY, "You follow too many rooms; leave some first.")


def create_room(authority: Authority, peer: Peer, message: said.CreateRoom) -> None:
    """See `CreateRoom`."""
    authority.check_open()
    if _again(authority, peer, message.key, message.id):
        return
    _may_follow(authority, peer)
    opened = authority.lobby.create_room(
        _player(peer), message.key, message.settings, message.seat, message.private, authority.now()
    )
    authority.offers.opened(opened, peer, message.id)


def join_room(authority: Authority, peer: Peer, message: said.JoinRoom) -> None:
    """See `JoinRoom`; joining again shows the room."""
    authority.check_open()
    room = authority.lobby.rooms.find(message.room)
    if room.seat_of(peer.name) is None:
        _may_see(room, peer, message.code)
        _may_follow(authority, peer)
        authority.rooms.publisher.publish(
            room, authority.lobby.join_room(_player(peer), room, authority.now())
        )
    authority.rooms.following.show(peer, room, message.id)


def watch(authority: Authority, peer: Peer, message: said.Watch) -> None:
    """See `Watch`."""
    room = authority.lobby.rooms.find(message.room)
    _may_see(room, peer, message.code)
    _may_follow(authority, peer, room.id)
    authority.rooms.following.show(peer, room, message.id)


def resume(authority: Authority, peer: Peer, message: said.Resume) -> None:
    """See `Resume`."""
    room = authority.lobby.rooms.find(message.room)
    _may_see(room, peer, None)
    _may_follow(authority, peer, room.id)
    authority.rooms.following.show(peer, room, message.id, seq=message.seq or None)


def leave(authority: Authority, peer: Peer, message: said.Leave) -> None:
    """See `Leave`; leaving a room that is gone is done already."""
    room = authority.lobby.rooms.get(message.room)
    if room is not None and room.seat_of(peer.name) is not None and room.status != "closed":
        authority.rooms.publisher.publish(room, room.leave(peer.name, authority.now()))

    def deliver() -> None:
        if message.room in peer.followed:
            authority.rooms.following.unfollow(peer, message.room)
        peer.send({"type": "done", "id": message.id})

    after_commit(authority.committer, peer, message.id, deliver)


def move(authority: Authority, peer: Peer, message: said.Move) -> None:
    """See `Move`."""
    authority.check_open()
    room = authority.lobby.rooms.find(message.room)
    try:
        events = room.move(
            peer.name,
            message.match,
            message.ply,
            message.action,
            message.expected,
            message.fallback,
            authority.now(),
        )
    except Repeated as repeated:
        _answer_again(authority, peer, room, repeated.seq, message.id)
        return
    authority.rooms.publisher.publish(room, events, peer, message.id)


def _answer_again(authority: Authority, peer: Peer, room: Room, seq: int, request_id: int) -> None:
    """Send the original answer to a repeated request, once it is stored."""
    channel = authority.rooms.registry.channels[room.id]

    def deliver() -> None:
        event = channel.event(seq)
        if event is None:
            peer.refuse(request_id, ErrorCode.STALE_PLY, "That move was played long ago.")
        else:
            peer.send({**event, "id": request_id})

    after_commit(authority.committer, peer, request_id, deliver)


def _in_room(
    act: Callable[[Room, str, Any, int], list[Event]],
) -> Callable[[Authority, Peer, Any], None]:
    """A handler for a request that a seated player makes of a room, answered by an event."""

    def handler(authority: Authority, peer: Peer, message: Any) -> None:
        authority.check_open()
        room = authority.lobby.rooms.find(message.room)
        events = act(room, peer.name, message, authority.now())
        authority.rooms.publisher.publish(room, events, peer, message.id)

    return handler


# -- offers ------------------------------------------------------------------------------------


def seek(authority: Authority, peer: Peer, message: said.Seek) -> None:
    """See `Seek`."""
    authority.check_open()
    if not _again(authority, peer, message.key, message.id):
        offer = authority.lobby.seek(_player(peer), message.key, message.settings, message.seat)
        _post(authority, peer, offer, message.id)


def quick_match(authority: Authority, peer: Peer, message: said.QuickMatch) -> None:
    """See `QuickMatch`."""
    authority.check_open()
    if _again(authority, peer, message.key, message.id):
        return
    found = authority.lobby.quick_match(
        _player(peer), message.key, message.settings, authority.now()
    )
    if isinstance(found, OpenedRoom):
        authority.offers.opened(found, peer, message.id)
    else:
        _post(authority, peer, found, message.id)


def challenge(authority: Authority, peer: Peer, message: said.Challenge) -> None:
    """See `Challenge`."""
    authority.check_open()
    if not _again(authority, peer, message.key, message.id):
        offer = authority.lobby.challenge(
            _player(peer), message.key, message.player, message.settings, message.seat
        )
        _post(authority, peer, offer, message.id)


def _post(authority: Authority, peer: Peer, offer: Offer, request_id: int) -> None:
    _offer_answer(peer, offer, request_id)
    authority.offers.posted(offer)


def _accept(
    authority: Authority, peer: Peer, key: str, offer_id: str, is_challenge: bool, request_id: int
) -> None:
    authority.check_open()
    if _again(authority, peer, key, request_id):
        return
    _may_follow(authority, peer)
    opened = authority.lobby.accept(_player(peer), key, offer_id, is_challenge, authority.now())
    authority.offers.opened(opened, peer, request_id)


def accept_seek(authority: Authority, peer: Peer, message: said.AcceptSeek) -> None:
    """See `AcceptSeek`."""
    _accept(authority, peer, message.key, message.seek, False, message.id)


def accept_challenge(authority: Authority, peer: Peer, message: said.AcceptChallenge) -> None:
    """See `AcceptChallenge`."""
    _accept(authority, peer, message.key, message.challenge, True, message.id)


def cancel_seek(authority: Authority, peer: Peer, message: said.CancelSeek) -> None:
    """See `CancelSeek`."""
    authority.offers.ended(authority.lobby.cancel(_player(peer), message.seek, False), "", None)
    peer.send({"type": "done", "id": message.id})


def cancel_challenge(authority: Authority, peer: Peer, message: said.CancelChallenge) -> None:
    """See `CancelChallenge`."""
    offer = authority.lobby.cancel(_player(peer), message.challenge, True)
    authority.offers.ended(offer, "cancelled", offer.target)
    peer.send({"type": "done", "id": message.id})


def decline_challenge(authority: Authority, peer: Peer, message: said.DeclineChallenge) -> None:
    """See `DeclineChallenge`."""
    offer = authority.lobby.decline(_player(peer), message.challenge)
    authority.offers.ended(offer, "declined", offer.owner.name, message.reason)
    peer.send({"type": "done", "id": message.id})


# -- the rest ----------------------------------------------------------------------------------


def ping(authority: Authority, peer: Peer, message: said.Ping) -> None:
    """See `Ping`."""
    peer.send({"type": "pong", "id": message.id})


def follow_lobby(authority: Authority, peer: Peer, message: said.FollowLobby) -> None:
    """See `FollowLobby`."""
    if not message.on:
        authority.lobby_feed.follow(peer, False)
        peer.send({"type": "done", "id": message.id})
        return
    # What changed before now is in the state; what changes from now on is told after it.
    authority.lobby_feed.flush()
    state = {**authority.lobby_feed.state(), "id": message.id}

    def deliver() -> None:
        if authority.peers.by_name.get(peer.name) is peer:
            peer.send(state)
            authority.lobby_feed.follow(peer, True)

    after_commit(authority.committer, peer, message.id, deliver)


async def get_record(authority: Authority, peer: Peer, message: said.GetRecord) -> None:
    """See `GetRecord`."""
    try:
        await authority.committer.settled(games=True)
        row = await authority.store.game(message.game_id)
    except StoreError:
        raise Refused(
            ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again."
        ) from None
    if row is None:
        raise Refused(ErrorCode.UNKNOWN_RECORD, f"There is no finished game {message.game_id}.")
    peer.send({"type": "record", "id": message.id, "game_id": row.game_id, "text": row.record})


Handler = Callable[[Authority, Peer, Any], Awaitable[None] | None]

HANDLERS: Final[Mapping[type[said.Request], Handler]] = {
    said.Ping: ping,
    said.CreateRoom: create_room,
    said.JoinRoom: join_room,
    said.Watch: watch,
    said.Leave: leave,
    said.Resume: resume,
    said.Move: move,
    said.Resign: _in_room(lambda room, name, _, now: commands.resign(room, name, now)),
    said.Abort: _in_room(lambda room, name, _, now: commands.abort(room, name, now)),
    said.Claim: _in_room(lambda room, name, _, now: commands.claim(room, name, now)),
    said.Crash: _in_room(
        lambda room, name, m, now: commands.crash(
            room, name, m.match, m.ply, printable(m.message), now, illegal=m.illegal
        )
    ),
    said.Rematch: _in_room(lambda room, name, _, now: commands.offer_rematch(room, name, now)),
    said.Seek: seek,
    said.QuickMatch: quick_match,
    said.Challenge: challenge,
    said.AcceptSeek: accept_seek,
    said.AcceptChallenge: accept_challenge,
    said.CancelSeek: cancel_seek,
    said.CancelChallenge: cancel_challenge,
    said.DeclineChallenge: decline_challenge,
    said.FollowLobby: follow_lobby,
    said.GetRecord: get_record,
    **TOURNAMENT_HANDLERS,
}
"""Everything but `Hello`; see `server.shell.hello`."""
