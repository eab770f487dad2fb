"""The codes and sentences with which rooms and the lobby refuse commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from doublecross.protocol.common import PairTag, PlayerInfo
from doublecross.protocol.errors import ErrorCode as Code
from doublecross.server.core import commands
from doublecross.server.core.commands import abort, claim, crash, forfeit, offer_rematch, resign
from doublecross.server.core.errors import Refused
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.core.terms import RoomTerms
from tests.server.core.test_lobby import everything, make_lobby
from tests.server.playing import ANN, BOB, CAT, T0, TIMES, dots, open_room, play, room_in_play

TAG = PairTag(tournament="t1", pairing=0, game=0, attempt=1)


def waiting() -> Room:
    return open_room(dots(rated=True))[0]


def closed() -> Room:
    room = waiting()
    room.leave("Ann", T0)
    return room


def playing() -> Room:
    return room_in_play()[0]


def rated() -> Room:
    return room_in_play(dots(rated=True))[0]


def after(*actions: int) -> Callable[[], Room]:
    def make() -> Room:
        room = playing()
        for action in actions:
            play(room, action)
        return room

    return make


def finished() -> Room:
    room = playing()
    resign(room, "Ann", T0)
    return room


def one_offered() -> Room:
    room = finished()
    offer_rematch(room, "Ann", T0)
    return room


def one_left() -> Room:
    room = finished()
    room.leave("Bob", T0)
    return room


def worn_out() -> Room:
    room = finished()
    for _ in range(commands.MAX_MATCHES - 1):
        offer_rematch(room, "Ann", T0)
        offer_rematch(room, "Bob", T0)
        resign(room, "Ann", T0)
    return room


def tagged() -> Room:
    room, _ = Room.open(RoomTerms("r1", dots(), tag=TAG), TIMES, T0)
    room.sit(ANN, 0, T0)
    room.sit(BOB, 1, T0)
    return room


def tagged_over() -> Room:
    room = tagged()
    resign(room, "Ann", T0)
    return room


def away(seat: int) -> Callable[[], Room]:
    def make() -> Room:
        room = playing()
        room.attendance.disconnect(seat, T0)
        return room

    return make


Act = Callable[[Room], Any]


def move(name: str, number: int, ply: int, action: int) -> Act:
    return lambda room: room.move(name, number, ply, action, None, False, T0 + 9000)


def acts(name: str) -> list[Act]:
    """Return what only players of a match may do."""
    return [
        lambda room: resign(room, name, T0),
        lambda room: abort(room, name, T0),
        lambda room: claim(room, name, T0),
        lambda room: crash(room, name, 1, 0, "", T0),
        lambda room: offer_rematch(room, name, T0),
    ]


STATE = Code.WRONG_STATE
STALE = Code.STALE_PLY
NO_PLAYER = (Code.NOT_SEATED, "Only a player of this room can do that.")
NOT_PLAYING = "No match is in play; the room is {}."
STALE_CRASH = (STALE, "It is not your turn at that ply.")
TAKEN = (Code.ROOM_FULL, "That seat is taken.")
NOT_NOW = (STATE, "The room is playing; this is not possible now.")
AWAY = "Your opponent has another {} s to come back."

ROOMS: list[tuple[Callable[[], Room], Act, Code, str]] = [
    *((rated, act, *NO_PLAYER) for act in [*acts("Cat"), lambda room: room.leave("Cat", T0)]),
    *((waiting, act, STATE, NOT_PLAYING.format("waiting")) for act in acts("Ann")[:-1]),
    *((closed, act, STATE, NOT_PLAYING.format("closed")) for act in acts("Ann")[:-1]),
    (finished, lambda r: resign(r, "Ann", T0), STATE, NOT_PLAYING.format("finished")),
    (finished, lambda r: forfeit(r, "Ann", "gone", T0), STATE, NOT_PLAYING.format("finished")),
    (playing, lambda r: forfeit(r, "Cat", "gone", T0), *NO_PLAYER),
    (
        tagged,
        lambda r: abort(r, "Ann", T0),
        STATE,
        "A game of a tournament cannot be called off: resign it instead.",
    ),
    (
        after(0),
        lambda r: abort(r, "Ann", T0),
        STATE,
        "You have moved: resign instead of calling the match off.",
    ),
    (rated, lambda r: crash(r, "Bob", 1, 0, "x", T0), *STALE_CRASH),
    (rated, lambda r: crash(r, "Ann", 1, 1, "x", T0), *STALE_CRASH),
    (rated, lambda r: crash(r, "Ann", 2, 0, "x", T0), *STALE_CRASH),
    (
        playing,
        lambda r: crash(r, "Ann", 1, 0, "x", T0),
        STATE,
        "The match is casual: play another legal action instead.",
    ),
    (playing, lambda r: claim(r, "Ann", T0), STATE, "Your opponent is connected."),
    *(
        (
            away(1 - seat),
            lambda r, name=name, wait=wait: claim(r, name, T0 + TIMES.grace_ms - wait),
            Code.TOO_EARLY,
            AWAY.format(seconds),
        )
        for seat, name in enumerate(("Ann", "Bob"))
        for wait, seconds in ((1, 1), (999, 1), (1000, 1), (1001, 2), (2000, 2))
    ),
    *(
        (make, acts("Ann")[-1], code, sentence)
        for make, code, sentence in (
            (tagged_over, STATE, "The tournament chooses the next opponents; no rematch here."),
            (waiting, STATE, "The room is waiting; no rematch now."),
            (closed, STATE, "The room is closed; no rematch now."),
            (playing, STATE, "The room is playing; no rematch now."),
            (one_left, STATE, "Your opponent has left the room."),
            (one_offered, STATE, "You have already offered a rematch."),
            (worn_out, Code.TOO_MANY, "This room has had 50 matches; open a new room."),
        )
    ),
    (waiting, lambda r: r.sit(ANN, 1, T0), STATE, "You already have a seat in this room."),
    (waiting, lambda r: r.sit(BOB, 0, T0), *TAKEN),
    (playing, lambda r: r.sit(CAT, None, T0), *TAKEN),
    (closed, lambda r: r.sit(BOB, None, T0), *TAKEN),
    (playing, lambda r: r.leave("Ann", T0), STATE, "Resign first: the match is in play."),
    (playing, lambda r: r.close("too early"), *NOT_NOW),
    (playing, lambda r: r.begin(T0), *NOT_NOW),
    (after(4), move("Cat", 1, 1, 0), *NO_PLAYER),
    (after(4), move("Bob", 2, 1, 0), STALE, "The room is at match 1, not 2."),
    (waiting, move("Ann", 1, 0, 0), STALE, "The room is at match 0, not 1."),
    (after(4), move("Bob", 1, 2, 0), STALE, "The match is at ply 1, not at 2."),
    (after(4), move("Bob", 1, 0, 4), STALE, "The match is at ply 1, not at 0."),
    (after(4), move("Ann", 1, 0, 5), STALE, "The match is at ply 1, not at 0."),
    (after(4), move("Ann", 1, 1, 0), Code.NOT_YOUR_TURN, "The other player is to move."),
    (
        playing,
        move("Ann", 1, 0, 7),
        Code.ILLEGAL_ACTION,
        "Action 7 is illegal: 7 is not an edge of a board of 1x2 boxes.",
    ),
    (
        after(0, 2),
        move("Ann", 1, 2, 0),
        Code.ILLEGAL_ACTION,
        "Action 0 is illegal: Edge b3 is drawn already.",
    ),
    (finished, move("Ann", 1, 0, 0), STATE, "The match is finished; nobody moves."),
]


@pytest.mark.parametrize(("make", "act", "code", "sentence"), ROOMS)
def test_what_a_room_refuses(make: Callable[[], Room], act: Act, code: Code, sentence: str) -> None:
    def seen() -> tuple[object, ...]:
        return snapshot(room, T0), deadlines.next_due(room), list(room.attendance.left)

    room = make()
    before = seen()
    with pytest.raises(Refused) as refused:
        act(room)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert str(refused.value) == sentence
    assert seen() == before


def lobby_with_offers(**limits: int) -> Lobby:
    """Return a lobby with Ann's seek and her challenge to Bob."""
    lobby = make_lobby(**limits)
    lobby.seek(ANN, "k1", dots(), None, T0)
    lobby.challenge(ANN, "k2", "Bob", dots(), None)
    return lobby


def seek(lobby: Lobby) -> str:
    return next(offer.offer_id for offer in lobby.offers.values() if offer.target is None)


def challenge(lobby: Lobby) -> str:
    return next(offer.offer_id for offer in lobby.offers.values() if offer.target is not None)


def full(lobby: Lobby, player: PlayerInfo = ANN) -> Lobby:
    lobby.create_room(player, "k9", dots(), 0, False, T0)
    return lobby


LobbyAct = Callable[[Lobby], Any]


def create(player: PlayerInfo) -> LobbyAct:
    return lambda lobby: lobby.create_room(player, "k", dots(), 0, False, T0)


def accept(player: PlayerInfo, offer: Callable[[Lobby], str], challenge: bool = False) -> LobbyAct:
    return lambda lobby: lobby.accept(player, "k", offer(lobby), challenge, T0)


def challenge_of(name: str) -> LobbyAct:
    return lambda lobby: lobby.challenge(ANN, "k", name, dots(), None)


def full_of(name: str) -> tuple[Code, str]:
    return Code.TOO_MANY, f"{name} has 1 open rooms, which is the limit."


lobby_of_one = partial(lobby_with_offers, rooms_per_player=1)
SERVER_FULL = (Code.TOO_MANY, "The server is full; try again later.")
NO_SEEK = (Code.UNKNOWN_SEEK, "This seek is not open any more.")
NO_CHALLENGE = (Code.UNKNOWN_CHALLENGE, "This challenge is not open any more.")
FOR_OTHERS = (Code.NOT_YOURS, "This challenge is for somebody else.")
NOT_OWNER = (Code.NOT_YOURS, "Only the owner can withdraw an offer.")
MYSELF = (Code.UNKNOWN_PLAYER, "You cannot challenge yourself.")
TOO_MANY_OFFERS = "You have 2 open offers, which is the limit; withdraw one first."

LOBBIES: list[tuple[Callable[[], Lobby], LobbyAct, Code, str]] = [
    (
        lobby_with_offers,
        lambda lobby: lobby.rooms.find("r9"),
        Code.UNKNOWN_ROOM,
        "There is no room r9.",
    ),
    (lambda: full(lobby_with_offers(rooms=1)), create(BOB), *SERVER_FULL),
    (lambda: full(lobby_of_one()), create(ANN), *full_of("Ann")),
    (lambda: full(lobby_of_one()), accept(BOB, seek), *full_of("Ann")),
    (lambda: full(lobby_of_one(), BOB), accept(BOB, seek), *full_of("Bob")),
    (
        lambda: lobby_with_offers(offers_per_player=2),
        lambda lobby: lobby.seek(ANN, "k", dots(), None, T0),
        Code.TOO_MANY,
        TOO_MANY_OFFERS,
    ),
    (
        lobby_with_offers,
        challenge_of("Dan"),
        Code.UNKNOWN_PLAYER,
        "No player named Dan is connected.",
    ),
    (lobby_with_offers, challenge_of("Ann"), *MYSELF),
    (lobby_with_offers, challenge_of("ANN"), *MYSELF),
    (lobby_with_offers, accept(CAT, lambda _: "gone"), *NO_SEEK),
    (lobby_with_offers, accept(BOB, challenge), *NO_SEEK),
    (lobby_with_offers, accept(CAT, seek, True), *NO_CHALLENGE),
    (lobby_with_offers, accept(CAT, challenge, True), *FOR_OTHERS),
    (lobby_with_offers, accept(ANN, challenge, True), *FOR_OTHERS),
    (lobby_with_offers, accept(ANN, seek), Code.NOT_YOURS, "You cannot accept your own seek."),
    (lobby_with_offers, lambda lobby: lobby.cancel(BOB, seek(lobby), False), *NOT_OWNER),
    (lobby_with_offers, lambda lobby: lobby.cancel(BOB, challenge(lobby), True), *NOT_OWNER),
    (lobby_with_offers, lambda lobby: lobby.decline(CAT, challenge(lobby)), *FOR_OTHERS),
]


@pytest.mark.parametrize(("make", "act", "code", "sentence"), LOBBIES)
def test_what_the_lobby_refuses(
    make: Callable[[], Lobby], act: LobbyAct, code: Code, sentence: str
) -> None:
    lobby = make()
    before = everything(lobby)
    with pytest.raises(Refused) as refused:
        act(lobby)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert everything(lobby) == before
