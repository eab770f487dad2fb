"""One handler for each request that a client sends after its hello, and the tables of handlers.

A handler takes the authority, the peer and the message. It answers exactly once, at once or after
the commit, or it raises `Refused`. Handlers that read the database are coroutines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol import client_messages
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.offer_messages import DeclineWord
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused, bad_parameter
from doublecross.server.core.lobby.lobby import OpenedRoom
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.lobby.repeats import Wanted, check_repeated
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import complete
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.answers import after_commit, reading
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.handlers import rooms
from doublecross.server.shell.handlers.apart import apart_from, check_together, may_be_apart
from doublecross.server.shell.handlers.arranging import arrange_match
from doublecross.server.shell.handlers.bot_games import check_bot_games, source_of
from doublecross.server.shell.handlers.open_games import get_open_games
from doublecross.server.shell.handlers.rated import check_rated
from doublecross.server.shell.handlers.reviews import get_games, get_record, get_review
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS, awake_first
from doublecross.server.shell.handlers.social import get_ties, report_player, set_tie
from doublecross.server.shell.handlers.tournaments import TOURNAMENT_HANDLERS
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import check_may_follow
from doublecross.server.shell.traffic import BoundHandler

CHALLENGE_BYTES: Final = 8 * 1024
"""The price of a challenge for its sender: somebody else receives it without having asked."""
DECLINE_WORDS: Final[Mapping[DeclineWord, Sentence]] = {
    "later": Sentence("Not now, perhaps later."),
    "too_fast": Sentence("The clock is too fast for me."),
    "too_slow": Sentence("The clock is too slow for me."),
    "not_rated": Sentence("Not rated, please."),
    "rated": Sentence("Only rated, please."),
    "other_size": Sentence("Another size of board, please."),
    "other_game": Sentence("Another game, please."),
}
"""What the challenger receives for each word with which a person declines."""

# -- rooms -------------------------------------------------------------------------------------


def _player(peer: Peer) -> PlayerInfo:
    # Only peers whose hello was accepted reach a handler.
    assert peer.player is not None
    return peer.player


def _answer_if_created(
    authority: Authority, peer: Peer, key: str, request_id: int, wanted: Wanted
) -> bool:
    """Answer with what this idempotency key has created already; return whether there is any.

    Raises:
        Refused: the key has created something else than what is `wanted`.
    """
    # A request that is repeated costs nothing, and gets its answer also while nothing new begins.
    found = authority.lobby.created_by(peer.name, key)
    if found is not None:
        check_repeated(found, key, wanted)
    if isinstance(found, Room):
        authority.all_rooms.show(peer, found, request_id, origin=found.terms.origin)
    elif isinstance(found, Offer):
        authority.offers.answer(peer, request_id, partial(_send_offer, peer, found, request_id))
    return found is not None


def _send_offer(peer: Peer, offer: Offer, request_id: int) -> None:
    kind, field = (
        ("seek_posted", "seek") if offer.target is None else ("challenge_sent", "challenge")
    )
    peer.send({"type": kind, "id": request_id, field: offer.offer_id})


def create_room(authority: Authority, peer: Peer, message: client_messages.CreateRoom) -> None:
    """Open a room for a player who waits in it."""
    authority.availability.check_open()
    wanted = Wanted(message.settings, message.seat, message.private, opens=True)
    if _answer_if_created(authority, peer, message.key, message.id, wanted):
        return
    authority.availability.check_accepting()
    check_rated(peer, message.settings, authority.config.limits)
    check_may_follow(peer, "", authority.config.limits)
    authority.admission.check(peer.source, Action.ROOM)
    opened = authority.lobby.create_room(
        _player(peer), message.key, message.settings, message.seat, message.private, authority.now()
    )
    authority.offers.opened(opened, peer, message.id)


# -- offers ------------------------------------------------------------------------------------


def seek(authority: Authority, peer: Peer, message: client_messages.Seek) -> None:
    """Offer a match to everybody."""
    authority.availability.check_open()
    wanted = Wanted(message.settings, message.seat)
    if not _answer_if_created(authority, peer, message.key, message.id, wanted):
        authority.availability.check_accepting()
        check_rated(peer, message.settings, authority.config.limits)
        offer = authority.lobby.seek(
            _player(peer), message.key, message.settings, message.seat, authority.now()
        )
        _post(authority, peer, offer, message.id)


def quick_match(
    authority: Authority, peer: Peer, message: client_messages.QuickMatch
) -> Awaitable[None] | None:
    """Begin a match with somebody who waits, or wait."""
    # Nothing is awaited if nobody waits, so nobody can come who may not be met.
    if authority.store.social.may_block(peer.rights.account_id):
        waiting = authority.lobby.offers.seeks_for(peer.name, complete(message.settings))
        if may_be_apart(authority.store, peer, (offer.owner for offer in waiting)):
            return _quick_match_apart(authority, peer, message)
    _quick_match(authority, peer, message, ())
    return None


async def _quick_match_apart(
    authority: Authority, peer: Peer, message: client_messages.QuickMatch
) -> None:
    apart = await apart_from(authority.store, peer)
    if peer in authority.peers:  # else nobody would withdraw the offer
        _quick_match(authority, peer, message, apart)


def _quick_match(
    authority: Authority,
    peer: Peer,
    message: client_messages.QuickMatch,
    apart: Collection[str],
) -> None:
    authority.availability.check_open()
    wanted = Wanted(message.settings)
    if _answer_if_created(authority, peer, message.key, message.id, wanted):
        return
    authority.availability.check_accepting()
    check_rated(peer, message.settings, authority.config.limits)
    check_may_follow(peer, "", authority.config.limits)
    authority.admission.check(peer.source, Action.ROOM)
    found = authority.lobby.quick_match(
        _player(peer), message.key, message.settings, authority.now(), apart
    )
    if isinstance(found, OpenedRoom):
        authority.offers.opened(found, peer, message.id)
    else:
        answer = partial(_send_offer, peer, found, message.id)
        authority.offers.hold(found, peer, message.id, answer)


async def challenge(authority: Authority, peer: Peer, message: client_messages.Challenge) -> None:
    """Offer a match to one player."""
    apart = await apart_from(authority.store, peer)
    away = await _known_by_days(authority, message)
    if peer not in authority.peers:
        return
    authority.availability.check_open()
    wanted = Wanted(message.settings, message.seat, target=message.player)
    if not _answer_if_created(authority, peer, message.key, message.id, wanted):
        authority.availability.check_accepting()
        check_rated(peer, message.settings, authority.config.limits)
        target = away or authority.lobby.connected(message.player)
        check_together(apart, (target,))
        check_bot_games(authority, peer.source, target)
        peer.pay(CHALLENGE_BYTES)
        offer = authority.lobby.challenge(
            _player(peer), message.key, target.name, message.settings, message.seat
        )
        _post(authority, peer, offer, message.id)


async def _known_by_days(
    authority: Authority, message: client_messages.Challenge
) -> PlayerInfo | None:
    """Return a known player who is away, if that is no reason against the match that is offered.

    Raises:
        Refused: there is no such player, or the storage failed.
    """
    name = message.player
    if not message.settings.time.by_days or authority.lobby.is_online(name):
        return None
    async with reading():
        row = await authority.store.player_by_name(name)
    if row is None:
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "There is no player {name}.", one_line(name))
    engine = EngineInfo(name=row.engine, version=row.engine_version) if row.engine else None
    return PlayerInfo(name=row.name, kind=row.kind, engine=engine)


def _post(authority: Authority, peer: Peer, offer: Offer, request_id: int) -> None:
    answer = partial(_send_offer, peer, offer, request_id)
    authority.offers.post(offer, peer, request_id, answer)


async def _accept(
    authority: Authority, peer: Peer, key: str, offer_id: str, is_challenge: bool, request_id: int
) -> None:
    apart = await apart_from(authority.store, peer)
    if peer not in authority.peers:
        return
    authority.availability.check_open()
    if _answer_if_created(authority, peer, key, request_id, Wanted(accepts=offer_id)):
        return
    authority.availability.check_accepting()
    check_may_follow(peer, "", authority.config.limits)
    # Bots accept an arranged match as a challenge, because it was offered to them as one.
    arrangement = authority.lobby.arrangements.get(offer_id) if is_challenge else None
    if arrangement is not None:
        authority.arranging.accept(arrangement, peer, key, request_id)
        return
    if (offer := authority.lobby.offers.get(offer_id)) is not None:
        check_together(apart, (offer.owner,))
        check_rated(peer, offer.settings, authority.config.limits)
        if offer.target is None:
            check_bot_games(authority, source_of(authority, offer.owner.name), _player(peer))
    # An arranged match is charged to the person who asks for it, so bots do not come here.
    authority.admission.check(peer.source, Action.ROOM)
    opened = authority.lobby.accept(_player(peer), key, offer_id, is_challenge, authority.now())
    authority.offers.opened(opened, peer, request_id)


async def accept_seek(
    authority: Authority, peer: Peer, message: client_messages.AcceptSeek
) -> None:
    """Begin the match of a seek."""
    await _accept(authority, peer, message.key, message.seek, False, message.id)


async def accept_challenge(
    authority: Authority, peer: Peer, message: client_messages.AcceptChallenge
) -> None:
    """Begin the match of a challenge."""
    await _accept(authority, peer, message.key, message.challenge, True, message.id)


def _done(authority: Authority, peer: Peer, request_id: int) -> None:
    authority.offers.answer(peer, request_id, lambda: peer.send({"type": "done", "id": request_id}))


def _tell_others(authority: Authority, peer: Peer, offer: str, outcome: str) -> None:
    """Tell the player's other connections of an offer that this one has ended."""
    notice = {"type": "offer_ended", "offer": offer, "outcome": outcome, "reason": ""}
    for other in authority.peers.of(peer.name):
        if other is not peer:
            deliver = partial(other.send, notice)
            authority.committer.after(deliver, deliver)


def cancel_seek(authority: Authority, peer: Peer, message: client_messages.CancelSeek) -> None:
    """Withdraw a seek."""
    # Nobody is notified: the lobby shows the end of a seek.
    authority.offers.ended(authority.lobby.cancel(_player(peer), message.seek, False), "", None)
    _tell_others(authority, peer, message.seek, "cancelled")
    _done(authority, peer, message.id)


def cancel_challenge(
    authority: Authority, peer: Peer, message: client_messages.CancelChallenge
) -> None:
    """Withdraw a challenge."""
    offer = authority.lobby.cancel(_player(peer), message.challenge, True)
    authority.offers.ended(offer, "cancelled", offer.target)
    _tell_others(authority, peer, message.challenge, "cancelled")
    _done(authority, peer, message.id)


def decline_challenge(
    authority: Authority, peer: Peer, message: client_messages.DeclineChallenge
) -> None:
    """Decline a challenge."""
    reason: str = one_line(message.reason)
    if reason and _player(peer).kind == "human":
        raise bad_parameter("Choose a word to decline with; only bots give reasons of their own.")
    if message.word is not None:
        reason = DECLINE_WORDS[message.word]
    arrangement = authority.lobby.arrangements.get(message.challenge)
    if arrangement is not None:
        authority.arranging.decline(arrangement, peer, reason)
    else:
        offer = authority.lobby.decline(_player(peer), message.challenge)
        authority.offers.ended(offer, "declined", offer.owner.name, reason)
    _tell_others(authority, peer, message.challenge, "declined")
    _done(authority, peer, message.id)


async def rematch(authority: Authority, peer: Peer, message: client_messages.Rematch) -> None:
    """Offer or accept a rematch; one with a bot counts for the address like a challenge."""
    room = authority.rooms.index.get(message.room)
    for other in () if room is None else room.players:
        if other is not None and other.name != peer.name:
            check_bot_games(authority, peer.source, other)
    offer = rooms.awake_first(authority.rooms, rooms.rematch)
    waiting = offer(peer, message)
    if waiting is not None:
        await waiting


# -- lobby, keep-alive -------------------------------------------------------------------------


def ping(authority: Authority, peer: Peer, message: client_messages.Ping) -> None:
    """Answer with a pong."""
    peer.send({"type": "pong", "id": message.id})


def follow_lobby(authority: Authority, peer: Peer, message: client_messages.FollowLobby) -> None:
    """Send the lobby and its changes to a player, or no more."""
    if not message.on:

        def stop() -> None:
            authority.lobby_feed.follow(peer, False)
            peer.send({"type": "done", "id": message.id})

        # An earlier request to follow may still wait for its commit.
        after_commit(authority.committer, peer, message.id, stop)
        return
    # Before the listing is made, because that is what costs.
    peer.check_paid()
    authority.lobby_feed.flush_unread()
    listing = authority.lobby_feed.listing.frame(peer.codec.text)
    peer.pay(len(listing))

    def deliver() -> None:
        # The peer may have gone during the wait, and nobody would take it out again.
        if peer in authority.peers:
            frame = peer.codec.with_id(listing, message.id)
            peer.send_long(frame, len(frame))
            authority.lobby_feed.follow(peer, True)

    after_commit(authority.committer, peer, message.id, deliver)


Handler = Callable[[Authority, Peer, Any], Awaitable[None] | None]

HANDLERS: Final[Mapping[type[client_messages.Request], Handler]] = {
    client_messages.Ping: ping,
    client_messages.CreateRoom: create_room,
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
    client_messages.GetOpenGames: get_open_games,
    client_messages.SetTie: set_tie,
    client_messages.GetTies: get_ties,
    client_messages.ReportPlayer: report_player,
    **TOURNAMENT_HANDLERS,
}
"""The handler of every request but `Hello` (see `hello.py`) and those about rooms."""


def handlers_of(authority: Authority) -> Mapping[type[client_messages.Request], BoundHandler]:
    """Return the handlers of all requests except `Hello`, for one server."""
    return {
        **{kind: partial(handler, authority) for kind, handler in HANDLERS.items()},
        **{kind: awake_first(authority.rooms, each) for kind, each in ROOM_HANDLERS.items()},
        client_messages.Rematch: partial(rematch, authority),
    }
