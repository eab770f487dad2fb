"""Matches that people arrange between bots: who may ask, the limits, and what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.arrangements import ANSWER_MS, Arrangement
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from tests.server.playing import ANN, CAT, T0, TIMES, dots, play, play_out


def bot(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, kind="bot", engine=EngineInfo(name="rules", version="1"))


EASY, HARD, SLOW = bot("easy"), bot("hard"), bot("slow")


def make_lobby(**limits: int) -> Lobby:
    lobby = Lobby(Random(1), TIMES, ServerLimits(**limits))  # type: ignore[arg-type]
    for player in (ANN, CAT, EASY, HARD, SLOW):
        lobby.arrive(player)
    return lobby


def arrange(
    lobby: Lobby,
    key: str = "k",
    names: tuple[str, str] = ("easy", "hard"),
    *,
    asker: PlayerInfo = ANN,
    settings: MatchSettings | None = None,
) -> Arrangement:
    return lobby.arrange(asker, key, names, settings or dots(), T0)


def begin(
    lobby: Lobby, key: str = "k", settings: MatchSettings | None = None
) -> tuple[Room, list[Any]]:
    """Arrange a match that both bots accept."""
    arrangement = arrange(lobby, key, settings=settings)
    arrangement.accepted.update(easy=f"e-{key}", hard=f"h-{key}")
    opened = lobby.open_arranged(arrangement, T0)
    return opened.room, list(opened.events)


def refused(act: Callable[[], Any]) -> tuple[ErrorCode, str]:
    with pytest.raises(Refused) as error:
        act()
    return error.value.code, error.value.sentence


def test_both_bots_are_found_and_sit_in_the_order_of_the_request() -> None:
    lobby = make_lobby()
    arrangement = arrange(lobby, names=("HARD", "easy"))
    assert [each.name for each in arrangement.bots] == ["hard", "easy"]
    assert arrangement.missing == ("hard", "easy")
    assert lobby.arrangements.with_bot("easy") == [arrangement]
    assert lobby.arrangements.created_by("Ann", "k") is arrangement
    arrangement.accepted.update(easy="e", hard="h")
    opened = lobby.open_arranged(arrangement, T0)
    room = opened.room
    assert room.players == [HARD, EASY]
    assert room.status == "playing"
    assert opened.events[0]["asked_by"] == "Ann"
    assert (room.terms.origin, room.terms.keys) == (arrangement.arrangement_id, ("h", "e"))
    for player, key in (("Ann", "k"), ("easy", "e"), ("hard", "h")):
        assert lobby.created_by(player, key) is room
    assert not lobby.arrangements


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"asker": EASY, "names": ("hard", "slow")}, ErrorCode.NOT_YOURS),
        ({"names": ("easy", "Easy")}, ErrorCode.BAD_PARAMETER),
        ({"names": ("easy", "Cat")}, ErrorCode.UNKNOWN_PLAYER),
        ({"names": ("easy", "nobody")}, ErrorCode.UNKNOWN_PLAYER),
        ({"settings": dots(rated=True)}, ErrorCode.BAD_PARAMETER),
        ({"settings": MatchSettings(game="chess")}, ErrorCode.UNKNOWN_GAME),
        ({"settings": dots(0, 99)}, ErrorCode.BAD_PARAMETER),
    ],
)
def test_what_is_not_allowed_changes_nothing(wrong: dict[str, Any], code: ErrorCode) -> None:
    lobby = make_lobby()
    assert refused(lambda: arrange(lobby, **wrong))[0] is code
    assert not lobby.arrangements


def test_a_person_may_arrange_only_a_few_matches_at_once() -> None:
    lobby = make_lobby(arranged_per_player=2)
    room, _ = begin(lobby, "k1")
    arrange(lobby, "k2")
    code, sentence = refused(lambda: arrange(lobby, "k3"))
    assert code is ErrorCode.TOO_MANY
    assert "2 matches" in sentence
    arrange(lobby, "k3", asker=CAT)  # the limit of another person
    play_out(room)
    arrange(lobby, "k3")


def test_a_bot_and_the_server_have_limits_too() -> None:
    lobby = make_lobby(challenges_per_target=1)
    arrange(lobby, "k1")
    assert refused(lambda: arrange(lobby, "k2", ("slow", "hard")))[0] is ErrorCode.TOO_MANY
    lobby = make_lobby(offers=1)
    arrange(lobby, "k1")
    assert refused(lambda: arrange(lobby, "k2", ("slow", "hard")))[0] is ErrorCode.TOO_MANY
    assert len(lobby.arrangements) == 1


def test_a_bot_with_too_many_rooms_gets_no_other() -> None:
    lobby = make_lobby(rooms_per_player=1)
    begin(lobby, "k1")
    arrangement = arrange(lobby, "k2")
    arrangement.accepted.update(easy="e", hard="h")
    assert refused(lambda: lobby.open_arranged(arrangement, T0))[0] is ErrorCode.TOO_MANY
    assert len(lobby.rooms) == 1


def test_bots_have_some_seconds_to_answer() -> None:
    lobby = make_lobby()
    first = arrange(lobby, "k1")
    second = lobby.arrange(CAT, "k1", ("hard", "slow"), dots(), T0 + 1)
    assert lobby.arrangements.expire(T0 + ANSWER_MS - 1) == []
    assert lobby.arrangements.expire(T0 + ANSWER_MS) == [first]
    assert list(lobby.arrangements.values()) == [second]
    assert lobby.arrangements.with_bot("hard") == [second]
    assert lobby.arrangements.asked_by("Ann") == []


def test_the_room_remembers_who_asked_after_a_restart() -> None:
    lobby = make_lobby()
    room, events = begin(lobby)
    again = restore(events, TIMES, T0)
    assert again.terms == room.terms
    assert snapshot(again, T0)["asked_by"] == "Ann"
    rebuilt = make_lobby(arranged_per_player=1)
    rebuilt.rooms.add(again)
    assert rebuilt.created_by("Ann", "k") is again
    assert refused(lambda: arrange(rebuilt, "k2"))[0] is ErrorCode.TOO_MANY


def test_nothing_is_left_of_a_closed_room() -> None:
    lobby = make_lobby()
    room, _ = begin(lobby)
    commands.void(room, "over", T0)
    lobby.rooms.drop(room)
    assert lobby.created_by("Ann", "k") is None
    assert (lobby.rooms._asked, lobby.rooms._keys, lobby.rooms._of_player) == ({}, {}, {})
    assert lobby.arrangements._by_asker == lobby.arrangements._by_bot == {}


@pytest.mark.parametrize("time", [TimeControl(), TimeControl(base_ms=240 * 3_600_000)])
def test_a_bot_that_does_not_move_does_not_keep_the_other_for_long(time: TimeControl) -> None:
    lobby = make_lobby()
    room, _ = begin(lobby, settings=dots(time=time))
    for seat in (0, 1):
        room.attendance.connect(seat)
    room.start_clock(T0)
    assert deadlines.next_due(room) == T0 + deadlines.ARRANGED_IDLE_MS + 1
    later = T0 + deadlines.ARRANGED_IDLE_MS
    play(room, 0, later)
    assert deadlines.tick(room, later + 1) == []
    end = deadlines.next_due(room)
    assert end == later + deadlines.ARRANGED_IDLE_MS + 1
    over, closed = deadlines.tick(room, end)
    assert (over["type"], over["termination"]) == ("match_finished", "aborted")
    assert over["reason"] == closed["reason"] == "Nobody has moved for 10 minutes."
    assert lobby.rooms.arranged_by("Ann") == 0
