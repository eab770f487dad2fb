"""One handler for each request that a client sends after its hello, and the table of all handlers.

A handler takes the authority, the peer and the message. It answers exactly once, at once or after
the commit, or it raises `Refused`. Handlers that read the database are coroutines.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from protocol import client_messages
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from protocol.text import one_line
from server.core import commands
from server.core.errors import Refused, Repeated
from server.core.events import Event
from server.core.lobby.lobby import OpenedRoom
from server.core.lobby.offers import Offer
from server.core.room import Room
from server.core.takebacks.commands import answer_takeback, ask_takeback
from server.shell.addresses.admission import Action
from server.shell.advice.handlers import allow_advice, get_advice
from server.shell.answers import after_commit
from server.shell.arranging.handlers import arrange_match
from server.shell.authority import Authority
from server.shell.peer import Peer
from server.shell.phrases.handlers import say_phrase
from server.shell.reviews.handlers import get_games, get_record, get_review
from server.shell.rooms.channel import with_board
from server.shell.tournaments.handlers import TOURNAMENT_HANDLERS

CHALLENGE_BYTES: Final = 8 * 1024
"""What a challenge costs its sender, because somebody else receives it without having asked."""

# -- rooms -------------------------------------------------------------------------------------


def _player(peer: Peer) -> PlayerInfo:
    assert peer.player is not None
    return peer.player


def _answer_if_created(authority: Authority, peer: Peer, key: str, request_id: int) -> bool:
    """Answer with what this idempotency key has created already; return whether there is any."""
    found = authority.lobby.created_by(peer.name, key)
    if isinstance(found, Room):
        _show(authority, peer, found, request_id, origin=found.terms.origin)
    elif isinstance(found, Offer):
        _send_offer(peer, found, request_id)
    return found is not None


def _send_offer(peer: Peer, offer: Offer, request_id: int) -> None:
    kind, field = (
        ("seek_posted", "seek") if offer.target is None else ("challenge_sent", "challenge")
    )
    peer.send({"type": kind, "id": request_id, field: offer.offer_id})


def _show(
    authority: Authority,
    peer: Peer,
    room: Room,
    request_id: int,
    seq: int | None = None,
    origin: str | None = None,
) -> None:
    """Let the peer pay for what it has missed of the room, and show it."""
    following = authority.rooms.following
    price = following.price(room, seq)
    peer.pay(price)
    following.show(peer, room, request_id, seq=seq, origin=origin, paid=price)


def _check_may_see(room: Room, peer: Peer, code: str | None) -> None:
    if (
        room.terms.code is not None
        and not hmac.compare_digest((code or "").encode(), room.terms.code.encode())
        and room.seat_of(peer.name) is None
        and room.id not in peer.followed
    ):
        raise Refused(ErrorCode.WRONG_CODE, "This room is private; give its join code.")


def _check_may_follow(authority: Authority, peer: Peer, room: str = "") -> None:
    if room not in peer.followed and len(peer.followed) >= authority.config.limits.followed_rooms:
        raise Refused(ErrorCode.TOO_MANY, "You follow too many rooms; leave some first.")


def create_room(authority: Authority, peer: Peer, message: client_messages.CreateRoom) -> None:
    """See `CreateRoom`."""
    authority.check_open()
    if _answer_if_created(authority, peer, message.key, message.id):
        return
    authority.check_accepting()
    _check_may_follow(authority, peer)
    authority.admission.check(peer.source, Action.ROOM)
    opened = authority.lobby.create_room(
        _player(peer), message.key, message.settings, message.seat, message.private, authority.now()
    )
    authority.offers.opened(opened, peer, message.id)


def join_room(authority: Authority, peer: Peer, message: client_messages.JoinRoom) -> None:
    """See `JoinRoom`. A player who has a seat already is shown the room again."""
    authority.check_open()
    room = authority.lobby.rooms.find(message.room)
    if room.seat_of(peer.name) is not None:
        _show(authority, peer, room, message.id)
        return
    authority.check_accepting()
    _check_may_see(room, peer, message.code)
    _check_may_follow(authority, peer)
    authority.rooms.publisher.publish(
        room, authority.lobby.join_room(_player(peer), room, authority.now())
    )
    authority.rooms.following.show(peer, room, message.id)


def watch(authority: Authority, peer: Peer, message: client_messages.Watch) -> None:
    """See `Watch`."""
    room = authority.lobby.rooms.find(message.room)
    _check_may_see(room, peer, message.code)
    _check_may_follow(authority, peer, room.id)
    _show(authority, peer, room, message.id)


def resume(authority: Authority, peer: Peer, message: client_messages.Resume) -> None:
    """See `Resume`."""
    room = authority.lobby.rooms.find(message.room)
    _check_may_see(room, peer, None)
    _check_may_follow(authority, peer, room.id)
    _show(authority, peer, room, message.id, seq=message.seq or None)


def leave(authority: Authority, peer: Peer, message: client_messages.Leave) -> None:
    """See `Leave`. Leaving a room that no longer exists succeeds."""
    room = authority.lobby.rooms.get(message.room)
    if room is not None and room.seat_of(peer.name) is not None and room.status != "closed":
        authority.rooms.publisher.publish(room, room.leave(peer.name, authority.now()))

    following = authority.rooms.following

    def unfollow() -> None:
        if message.room in peer.followed:
            following.unfollow(peer, message.room)
        peer.send({"type": "done", "id": message.id})

    def deliver() -> None:
        following.when_shown(peer, message.room, unfollow)

    after_commit(authority.committer, peer, message.id, deliver)


def move(authority: Authority, peer: Peer, message: client_messages.Move) -> None:
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
            message.takebacks,
        )
    except Repeated as repeated:
        _repeat_answer(authority, peer, room, repeated.seq, message.id)
        return
    authority.rooms.publisher.publish(room, events, peer, message.id)


def _repeat_answer(authority: Authority, peer: Peer, room: Room, seq: int, request_id: int) -> None:
    """Send the original answer to a repeated request, once it is stored."""
    channel, match = authority.rooms.registry.channels[room.id], room.match

    def deliver() -> None:
        event = channel.event(seq)
        if event is None:
            peer.refuse(
                request_id,
                ErrorCode.STALE_PLY,
                "That was answered long ago; resume the room to see its position.",
            )
        else:
            shown: Mapping[str, Any] = event
            if peer.boards and match is not None:
                shown = with_board(event, match)
            peer.send({**shown, "id": request_id})

    after_commit(authority.committer, peer, request_id, deliver)


def _room_handler(
    act: Callable[[Room, str, Any, int], list[Event]], *, begins: bool = False
) -> Callable[[Authority, Peer, Any], None]:
    """Return a handler that applies `act` to the room and answers with the first of its events.

    `act` takes the room, the player's name, the message and the time in milliseconds. `begins` says
    whether it can begin a match.
    """

    def handler(authority: Authority, peer: Peer, message: Any) -> None:
        if begins:
            authority.check_accepting()
        authority.check_open()
        room = authority.lobby.rooms.find(message.room)
        try:
            events = act(room, peer.name, message, authority.now())
        except Repeated as repeated:
            _repeat_answer(authority, peer, room, repeated.seq, message.id)
            return
        authority.rooms.publisher.publish(room, events, peer, message.id)

    return handler


# -- offers ------------------------------------------------------------------------------------


def seek(authority: Authority, peer: Peer, message: client_messages.Seek) -> None:
    """See `Seek`."""
    authority.check_open()
    if not _answer_if_created(authority, peer, message.key, message.id):
        authority.check_accepting()
        offer = authority.lobby.seek(_player(peer), message.key, message.settings, message.seat)
        _post(authority, peer, offer, message.id)


def quick_match(authority: Authority, peer: Peer, message: client_messages.QuickMatch) -> None:
    """See `QuickMatch`."""
    authority.check_open()
    if _answer_if_created(authority, peer, message.key, message.id):
        return
    authority.check_accepting()
    authority.admission.check(peer.source, Action.ROOM)
    found = authority.lobby.quick_match(
        _player(peer), message.key, message.settings, authority.now()
    )
    if isinstance(found, OpenedRoom):
        authority.offers.opened(found, peer, message.id)
    else:
        _post(authority, peer, found, message.id)


def challenge(authority: Authority, peer: Peer, message: client_messages.Challenge) -> None:
    """See `Challenge`."""
    authority.check_open()
    if not _answer_if_created(authority, peer, message.key, message.id):
        authority.check_accepting()
        peer.pay(CHALLENGE_BYTES)
        offer = authority.lobby.challenge(
            _player(peer), message.key, message.player, message.settings, message.seat
        )
        _post(authority, peer, offer, message.id)


def _post(authority: Authority, peer: Peer, offer: Offer, request_id: int) -> None:
    _send_offer(peer, offer, request_id)
    authority.offers.posted(offer)


def _accept(
    authority: Authority, peer: Peer, key: str, offer_id: str, is_challenge: bool, request_id: int
) -> None:
    authority.check_open()
    if _answer_if_created(authority, peer, key, request_id):
        return
    authority.check_accepting()
    _check_may_follow(authority, peer)
    arrangement = authority.lobby.arrangements.get(offer_id) if is_challenge else None
    if arrangement is not None:
        authority.arranging.accept(arrangement, peer, key, request_id)
        return
    authority.admission.check(peer.source, Action.ROOM)
    opened = authority.lobby.accept(_player(peer), key, offer_id, is_challenge, authority.now())
    authority.offers.opened(opened, peer, request_id)


def accept_seek(authority: Authority, peer: Peer, message: client_messages.AcceptSeek) -> None:
    """See `AcceptSeek`."""
    _accept(authority, peer, message.key, message.seek, False, message.id)


def accept_challenge(
    authority: Authority, peer: Peer, message: client_messages.AcceptChallenge
) -> None:
    """See `AcceptChallenge`."""
    _accept(authority, peer, message.key, message.challenge, True, message.id)


def cancel_seek(authority: Authority, peer: Peer, message: client_messages.CancelSeek) -> None:
    """See `CancelSeek`."""
    authority.offers.ended(authority.lobby.cancel(_player(peer), message.seek, False), "", None)
    peer.send({"type": "done", "id": message.id})


def cancel_challenge(
    authority: Authority, peer: Peer, message: client_messages.CancelChallenge
) -> None:
    """See `CancelChallenge`."""
    offer = authority.lobby.cancel(_player(peer), message.challenge, True)
    authority.offers.ended(offer, "cancelled", offer.target)
    peer.send({"type": "done", "id": message.id})


def decline_challenge(
    authority: Authority, peer: Peer, message: client_messages.DeclineChallenge
) -> None:
    """See `DeclineChallenge`."""
    arrangement = authority.lobby.arrangements.get(message.challenge)
    if arrangement is not None:
        authority.arranging.decline(arrangement, peer, one_line(message.reason))
    else:
        offer = authority.lobby.decline(_player(peer), message.challenge)
        authority.offers.ended(offer, "declined", offer.owner.name, one_line(message.reason))
    peer.send({"type": "done", "id": message.id})


# -- lobby, keep-alive -------------------------------------------------------------------------


def ping(authority: Authority, peer: Peer, message: client_messages.Ping) -> None:
    """See `Ping`."""
    peer.send({"type": "pong", "id": message.id})


def follow_lobby(authority: Authority, peer: Peer, message: client_messages.FollowLobby) -> None:
    """See `FollowLobby`."""
    if not message.on:

        def stop() -> None:
            authority.lobby_feed.follow(peer, False)
            peer.send({"type": "done", "id": message.id})

        # An earlier request to follow may still wait for its commit.
        after_commit(authority.committer, peer, message.id, stop)
        return
    peer.check_paid()
    authority.lobby_feed.flush_unread()
    picture = authority.lobby_feed.picture.frame(peer.codec.text)
    peer.pay(len(picture))

    def deliver() -> None:
        if authority.peers.by_name.get(peer.name) is peer:
            frame = peer.codec.with_id(picture, message.id)
            peer.send_long(frame, len(frame))
            authority.lobby_feed.follow(peer, True)

    after_commit(authority.committer, peer, message.id, deliver)


Handler = Callable[[Authority, Peer, Any], Awaitable[None] | None]

HANDLERS: Final[Mapping[type[client_messages.Request], Handler]] = {
    client_messages.Ping: ping,
    client_messages.CreateRoom: create_room,
    client_messages.JoinRoom: join_room,
    client_messages.Watch: watch,
    client_messages.Leave: leave,
    client_messages.Resume: resume,
    client_messages.Move: move,
    client_messages.Resign: _room_handler(
        lambda room, name, _, now: commands.resign(room, name, now)
    ),
    client_messages.Abort: _room_handler(
        lambda room, name, _, now: commands.abort(room, name, now)
    ),
    client_messages.Claim: _room_handler(
        lambda room, name, _, now: commands.claim(room, name, now)
    ),
    client_messages.Crash: _room_handler(
        lambda room, name, m, now: commands.crash(
            room, name, m.match, m.ply, one_line(m.message), now, illegal=m.illegal
        )
    ),
    client_messages.Rematch: _room_handler(
        lambda room, name, _, now: commands.offer_rematch(room, name, now), begins=True
    ),
    client_messages.AskTakeback: _room_handler(
        lambda room, name, m, now: ask_takeback(room, name, m.match, m.ply, m.takebacks, now)
    ),
    client_messages.AnswerTakeback: _room_handler(
        lambda room, name, m, now: answer_takeback(
            room, name, m.match, m.ply, m.takebacks, m.accept, now
        )
    ),
    client_messages.Seek: seek,
    client_messages.QuickMatch: quick_match,
    client_messages.Challenge: challenge,
    client_messages.AcceptSeek: accept_seek,
    client_messages.AcceptChallenge: accept_challenge,
    client_messages.CancelSeek: cancel_seek,
    client_messages.CancelChallenge: cancel_challenge,
    client_messages.DeclineChallenge: decline_challenge,
    client_messages.ArrangeMatch: arrange_match,
    client_messages.FollowLobby: follow_lobby,
    client_messages.GetRecord: get_record,
    client_messages.GetReview: get_review,
    client_messages.GetGames: get_games,
    client_messages.AllowAdvice: allow_advice,
    client_messages.GetAdvice: get_advice,
    client_messages.SayPhrase: say_phrase,
    **TOURNAMENT_HANDLERS,
}
"""The handler of every request except `Hello`, which `server.shell.hello` handles."""
