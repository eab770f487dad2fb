"""What the tests of rooms share: players, settings, a room in play."""

from __future__ import annotations

from typing import Any

from protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from server.core.room import Room
from server.core.terms import RoomTerms, RoomTimes

ANN = PlayerInfo(name="Ann", kind="human")
BOB = PlayerInfo(name="Bob", kind="bot", engine=EngineInfo(name="rules", version="1"))
CAT = PlayerInfo(name="Cat", kind="human")
TIMES = RoomTimes(grace_ms=1000, join_ms=60_000, away_ms=5000, linger_ms=20_000, restart_ms=3000)
T0 = 1_700_000_000_000
"""When the tests of the core begin."""
CLOCKED = TimeControl(base_ms=10_000, increment_ms=500)


def dots(
    rows: int = 1, cols: int = 2, *, time: TimeControl = CLOCKED, rated: bool = False
) -> MatchSettings:
    """Dots and Boxes; 1x2 has seven edges: horizontals 0-3, verticals 4-6."""
    return MatchSettings(
        game="dots-and-boxes", params={"rows": rows, "cols": cols}, time=time, rated=rated
    )


def open_room(
    settings: MatchSettings | None = None, *, now: int = T0, code: str | None = None
) -> tuple[Room, list[dict[str, Any]]]:
    """A room in which Ann waits in seat 0 and is connected."""
    terms = RoomTerms("r1", settings or dots(), code is not None, code, None, ("k-ann", None))
    room, said = Room.open(terms, TIMES, now)
    said += room.sit(ANN, 0, now)
    room.attendance.connect(0)
    return room, said


def room_in_play(
    settings: MatchSettings | None = None, *, now: int = T0
) -> tuple[Room, list[dict[str, Any]]]:
    """Ann (seat 0) and Bob (seat 1), both connected, the clock running since `now`."""
    room, said = open_room(settings, now=now)
    said += room.sit(BOB, None, now)
    room.attendance.connect(1)
    room.start_clock(now)
    return room, said


def play(room: Room, action: int, now: int = T0) -> list[dict[str, Any]]:
    """The mover plays `action`, and what comes of it is stored at once."""
    assert room.match is not None
    mover = room.players[room.match.state.current_player()]
    assert mover is not None
    said = room.move(mover.name, room.match_number, room.match.ply, action, None, False, now)
    room.start_clock(now)
    return said


def play_out(room: Room, now: int = T0) -> list[dict[str, Any]]:
    """The match to its end, always the lowest free action."""
    said: list[dict[str, Any]] = []
    while room.status == "playing":
        assert room.match is not None
        said += play(room, room.match.state.legal_actions()[0], now)
    return said
