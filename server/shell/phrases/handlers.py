"""The request to say a phrase, and who may make it."""

from __future__ import annotations

from protocol.client_messages import SayPhrase
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.room import Room
from server.shell.answers import after_commit
from server.shell.authority import Authority
from server.shell.peer import Peer


def say_phrase(authority: Authority, peer: Peer, message: SayPhrase) -> None:
    """See `SayPhrase`."""
    authority.check_open()
    room = authority.lobby.rooms.find(message.room)
    seat = speaking_seat(room, peer.name, message.match)
    tag = room.terms.tag
    tournament = None if tag is None else authority.director.registry.running.get(tag.tournament)
    if tournament is not None and not tournament.wire.phrases:
        raise Refused(ErrorCode.WRONG_STATE, "The organiser of this tournament wants no phrases.")
    authority.phrases.charge(peer.name, authority.now())
    said = {
        "type": "phrase_said",
        "room": room.id,
        "match": message.match,
        "seat": seat,
        "phrase": message.phrase,
    }

    def deliver() -> None:
        peer.send({"type": "done", "id": message.id})
        channel = authority.rooms.registry.channels.get(room.id)
        if channel is not None:
            channel.notify(said)

    # What the speaker has seen is stored, but the others may still wait for it.
    after_commit(authority.committer, peer, message.id, deliver)


def speaking_seat(room: Room, player: str, match: int) -> int:
    """Return the seat of a player who may say something in match number `match` of a room.

    Raises:
        Refused: the player has no seat, one of the players is a bot, or it is another match.
    """
    seat = room.seat_or_refuse(player)
    own, opponent = room.players[seat], room.players[1 - seat]
    if own is not None and own.kind == "bot":
        raise Refused(ErrorCode.WRONG_STATE, "Phrases are for people; bots say nothing.")
    if opponent is None:
        raise Refused(ErrorCode.WRONG_STATE, "Nobody is here yet; wait for an opponent.")
    if opponent.kind == "bot":
        raise Refused(ErrorCode.WRONG_STATE, "Your opponent is a bot and reads no phrases.")
    if match != room.match_number:
        raise Refused(
            ErrorCode.WRONG_STATE,
            f"The room is at match {room.match_number}, not {match}; say it again.",
        )
    return seat
