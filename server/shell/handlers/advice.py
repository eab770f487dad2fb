"""The requests about advice, and who may make them."""

from __future__ import annotations

from typing import Final

from doublecross.analysis.as_json import phrase_fields
from doublecross.protocol.client_messages import AllowAdvice, GetAdvice
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.analysis.agreements import Agreements
from doublecross.server.shell.answers import reading
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms

ADVICE_BYTES: Final = 32 * 1024
"""The price of advice when it is asked for, because somebody has to think about it."""


def allow_advice(rooms: LiveRooms, peer: Peer, message: AllowAdvice) -> None:
    """Note that a player allows advice in the current match."""
    rooms.availability.check_open()
    room = rooms.index.find(message.room)
    room.seat_or_refuse(peer.name)
    room.match_or_refuse()
    check_helpable(room)
    rooms.advice.agreements.allow(room.id, room.match_number, peer.name)
    peer.send({"type": "done", "id": message.id})


async def get_advice(rooms: LiveRooms, peer: Peer, message: GetAdvice) -> None:
    """Answer with the best actions in the current position, which an adviser finds."""
    rooms.availability.check_open()
    agreements = rooms.advice.agreements
    match = advised_match(rooms.index.find(message.room), peer.name, agreements)
    ply, takebacks = match.ply, match.takebacks.count
    peer.pay(ADVICE_BYTES)
    async with reading():
        # Advice must not tell of a move that is not stored yet.
        await rooms.committer.settled()
    room = rooms.index.find(message.room)
    # Look again: the match may have ended, or may be another one, since the wait. Whether it is
    # still in the same position, `ask` checks.
    match, number = advised_match(room, peer.name, agreements), room.match_number
    found = await rooms.advice.ask(peer.name, room.game, match, ply, takebacks)
    phrase = found.phrase
    peer.send(
        {
            "type": "advice",
            "id": message.id,
            "room": room.id,
            "match": number,
            "ply": ply,
            "takebacks": takebacks,
            "best": tuple(found.best),
            "net": found.net,
            "exact": found.exact,
            "reason": "" if phrase is None else str(phrase),
            "phrase": None if phrase is None else phrase_fields(phrase),
        }
    )


def advised_match(room: Room, player: str, agreements: Agreements) -> Match:
    """Return the match in which this player may ask for advice now.

    Raises:
        Refused: a person may ask only at that person's turn, in a match that is neither rated nor
            part of a tournament, against a bot or with both players' agreement.
    """
    seat = room.seat_or_refuse(player)
    match = room.match_or_refuse()
    own, opponent = room.players[seat], room.players[1 - seat]
    # A match is in play, so both seats are taken.
    assert own is not None
    assert opponent is not None
    if own.kind == "bot":
        raise wrong_state("Bots get no advice; they think for themselves.")
    check_helpable(room)
    if opponent.kind != "bot" and not agreements.all_allow(
        room.id, room.match_number, own.name, opponent.name
    ):
        raise wrong_state("There is advice only against bots, and where both players allow it.")
    if match.to_move != seat:
        raise Refused(ErrorCode.NOT_YOUR_TURN, "Ask for advice when it is your turn.")
    return match


def check_helpable(room: Room) -> None:
    """Check that nothing is at stake in a room.

    Raises:
        Refused: its matches are rated or part of a tournament.
    """
    if room.settings.rated or room.terms.tag is not None:
        raise wrong_state("There is no advice in rated matches and in tournaments.")
