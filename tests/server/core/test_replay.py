"""Rooms restored from events: exact restoration, refusal of inconsistent logs, salvage."""

from __future__ import annotations

import copy
from typing import Any

import msgpack
import pytest

from doublecross.games.api.sentence import Sentence
from doublecross.server.core import commands
from doublecross.server.core.cards import card_of, shadow_of
from doublecross.server.core.errors import CorruptLog
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.replay import restore, salvage
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.rooms.channel import read_frame, split_frames
from tests.server.playing import T0, TIMES, open_room, play, play_out, room_in_play

Log = list[dict[str, Any]]


def stored(said: Log) -> Log:
    """Return the events in the form in which the journal returns them."""
    stream = b"".join(MSGPACK_CODEC.encode(event) for event in said)
    found = split_frames(stream)
    assert [read_frame(frame) for _, frame in found] == [event for event, _ in found]
    return [event for event, _ in found]


def a_long_log() -> tuple[Room, Log]:
    """Return the log of a match with clocks, resigned while thinking, and of a rematch in play."""
    room, said = room_in_play()
    for ply, action in enumerate((0, 2, 4)):
        said += play(room, action, T0 + 100 * ply + 50)
    said += commands.resign(room, "Ann", T0 + 777)
    said += commands.offer_rematch(room, "Bob", T0 + 800)
    said += commands.offer_rematch(room, "Ann", T0 + 900)
    room.start_clock(T0 + 900)
    said += play(room, 6, T0 + 1000)
    return room, said


def stopped(room: Room, now: int) -> dict[str, Any]:
    """Return the snapshot of the room with its clock stopped at its last event."""
    shown = snapshot(room, now)
    shown["clock_runs"] = False
    shown["clock_ms"] = None if room.match is None else room.match.clock.left
    return shown


def test_every_beginning_of_a_log_gives_the_room_of_that_moment() -> None:
    _, said = a_long_log()
    replayed = stored(said)
    room, events = room_in_play()
    shown = {len(events): stopped(room, T0)}
    for ply, action in enumerate((0, 2, 4)):
        events += play(room, action, T0 + 100 * ply + 50)
        shown[len(events)] = stopped(room, T0)
    for act in (
        lambda: commands.resign(room, "Ann", T0 + 777),
        lambda: commands.offer_rematch(room, "Bob", T0 + 800),
        lambda: commands.offer_rematch(room, "Ann", T0 + 900),
    ):
        events += act()
        shown[len(events)] = stopped(room, T0)
    assert events == said[: len(events)]
    for length, expected in shown.items():
        assert snapshot(restore(replayed[:length], TIMES, T0), T0) == expected


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_events_of_the_first_matches_may_be_missing(first: int) -> None:
    """As after a room has slept: the row has its latest match, and more matches follow it."""
    room, said = a_long_log()
    for now in (T0 + 2000, T0 + 3000):
        said += commands.resign(room, "Ann", now)
        said += commands.offer_rematch(room, "Bob", now)
        said += commands.offer_rematch(room, "Ann", now)
    events = stored(said)
    starts = [at for at, event in enumerate(events) if event["type"] == "match_started"]
    kept = events[: starts[0]] + events[starts[first - 1] :]
    restored = restore(kept, TIMES, T0, latest_match=True)
    assert restored.players == room.players
    assert (restored.match_number, restored.seq) == (4, room.seq)


def test_a_restored_room_continues_unchanged() -> None:
    room, said = a_long_log()
    again = restore(stored(said), TIMES, T0 + 10**6)
    assert again.created_at == T0
    assert again.move_seqs == room.move_seqs
    assert again.attendance.both_away
    assert not again.clock_runs
    assert again.terms == room.terms
    again.attendance.connect(0)
    again.attendance.connect(1)
    assert again.match is not None
    assert room.match is not None
    assert again.match.moved == room.match.moved
    rest = play_out(again, T0 + 10**6)
    assert rest[0]["seq"] == len(said) + 1
    assert game_row(again).record == game_row(finish_like(room)).record


def finish_like(room: Room) -> Room:
    """Play the room to its end at the same times as the restored room."""
    assert room.match is not None
    room.match.clock.running = None
    room.start_clock(T0 + 10**6)
    play_out(room, T0 + 10**6)
    return room


def test_a_closed_room_is_restored_closed() -> None:
    room, said = open_room(code="secret")
    said += room.leave("Ann", T0)
    again = restore(stored(said), TIMES, T0)
    assert again.status == "closed"
    assert again.terms.code == "secret"


def test_events_without_a_phrase_are_read() -> None:
    room, said = room_in_play()
    said += commands.abort(room, "Ann", T0) + room.close(Sentence("Room {room} was closed.", "r1"))
    log = stored(said)
    for event in log[-2:]:
        assert event.pop("phrase")["values"]
    again = restore(log, TIMES, T0)
    assert again.status == "closed"
    assert again.match is not None
    assert again.match.result is not None
    assert again.match.result.reason == "Called off by Ann."
    assert again.match.result.reason.phrase is None
    card = msgpack.unpackb(msgpack.packb(card_of(room)), use_list=False)
    assert card["result"].pop("phrase")
    assert card_of(shadow_of(card, TIMES, T0))["result"] == card["result"] | {"phrase": None}


# -- logs that cannot have happened ------------------------------------------------------------


def edited(position: int, **fields: Any) -> Log:
    log = copy.deepcopy(stored(a_long_log()[1]))
    log[position].update(fields)
    return log


def without(position: int) -> Log:
    log = stored(a_long_log()[1])
    del log[position]
    return log


CORRUPT = {
    "empty": [],
    "no beginning": without(0),
    "a gap": without(5),
    "twice": [*stored(a_long_log()[1])[:5], stored(a_long_log()[1])[4]],
    "first is not 1": edited(0, seq=2),
    "unknown game": edited(0, settings={**stored(a_long_log()[1])[0]["settings"], "game": "go"}),
    "bad settings": edited(0, settings={"game": 5}),
    "bad keys": edited(0, keys=None),
    "no such seat": edited(1, seat=7),
    "seat taken twice": edited(2, seat=0),
    "no player": edited(1, player={"name": ""}),
    "another match": edited(3, match=2),
    "started without players": [
        stored(a_long_log()[1])[0],
        {**stored(a_long_log()[1])[3], "seq": 2},
    ],
    "started while playing": [
        *stored(a_long_log()[1])[:4],
        {**stored(a_long_log()[1])[3], "seq": 5, "match": 2},
    ],
    "wrong mover": edited(4, seat=1),
    "wrong ply": edited(4, ply=1),
    "taken edge": edited(5, action=0),
    "no edge": edited(5, action=99),
    "no number": edited(5, action="4"),
    "wrong scores": edited(5, scores=(1, 0)),
    "one clock": edited(5, clock_ms=(1,)),
    "a clock below zero": edited(5, clock_ms=(10_000, -1)),
    "a clock with a fraction": edited(5, clock_ms=(10_000, 9_000.5)),
    "a clock beyond all records": edited(7, clock_ms=(10**12, 9_000)),
    "unknown end": edited(7, termination="boredom"),
    "unknown type": edited(5, type="rain"),
    "move before the start": [
        *stored(a_long_log()[1])[:3],
        {**stored(a_long_log()[1])[4], "seq": 4},
    ],
    "a field is missing": [*stored(a_long_log()[1])[:4], {"type": "move", "seq": 5}],
}


@pytest.mark.parametrize("what", CORRUPT)
def test_a_log_that_cannot_have_happened_is_corrupt(what: str) -> None:
    with pytest.raises(CorruptLog):
        restore(CORRUPT[what], TIMES, T0)


@pytest.mark.parametrize("what", CORRUPT)
def test_a_salvaged_match_ends_as_void_and_event_numbers_continue(what: str) -> None:
    log = CORRUPT[what]
    room = salvage(log, TIMES, T0)
    if room is None:
        first = log[:1]
        with pytest.raises(CorruptLog):
            restore(first, TIMES, T0)
        return
    highest = max(event["seq"] for event in log)
    said = commands.void(room, "corrupt", T0)
    assert [e["seq"] for e in said] == list(range(highest + 1, highest + 1 + len(said)))
    assert said[-1]["type"] == "room_closed"
    if said[0]["type"] == "match_finished":
        assert said[0]["termination"] == "void"
        assert game_row(room).result == "*"


def test_salvage_keeps_the_longest_valid_part() -> None:
    room = salvage(CORRUPT["wrong scores"], TIMES, T0)
    assert room is not None
    assert room.match is not None
    assert [action for action, _ in room.match.moves] == [0]


@pytest.mark.parametrize("junk", [b"\xc1", b"\x05", b"\x81\xa1a", b"\x80\xc1", b"\xdf\xff\xff"])
def test_malformed_events_are_a_corrupt_log(junk: bytes) -> None:
    with pytest.raises(ValueError):
        split_frames(junk)
    assert split_frames(b"") == []
