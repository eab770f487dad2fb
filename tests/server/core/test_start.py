"""Matches that begin in the middle of a game: the moves of the start, and what is refused."""

from __future__ import annotations

import copy
from random import Random

import pytest

from doublecross.client.core.room import RoomMirror
from doublecross.games.record import parse_record
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import RoomState
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.events import Event
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.lobby import Lobby, OpenedRoom
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import presence, snapshot
from doublecross.server.core.terms import check_settings
from tests.server.playing import ANN, BOB, T0, TIMES, dots, play, play_out, room_in_play

# Seat 0 draws 0, seat 1 the edges 2 and so on, and seat 1 takes the first box of 1x2 with edge 5.
START = (0, 2, 4, 5)


def started(start: tuple[int, ...] = START, *, rated: bool = False) -> MatchSettings:
    return dots(rated=rated).model_copy(update={"start": start})


def open_lobby() -> Lobby:
    lobby = Lobby(Random(1), TIMES, ServerLimits())
    for player in (ANN, BOB):
        lobby.arrive(player)
    return lobby


def mirrored(room: Room, said: list[Event]) -> RoomMirror:
    """Return the mirror of a client that receives these events one after the other.

    Nobody is to move before the last move of the start.
    """
    shown = presence(room, 0, T0)
    fields = {"type": "room_state", "id": 1, "room": room.id, "seat": 1, "events": said[:1]}
    mirror = RoomMirror(_read({**fields, "presence": shown}), 0.0)
    for event in said[1:]:
        (read,) = _read({**fields, "events": [event], "presence": shown}).events or ()
        mirror.apply(read, 0.0)
        assert mirror.to_move is None or mirror.state.ply == len(START)
    return mirror


def _read(fields: dict[str, object]) -> RoomState:
    return RoomState.model_validate(copy.deepcopy(fields), strict=False)


def test_the_moves_of_the_start_are_played_at_once_and_count() -> None:
    room, said = room_in_play(started())
    assert [e["type"] for e in said[2:]] == ["seated", "match_started", *["move"] * 4]
    assert [e["seq"] for e in said] == list(range(1, 9))
    match = room.match
    assert match is not None
    assert match.state.history() == START
    assert match.movers == [0, 1, 0, 1]
    assert match.state.scores() == (0, 1)
    assert match.to_move == 1  # the captured box keeps the turn
    assert match.clock.left == (10_000, 10_000)
    assert match.clock.running == 1
    assert match.moved == [False, False]
    assert match.thought[0].moves == match.thought[1].moves == 0
    mirror = mirrored(room, said)
    assert mirror.state.history() == START
    assert mirror.my_turn
    assert snapshot(room, T0)["moves"] == START


def test_such_a_match_is_played_on_recorded_and_restored() -> None:
    room, said = room_in_play(started())
    assert commands.abort(copy.deepcopy(room), "Ann", T0)  # nobody has moved yet
    said += play(room, 1, T0 + 400)
    restored = restore(said, TIMES, T0 + 400)
    assert restored.match is not None
    assert restored.match.moved == [False, True]
    assert restored.match.thought[1].moves == 1
    assert restored.match.thought[0].moves == 0
    assert snapshot(restored, T0)["moves"] == snapshot(room, T0)["moves"] == (*START, 1)
    said += play_out(room, T0 + 500)
    record = parse_record(game_row(room).record)
    assert [move.action for move in record.moves[:5]] == [*START, 1]
    assert ("Start", "after 4 moves") in record.tags
    assert sum(said[-1]["scores"]) == 2  # type: ignore[typeddict-item]


def test_a_rematch_begins_with_the_same_moves_and_the_seats_swapped() -> None:
    room, said = room_in_play(started())
    said += commands.resign(room, "Ann", T0)
    said += commands.offer_rematch(room, "Bob", T0)
    again = commands.offer_rematch(room, "Ann", T0)
    assert [e["type"] for e in again] == ["match_started", *["move"] * 4]
    room.start_clock(T0)
    assert [None if p is None else p.name for p in room.players] == ["Bob", "Ann"]
    mirror = mirrored(room, said + again)
    assert (mirror.match, mirror.state.history()) == (2, START)
    assert restore(said + again, TIMES, T0).move_seqs == room.move_seqs


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (started((0, 0)), "drawn already"),
        (started((0, 99)), "not an edge"),
        (started(tuple(range(7))), "over after these moves"),
        (started(rated=True), "casual"),
    ],
)
def test_a_start_that_is_refused(settings: MatchSettings, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        check_settings(settings)
    assert refused.value.code is ErrorCode.BAD_PARAMETER


def test_a_quick_match_finds_only_offers_with_the_same_start() -> None:
    lobby = open_lobby()
    lobby.seek(ANN, "a", started(), None, T0)
    assert not isinstance(lobby.quick_match(BOB, "b", dots(), T0), OpenedRoom)
    assert isinstance(lobby.quick_match(BOB, "c", started(), T0), OpenedRoom)


def test_a_challenge_from_a_position_opens_that_position() -> None:
    lobby = open_lobby()
    offer = lobby.challenge(ANN, "a", "Bob", started(), 1)
    opened = lobby.accept(BOB, "b", offer.offer_id, True, T0)
    assert opened.room.match is not None
    assert opened.room.match.to_move == 1
    assert opened.room.seat_of("Ann") == 1
