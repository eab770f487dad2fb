"""The codes and sentences with which rooms and the lobby refuse commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from doublecross.protocol.common import PairTag
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms
from tests.server.core.test_lobby import make_lobby
from tests.server.playing import ANN, BOB, CAT, T0, TIMES, dots, open_room, play, room_in_play

TAG = PairTag(tournament="t1", pairing=0, game=0, attempt=1)


def waiting() -> Room:
    return open_room()[0]


def playing() -> Room:
    return room_in_play()[0]


def rated() -> Room:
    return room_in_play(dots(rated=True))[0]


def both_have_moved() -> Room:
    room = playing()
    play(room, 0)
    play(room, 2)
    return room


def finished() -> Room:
    room = playing()
    commands.resign(room, "Ann", T0)
    return room


def one_offered() -> Room:
    room = finished()
    commands.offer_rematch(room, "Ann", T0)
    return room


def one_left() -> Room:
    room = finished()
    room.leave("Bob", T0)
    return room


def worn_out() -> Room:
    room = finished()
    for _ in range(commands.MAX_MATCHES - 1):
        commands.offer_rematch(room, "Ann", T0)
        commands.offer_rematch(room, "Bob", T0)
        commands.resign(room, "Ann", T0)
    return room


def tagged() -> Room:
    room, _ = Room.open(RoomTerms("r1", dots(), tag=TAG), TIMES, T0)
    room.sit(ANN, 0, T0)
    room.sit(BOB, 1, T0)
    return room


def tagged_over() -> Room:
    room = tagged()
    commands.resign(room, "Ann", T0)
    return room


def away(seat: int) -> Callable[[], Room]:
    def make() -> Room:
        room = playing()
        room.attendance.disconnect(seat, T0)
        return room

    return make


def move(name: str, number: int, ply: int, action: int) -> Callable[[Room], Any]:
    return lambda room: room.move(name, number, ply, action, None, False, T0)


STATE = ErrorCode.WRONG_STATE
ROOMS: list[tuple[Callable[[], Room], Callable[[Room], Any], ErrorCode, str]] = [
    (
        playing,
        lambda r: commands.resign(r, "Cat", T0),
        ErrorCode.NOT_SEATED,
        "Only a player of this room can do that.",
    ),
    (
        finished,
        lambda r: commands.resign(r, "Ann", T0),
        STATE,
        "No match is in play; the room is finished.",
    ),
    (
        waiting,
        lambda r: commands.claim(r, "Ann", T0),
        STATE,
        "No match is in play; the room is waiting.",
    ),
    (
        finished,
        lambda r: commands.forfeit(r, "Ann", "gone", T0),
        STATE,
        "No match is in play; the room is finished.",
    ),
    (
        playing,
        lambda r: commands.forfeit(r, "Cat", "gone", T0),
        ErrorCode.NOT_SEATED,
        "Only a player of this room can do that.",
    ),
    (
        tagged,
        lambda r: commands.abort(r, "Ann", T0),
        STATE,
        "A game of a tournament cannot be called off: resign it instead.",
    ),
    (
        both_have_moved,
        lambda r: commands.abort(r, "Ann", T0),
        STATE,
        "Both players have moved: resign instead of aborting.",
    ),
    (
        rated,
        lambda r: commands.crash(r, "Bob", 1, 0, "x", T0),
        ErrorCode.STALE_PLY,
        "It is not your turn at that ply.",
    ),
    (
        playing,
        lambda r: commands.crash(r, "Ann", 1, 0, "x", T0),
        STATE,
        "The match is casual: play another legal action instead.",
    ),
    (playing, lambda r: commands.claim(r, "Ann", T0), STATE, "Your opponent is connected."),
    *(
        (
            away(1 - seat),
            lambda r, name=name, wait=wait: commands.claim(r, name, T0 + TIMES.grace_ms - wait),
            ErrorCode.TOO_EARLY,
            f"Your opponent has another {seconds} s to come back.",
        )
        for seat, name in enumerate(("Ann", "Bob"))
        for wait, seconds in ((1, 1), (999, 1), (1000, 1), (1001, 2), (2000, 2))
    ),
    (
        tagged_over,
        lambda r: commands.offer_rematch(r, "Ann", T0),
        STATE,
        "The tournament chooses the next opponents; no rematch here.",
    ),
    (
        playing,
        lambda r: commands.offer_rematch(r, "Ann", T0),
        STATE,
        "The room is playing; no rematch now.",
    ),
    (
        one_left,
        lambda r: commands.offer_rematch(r, "Ann", T0),
        STATE,
        "Your opponent has left the room.",
    ),
    (
        worn_out,
        lambda r: commands.offer_rematch(r, "Ann", T0),
        ErrorCode.TOO_MANY,
        "This room has had 50 matches; open a new room.",
    ),
    (
        one_offered,
        lambda r: commands.offer_rematch(r, "Ann", T0),
        STATE,
        "You have already offered a rematch.",
    ),
    (waiting, lambda r: r.sit(ANN, 1, T0), STATE, "You already have a seat in this room."),
    (waiting, lambda r: r.sit(BOB, 0, T0), ErrorCode.ROOM_FULL, "That seat is taken."),
    (playing, lambda r: r.sit(CAT, None, T0), ErrorCode.ROOM_FULL, "That seat is taken."),
    (playing, lambda r: r.leave("Ann", T0), STATE, "Resign first: the match is in play."),
    (
        playing,
        lambda r: r.advance("room_closed"),
        STATE,
        "The room is playing; this is not possible now.",
    ),
    (
        playing,
        move("Ann", 2, 0, 0),
        ErrorCode.STALE_PLY,
        "The room is at match 1, not 2.",
    ),
    (
        playing,
        move("Ann", 1, 3, 0),
        ErrorCode.STALE_PLY,
        "The match is at ply 0, not at 3.",
    ),
    (
        playing,
        move("Bob", 1, 0, 0),
        ErrorCode.NOT_YOUR_TURN,
        "The other player is to move.",
    ),
    (
        playing,
        move("Ann", 1, 0, 7),
        ErrorCode.ILLEGAL_ACTION,
        "Action 7 is illegal: 7 is not an edge of a board of 1x2 boxes.",
    ),
    (
        both_have_moved,
        move("Ann", 1, 2, 0),
        ErrorCode.ILLEGAL_ACTION,
        "Action 0 is illegal: Edge b3 is drawn already.",
    ),
    (
        finished,
        move("Ann", 1, 0, 0),
        STATE,
        "The match is finished; nobody moves.",
    ),
]


@pytest.mark.parametrize(("make", "act", "code", "sentence"), ROOMS)
def test_what_a_room_refuses(
    make: Callable[[], Room], act: Callable[[Room], Any], code: ErrorCode, sentence: str
) -> None:
    room = make()
    with pytest.raises(Refused) as refused:
        act(room)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert str(refused.value) == sentence


def lobby_with_offers(**limits: int) -> Lobby:
    """Return a lobby with Ann's seek and her challenge to Bob."""
    lobby = make_lobby(**limits)
    lobby.seek(ANN, "k1", dots(), None)
    lobby.challenge(ANN, "k2", "Bob", dots(), None)
    return lobby


def seek(lobby: Lobby) -> str:
    return next(offer.offer_id for offer in lobby.offers.values() if offer.target is None)


def challenge(lobby: Lobby) -> str:
    return next(offer.offer_id for offer in lobby.offers.values() if offer.target is not None)


def full(lobby: Lobby) -> Lobby:
    lobby.create_room(ANN, "k9", dots(), 0, False, T0)
    return lobby


LOBBIES: list[tuple[Callable[[], Lobby], Callable[[Lobby], Any], ErrorCode, str]] = [
    (
        lobby_with_offers,
        lambda lobby: lobby.rooms.find("r9"),
        ErrorCode.UNKNOWN_ROOM,
        "There is no room r9.",
    ),
    (
        lambda: full(lobby_with_offers(rooms=1)),
        lambda lobby: lobby.create_room(BOB, "k", dots(), 0, False, T0),
        ErrorCode.TOO_MANY,
        "The server is full; try again later.",
    ),
    (
        lambda: full(lobby_with_offers(rooms_per_player=1)),
        lambda lobby: lobby.create_room(ANN, "k", dots(), 0, False, T0),
        ErrorCode.TOO_MANY,
        "Ann has 1 open rooms, which is the limit.",
    ),
    (
        lambda: full(lobby_with_offers(rooms_per_player=1)),
        lambda lobby: lobby.accept(BOB, "k", seek(lobby), False, T0),
        ErrorCode.TOO_MANY,
        "Ann has 1 open rooms, which is the limit.",
    ),
    (
        lambda: lobby_with_offers(offers_per_player=2),
        lambda lobby: lobby.seek(ANN, "k", dots(), None),
        ErrorCode.TOO_MANY,
        "You have 2 open offers, which is the limit; withdraw one first.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.challenge(ANN, "k", "Dan", dots(), None),
        ErrorCode.UNKNOWN_PLAYER,
        "No player named Dan is connected.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.challenge(ANN, "k", "ANN", dots(), None),
        ErrorCode.UNKNOWN_PLAYER,
        "You cannot challenge yourself.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.accept(CAT, "k", "gone", False, T0),
        ErrorCode.UNKNOWN_SEEK,
        "This seek is not open any more.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.accept(CAT, "k", seek(lobby), True, T0),
        ErrorCode.UNKNOWN_CHALLENGE,
        "This challenge is not open any more.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.accept(CAT, "k", challenge(lobby), True, T0),
        ErrorCode.NOT_YOURS,
        "This challenge is for somebody else.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.accept(ANN, "k", seek(lobby), False, T0),
        ErrorCode.NOT_YOURS,
        "You cannot accept your own seek.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.cancel(BOB, seek(lobby), False),
        ErrorCode.NOT_YOURS,
        "Only the owner can withdraw an offer.",
    ),
    (
        lobby_with_offers,
        lambda lobby: lobby.decline(CAT, challenge(lobby)),
        ErrorCode.NOT_YOURS,
        "This challenge is for somebody else.",
    ),
]


@pytest.mark.parametrize(("make", "act", "code", "sentence"), LOBBIES)
def test_what_the_lobby_refuses(
    make: Callable[[], Lobby], act: Callable[[Lobby], Any], code: ErrorCode, sentence: str
) -> None:
    lobby = make()
    with pytest.raises(Refused) as refused:
        act(lobby)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
