"""The requests to say something in a room in one's own words, and to read what was said.

Players hear players, and spectators hear spectators, so nobody outside can help in a match. What is
said is stored first, in a table beside the journal: it stays as long as the games of the room.
"""

from __future__ import annotations

from typing import Any, Final

from doublecross.protocol.client_messages import GetTalk, Say
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused, bad_parameter, wrong_state
from doublecross.server.core.people.social import Line
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import reading
from doublecross.server.shell.handlers.apart import apart_from, check_together
from doublecross.server.shell.handlers.phrases import check_tournament, speaking_seat
from doublecross.server.shell.peer import Peer, send_to_all
from doublecross.server.shell.rooms.live import LiveRooms

MOST_LINES: Final = 100
"""How much of the talk of a room a client gets."""
TALK_BYTES: Final = 16 * 1024
"""The price of that."""


async def say(rooms: LiveRooms, peer: Peer, message: Say) -> None:
    """Say something to the other player, or as a spectator to the other spectators."""
    rooms.availability.check_open()
    if not rooms.limits.talk:
        raise wrong_state("This server allows no talk in rooms; players can say phrases.")
    words = one_line(message.words)
    if not words:
        raise bad_parameter("Say something that others can read.")
    store = rooms.committer.store
    apart = await apart_from(store, peer)
    room = rooms.index.find(message.room)
    seat = _place(rooms, peer, room)
    if seat is not None:
        check_together(apart, room.players)
    rooms.phrases.charge(peer.name, rooms.now())
    line = Line(
        room.id, room.match_number, rooms.now(), peer.rights.account_id, seat, words, peer.name
    )
    async with reading():
        await store.social.say(line)
    peer.send({"type": "done", "id": message.id})
    channel = rooms.registry.channels.get(room.id)
    if channel is not None:
        hears = (
            each
            for each in channel.peers
            if (channel.room.seat_of(each.name) is None) == (seat is None)
            and each.name not in apart
        )
        send_to_all(hears, said(line))


def _place(rooms: LiveRooms, peer: Peer, room: Room) -> int | None:
    """Return the seat of somebody who may say something in a room; None for a spectator.

    Raises:
        Refused: the peer may say nothing there.
    """
    check_tournament(rooms, room)
    _check_follows(peer, room)
    if room.seat_of(peer.name) is not None:
        return speaking_seat(room, peer.name, room.match_number)
    if peer.player is None or peer.player.kind == "bot":
        raise wrong_state("Talk is for people; bots say nothing.")
    return None


def _check_follows(peer: Peer, room: Room) -> None:
    if room.id not in peer.followed and room.seat_of(peer.name) is None:
        raise Refused(ErrorCode.NOT_SEATED, "Watch the room first.")


async def get_talk(rooms: LiveRooms, peer: Peer, message: GetTalk) -> None:
    """Answer with what was said in a room lately."""
    room = rooms.index.find(message.room)
    _check_follows(peer, room)
    peer.pay(TALK_BYTES)
    store = rooms.committer.store
    apart = await apart_from(store, peer)
    async with reading():
        seated = room.seat_of(peer.name) is not None
        lines = await store.social.talk(room.id, seated, MOST_LINES)
    found = [said(line) for line in lines if line.name not in apart]
    peer.answer({"type": "talk", "id": message.id, "room": room.id, "said": found}, TALK_BYTES)


def said(line: Line) -> dict[str, Any]:
    """Return the message of a line of talk."""
    return {
        "type": "said",
        "room": line.room,
        "match": line.match,
        "seat": line.seat,
        "player": line.name,
        "words": line.words,
        "at": line.at_ms,
    }
