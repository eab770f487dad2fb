"""Make players, settings and rooms for the tests of rooms."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.settings import ServerSettings

ANN = PlayerInfo(name="Ann", kind="human")
BOB = PlayerInfo(name="Bob", kind="bot", engine=EngineInfo(name="rules", version="1"))
CAT = PlayerInfo(name="Cat", kind="human")
TIMES = RoomTimes(grace_ms=1000, join_ms=60_000, away_ms=5000, linger_ms=20_000, restart_ms=3000)
ADDRESSES = ServerSettings().addresses
T0 = 1_700_000_000_000
"""The time at which the tests of the core begin."""
CLOCKED = TimeControl(base_ms=10_000, increment_ms=500)


def dots(
    rows: int = 1, cols: int = 2, *, time: TimeControl = CLOCKED, rated: bool = False
) -> MatchSettings:
    """Return settings for Dots and Boxes; 1x2 has seven edges: horizontals 0-3, verticals 4-6."""
    return MatchSettings(
        game="dots-and-boxes", params={"rows": rows, "cols": cols}, time=time, rated=rated
    )


def open_room(
    settings: MatchSettings | None = None, *, now: int = T0, code: str | None = None
) -> tuple[Room, list[dict[str, Any]]]:
    """Open a room in which Ann is connected and waits in seat 0."""
    terms = RoomTerms("r1", settings or dots(), code is not None, code, None, ("k-ann", None))
    room, events = Room.open(terms, TIMES, now)
    events += room.sit(ANN, 0, now)
    room.attendance.connect(0)
    return room, events


def room_in_play(
    settings: MatchSettings | None = None, *, now: int = T0
) -> tuple[Room, list[dict[str, Any]]]:
    """Open a room with Ann (seat 0) and Bob (seat 1) connected and the clock running."""
    room, events = open_room(settings, now=now)
    events += room.sit(BOB, None, now)
    room.attendance.connect(1)
    room.start_clock(now)
    return room, events


def play(room: Room, action: int, now: int = T0) -> list[dict[str, Any]]:
    """Play `action` for the mover as if its events were stored at once."""
    assert room.match is not None
    mover = room.players[room.match.state.current_player()]
    assert mover is not None
    events = room.move(mover.name, room.match_number, room.match.ply, action, None, False, now)
    room.start_clock(now)
    return events


def play_out(room: Room, now: int = T0) -> list[dict[str, Any]]:
    """Play the match to its end with the lowest legal action at each turn."""
    events: list[dict[str, Any]] = []
    while room.status == "playing":
        assert room.match is not None
        events += play(room, room.match.state.legal_actions()[0], now)
    return events
