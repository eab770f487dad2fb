"""The request to say a phrase, and who may say something in a room."""

from __future__ import annotations

from doublecross.protocol.client_messages import SayPhrase
from doublecross.server.core.errors import wrong_state
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import after_commit
from doublecross.server.shell.handlers.apart import apart_from, check_together
from doublecross.server.shell.peer import Peer, send_to_all
from doublecross.server.shell.rooms.live import LiveRooms


async def say_phrase(rooms: LiveRooms, peer: Peer, message: SayPhrase) -> None:
    """Say a phrase to the opponent, and to all who follow the room."""
    rooms.availability.check_open()
    apart = await apart_from(rooms.committer.store, peer)
    room = rooms.index.find(message.room)
    seat = speaking_seat(room, peer.name, message.match)
    check_tournament(rooms, room)
    check_together(apart, room.players)
    # Last, so that a refusal for another reason costs nothing.
    rooms.phrases.charge(peer.name, rooms.now())
    # A notice and no event: a phrase that comes later or twice would be odd.
    said = {
        "type": "phrase_said",
        "room": room.id,
        "match": message.match,
        "seat": seat,
        "phrase": message.phrase,
    }

    def deliver() -> None:
        peer.send({"type": "done", "id": message.id})
        channel = rooms.registry.channels.get(room.id)
        if channel is not None:
            send_to_all((each for each in channel.peers if each.name not in apart), said)

    # What the speaker has seen is stored, but the others may still wait for it.
    after_commit(rooms.committer, peer, message.id, deliver)


def check_tournament(rooms: LiveRooms, room: Room) -> None:
    """Check that people may say something in a room.

    Raises:
        Refused: the organiser of its tournament does not want that.
    """
    tag = room.terms.tag
    if tag is not None and not rooms.allows_phrases(tag.tournament):
        raise wrong_state("The organiser of this tournament wants no phrases.")


def speaking_seat(room: Room, player: str, match: int) -> int:
    """Return the seat of a player who may say something in match number `match` of a room.

    Raises:
        Refused: the player has no seat, one of the players is a bot, or it is another match.
    """
    seat = room.seat_or_refuse(player)
    own, opponent = room.players[seat], room.players[1 - seat]
    if own is not None and own.kind == "bot":
        raise wrong_state("Phrases are for people; bots say nothing.")
    if opponent is None:
        raise wrong_state("Nobody is here yet; wait for an opponent.")
    if opponent.kind == "bot":
        raise wrong_state("Your opponent is a bot and reads no phrases.")
    if match != room.match_number:
        raise wrong_state(
            "The room is at match {match_number}, not {match}; say it again.",
            room.match_number,
            match,
        )
    return seat
