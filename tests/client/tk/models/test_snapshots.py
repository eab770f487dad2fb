"""Check snapshots of a session: complete, up to date, and never changed afterwards."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from doublecross.client.core.session import Session
from doublecross.client.tk.models.snapshots import (
    Answer,
    LinkSnapshot,
    LobbySnapshot,
    OfferOver,
    OffersSnapshot,
    OpenOffer,
    Overflow,
    RoomGone,
    SeatTaken,
    WindowUpdate,
    lobby_snapshot,
    offers_snapshot,
    room_snapshot,
)
from doublecross.protocol.client_messages import CancelSeek, Challenge, FollowLobby, Seek
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import (
    Challenged,
    ChallengeSent,
    LobbyRoom,
    LobbySeek,
    LobbyState,
    Presence,
    SeatPresence,
    SeekPosted,
)
from tests.client.core.mirrors import following, welcome
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, lobby_of, room_in_play

OPENED = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 2, "cols": 2},
    opening=(0, 5),
    time=TimeControl(base_ms=60_000, increment_ms=2_000),
    rated=True,
)


def test_a_room_that_waits() -> None:
    room = FakeRoom()
    room.sit(ANN, 1)
    _, mirror = following(room, now=5.0)
    snapshot = room_snapshot("me", mirror, 6.0)
    assert (snapshot.who, snapshot.room, snapshot.at) == ("me", "r1", 6.0)
    assert (snapshot.status, snapshot.match, snapshot.moves) == ("waiting", 0, ())
    assert (snapshot.seat, snapshot.players) == (1, (None, ANN))
    assert (snapshot.to_move, snapshot.clock_ms, snapshot.clock_runs) == (None, None, False)
    assert (snapshot.move_ms, snapshot.claim_at, snapshot.result) == (None, None, None)


def test_a_room_in_play() -> None:
    room = room_in_play(settings=OPENED)
    session, mirror = following(room, now=10.0)
    session.receive(room.play(1), 12.0)
    snapshot = room_snapshot("me", mirror, 15.0)
    assert snapshot.opening == (0, 5)
    assert snapshot.moves == (1,)
    assert snapshot.settings == OPENED
    assert snapshot.game == room.game
    assert (snapshot.status, snapshot.match, snapshot.seat) == ("playing", 1, 0)
    assert snapshot.players == (ANN, BOB)
    assert snapshot.to_move == room.state.current_player()
    assert snapshot.clock_runs
    expected = [60_000, 60_000]
    expected[room.state.current_player()] -= 3_000
    assert snapshot.clock_ms == tuple(expected)
    assert (snapshot.private, snapshot.code, snapshot.rated) == (False, None, True)


def test_the_limit_of_a_move_stands_beside_the_clock() -> None:
    time = TimeControl(base_ms=60_000, move_ms=5_000)
    room = room_in_play(settings=SMALL.model_copy(update={"time": time}))
    _, mirror = following(room, now=10.0)
    snapshot = room_snapshot("me", mirror, 12.0)
    assert (snapshot.clock_ms, snapshot.move_ms) == ((58_000, 60_000), 3_000)


def test_a_finished_and_a_closed_room() -> None:
    room = room_in_play()
    session, mirror = following(room)
    session.receive(room.finish("resigned", 1), 3.0)
    session.receive(room.offer(1), 4.0)
    snapshot = room_snapshot("me", mirror, 9.0)
    assert (snapshot.status, snapshot.to_move, snapshot.clock_runs) == ("finished", None, False)
    assert snapshot.result is not None
    assert (snapshot.result.winner, snapshot.result.termination) == (1, "resigned")
    assert snapshot.rematch == (False, True)
    session.receive(room.close("Everybody has gone."), 5.0)
    closed = room_snapshot("me", mirror, 9.0)
    assert (closed.status, closed.sentence) == ("closed", "Everybody has gone.")


@pytest.mark.parametrize(
    ("away", "me", "claim_at"),
    [(1, "Ann", 25.0), (0, "Ann", None), (0, "Bob", 25.0), (1, "Cleo", None)],
    ids=["the opponent", "this player", "the other seat's opponent", "watched"],
)
def test_only_the_opponent_of_one_who_is_away_may_claim(
    away: int, me: str, claim_at: float | None
) -> None:
    room = room_in_play()
    session = Session()
    session.receive(room.room_state(1, me), 0.0)
    seats = [SeatPresence(connected=True), SeatPresence(connected=True)]
    seats[away] = SeatPresence(connected=False, claim_in_ms=15_000)
    notice = Presence(room="r1", seats=(seats[0], seats[1]), spectators=3)
    session.receive(notice, 10.0)
    mirror = session.rooms["r1"]
    snapshot = room_snapshot("me", mirror, 12.0)
    assert snapshot.claim_at == claim_at
    assert snapshot.present == (away != 0, away != 1)
    assert snapshot.spectators == 3
    session.receive(room.finish("resigned", 0), 13.0)
    assert room_snapshot("me", mirror, 13.0).claim_at is None


def test_a_snapshot_does_not_change_when_the_session_does() -> None:
    room = room_in_play()
    session, mirror = following(room)
    snapshot = room_snapshot("me", mirror, 1.0)
    before = {f.name: getattr(snapshot, f.name) for f in fields(snapshot)}
    for action in (0, 1, 2):
        session.receive(room.play(action), 2.0)
    session.receive(room.finish("resigned", 0), 3.0)
    session.receive(room.close(), 4.0)
    assert {f.name: getattr(snapshot, f.name) for f in fields(snapshot)} == before
    assert snapshot.moves == ()


@pytest.mark.parametrize(
    "snapshot",
    [
        room_snapshot("me", following(room_in_play())[1], 1.0),
        RoomGone("me", "r1"),
        LobbySnapshot("me", (), (), (), False),
        OpenOffer("o1", True, None, SMALL),
        OffersSnapshot("me", ()),
        OfferOver("me", "o1", "expired", ""),
        SeatTaken("me", "r1", "o1"),
        LinkSnapshot("me", "connected"),
        Answer(lambda: None),
        Overflow(),
    ],
    ids=lambda snapshot: type(snapshot).__name__,
)
def test_pictures_are_frozen(snapshot: WindowUpdate | OpenOffer) -> None:
    for name in [field.name for field in fields(snapshot)] or ["anything"]:
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(snapshot, name, None)
    assert all(_unchanging(getattr(snapshot, f.name)) for f in fields(snapshot))


def _unchanging(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_unchanging, value))
    return not isinstance(value, list | dict | set | bytearray)


def test_a_lobby() -> None:
    session = Session()
    session.receive(welcome(), 0.0)
    assert lobby_snapshot("me", session, True) == LobbySnapshot("me", (), (), (), True)
    names = ["bob", "Ann", "Zoe", "cleo"]
    players = tuple(PlayerInfo(name=name, kind="human") for name in names)
    seek = LobbySeek(seek="s1", player=BOB, settings=SMALL, seat=None)
    shown = LobbyRoom(room="r7", settings=SMALL, status="waiting", players=(BOB, None))
    session.receive(
        LobbyState(
            id=1,
            players=players,
            seeks=(seek,),
            rooms=(shown,),
            players_total=4,
            seeks_total=1,
            rooms_total=1,
        ),
        1.0,
        FollowLobby(id=1),
    )
    snapshot = lobby_snapshot("me", session, True)
    assert [player.name for player in snapshot.players] == ["Ann", "bob", "cleo", "Zoe"]
    assert (snapshot.seeks, snapshot.rooms, snapshot.stale) == ((seek,), (shown,), False)
    assert lobby_snapshot("me", session, False).stale
    session.receive(welcome(), 2.0)
    assert lobby_snapshot("me", session, True).stale
    session.receive(lobby_of(2), 3.0, FollowLobby(id=2))
    assert lobby_snapshot("me", session, True) == LobbySnapshot("me", (), (), (), False)


def test_offers_of_both_sides() -> None:
    session = Session()
    session.receive(welcome(), 0.0)
    seek = Seek(id=2, key="k" * 24, settings=SMALL, seat=None)
    session.receive(SeekPosted(id=2, seek="s1"), 1.0, seek)
    challenge = Challenge(id=3, key="l" * 24, player="Bob", settings=OPENED, seat=1)
    session.receive(ChallengeSent(id=3, challenge="c1"), 1.0, challenge)
    session.receive(Challenged(challenge="c2", player=BOB, settings=SMALL, seat=None), 1.0)
    snapshot = offers_snapshot("me", session)
    assert snapshot.offers == (
        OpenOffer("s1", mine=True, other=None, settings=SMALL),
        OpenOffer("c1", mine=True, other="Bob", settings=OPENED),
        OpenOffer("c2", mine=False, other="Bob", settings=SMALL),
    )
    session.note_request(CancelSeek(id=4, seek="s1"))
    assert [offer.offer for offer in offers_snapshot("me", session).offers] == ["c1", "c2"]
