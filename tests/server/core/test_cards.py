"""Shadows of rooms: they agree with the real rooms although they never hear of a move."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import msgpack
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import invariant, rule

from doublecross.protocol.common import PairTag
from doublecross.server.core.cards import apply_report, card_of, refresh, shadow_after, shadow_of
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.records import rated_game
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.replay import opened_by
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import lobby_room
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.metrics.overview import room_line
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.rooms.channel import split_frames
from doublecross.server.tournaments.running import outcome_of_room
from tests.server.core.test_room_fuzz import RoomMachine
from tests.server.playing import ANN, BOB, T0, TIMES, dots, play, play_out, room_in_play

NAMES = ("Ann", "Bob", "Cat")


def views(room: Room) -> dict[str, Any]:
    """Return all that others than the room's owner read of a room."""
    index = RoomIndex(ServerLimits())
    index.add(room)
    result = None if room.match is None else room.match.result
    return {
        "lobby": lobby_room(room),
        "rated": rated_game(room),
        "outcome": None if result is None or room.terms.tag is None else outcome_of_room(room),
        "result": result,
        "seats": [(name, [r.id for r in index.of_player(name)]) for name in NAMES],
        "keys": [index.created_by(name, f"k{name}") is not None for name in NAMES],
        "arranged": index.arranged_by("Cat"),
        "public": [r.id for r in index.newest_public()],
        "rematch": room.rematch,
        "dates": (room.started_at, room.finished_at),
        "number": (room.match_number, room.game_id),
        "code": room.terms.code,
        "host": room_line(room, ply=0, spectators=0),  # the ply needs the moves
    }


class ShadowMachine(RoomMachine):
    """Run random commands, and report all events but moves to a shadow."""

    shadow: Room | None = None

    def keep(self, said: list[dict[str, Any]]) -> None:
        super().keep(said)
        for event in said:
            if self.shadow is None:
                self.shadow = opened_by(event, TIMES, self.now)  # type: ignore[arg-type]
            elif event["type"] != "move":
                apply_report(self.shadow, event, self.now)  # type: ignore[arg-type]

    @rule(in_place=st.booleans())
    def send_a_card(self, in_place: bool) -> None:
        """Replace the shadow by the card of the real room, as after a break."""
        card = msgpack.unpackb(msgpack.packb(card_of(self.room)), use_list=False)
        assert self.shadow is not None
        if in_place:
            refresh(self.shadow, card, self.now)
        else:
            self.shadow = shadow_of(card, TIMES, self.now)
        assert card_of(self.shadow) == card
        assert self.shadow.attendance.left == self.room.attendance.left

    @rule(latest=st.booleans())
    def read_the_log(self, latest: bool) -> None:
        """Make the shadow anew from the stored events, perhaps without the earlier matches."""
        begun = [at for at, each in enumerate(self.said) if each["type"] == "match_started"]
        first, last = (begun[0], begun[-1]) if latest and begun else (0, 0)
        stored = self.said[:first] + self.said[last:]
        found = split_frames(b"".join(map(MSGPACK_CODEC.encode, stored)), moves=False)
        kept = [event["seq"] for event in stored if event["type"] != "move"]
        assert [event["seq"] for event, _ in found] == kept
        self.shadow = shadow_after([event for event, _ in found], TIMES, self.now)  # type: ignore[misc]

    @invariant()
    def the_shadow_is_the_room(self) -> None:
        assert self.shadow is not None
        assert views(self.shadow) == views(self.room)
        assert self.shadow.seq <= self.room.seq


ShadowMachine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, suppress_health_check=list(HealthCheck)
)
test_shadows_agree_with_random_rooms = ShadowMachine.TestCase


def tagged() -> Room:
    """Return a room with all terms that a room can have, in which Ann and Bob play."""
    tag = PairTag(tournament="t1", pairing=2, game=1, attempt=1)
    terms = RoomTerms(
        "r1", dots(rated=True), True, "code", "t1", ("kAnn", "kBob"), tag, "Cat", "kCat"
    )
    room, _ = Room.open(terms, TIMES, T0)
    room.sit(ANN, 0, T0)
    room.sit(BOB, 1, T0)
    return room


def test_a_card_has_everything_of_a_finished_game() -> None:
    room = tagged()
    play_out(room, T0 + 5)
    shadow = shadow_of(card_of(room), TIMES, T0 + 9)
    assert shadow.terms == room.terms
    assert views(shadow) == views(room)
    assert outcome_of_room(shadow).scores != (0, 0)
    assert shadow.match is not None
    assert shadow.match.moves == []


def test_reports_that_a_shadow_has_already_change_only_the_date() -> None:
    """The leader makes a room's first events itself; their dates come from the room's owner."""
    room, events = room_in_play()
    shadow = shadow_of(card_of(room), TIMES, T0)
    started = next(event for event in events if event["type"] == "match_started")
    for event in events:
        apply_report(shadow, event | {"at": T0 + 77}, T0)  # type: ignore[arg-type]
    assert (shadow.started_at, shadow.match_number, shadow.seq) == (T0 + 77, 1, room.seq)
    assert isinstance(shadow.match, Match)
    again = started | {"match": 2, "seq": 1}
    apply_report(shadow, again, T0)  # type: ignore[arg-type]
    assert shadow.started_at == T0 + 77


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"type": "move"}, ValueError),
        ({"type": "room_created"}, ValueError),
        ({"type": "room_closed"}, Refused),
        ({"type": "seated", "seat": 5, "player": {"name": "Ann", "kind": "human"}}, IndexError),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any], wrong: type[Exception]) -> None:
    room, _ = room_in_play()
    play(room, 0)
    shadow = shadow_of(card_of(room), TIMES, T0)
    with pytest.raises(wrong):
        apply_report(shadow, {"room": "r1", "seq": 99, **change}, T0)  # type: ignore[arg-type,typeddict-item]
    assert shadow.seq == room.seq
