"""Check what happens to a request that was sent when the connection broke."""

from __future__ import annotations

import pytest

from doublecross.client.core.resend import LOST_PHRASE, done_before, send_again
from doublecross.client.core.room import RoomMirror
from doublecross.protocol.client_messages import (
    Abort,
    CancelChallenge,
    CancelSeek,
    Claim,
    Crash,
    DeclineChallenge,
    GetRecord,
    Leave,
    Move,
    Rematch,
    Request,
    Resign,
    SayPhrase,
)
from doublecross.protocol.common import Phrase
from doublecross.protocol.server_messages import (
    Done,
    Failed,
    MatchFinished,
    MatchStarted,
    RematchOffered,
)
from tests.fakes.rooms import FakeRoom, room_in_play

ENDINGS = [
    Resign(id=9, room="r1"),
    Abort(id=9, room="r1"),
    Claim(id=9, room="r1"),
    Crash(id=9, room="r1", match=1, ply=0),
]


def mirror_of(room: FakeRoom, me: str = "Ann") -> RoomMirror:
    return RoomMirror(room.room_state_after(0, me=me), 0.0)


# -- requests that end a match -------------------------------------------------------------------


@pytest.mark.parametrize("request_", ENDINGS)
def test_what_ended_the_match_is_answered_by_its_end(request_: Request) -> None:
    room = room_in_play()
    room.finish("resigned", 1)
    answer = send_again(request_, 1, mirror_of(room))
    assert isinstance(answer, MatchFinished)
    assert (answer.id, answer.termination, answer.winner) == (9, "resigned", 1)


@pytest.mark.parametrize("request_", ENDINGS)
def test_a_match_that_goes_on_is_ended_now(request_: Request) -> None:
    mirror = mirror_of(room_in_play())
    assert send_again(request_, 1, mirror) is request_
    assert send_again(request_, None, mirror) is request_


@pytest.mark.parametrize("request_", ENDINGS)
def test_the_next_match_is_never_ended(request_: Request) -> None:
    room = room_in_play()
    room.finish("timeout", 1)
    room.start()
    assert send_again(request_, 1, mirror_of(room)) == Failed(
        id=9,
        code="wrong_state",
        message="Match 1 was over before the connection was back.",
        phrase=Phrase(
            one="Match {match} was over before the connection was back.", values={"match": 1}
        ),
    )


# -- rematches -----------------------------------------------------------------------------------


def finished_room() -> FakeRoom:
    room = room_in_play()
    room.finish("resigned", 0)
    return room


def test_a_rematch_that_began_is_the_answer() -> None:
    room = finished_room()
    room.start()
    answer = send_again(Rematch(id=9, room="r1"), 1, mirror_of(room))
    assert isinstance(answer, MatchStarted)
    assert (answer.id, answer.match) == (9, 2)


def test_a_rematch_that_was_offered_is_the_answer() -> None:
    room = finished_room()
    room.offer(0)
    answer = send_again(Rematch(id=9, room="r1"), 1, mirror_of(room))
    assert answer == RematchOffered(room="r1", seq=room.seq, seat=0, id=9)


def test_a_rematch_that_only_the_other_one_offered_is_accepted_now() -> None:
    room = finished_room()
    room.offer(1)
    request = Rematch(id=9, room="r1")
    assert send_again(request, 1, mirror_of(room)) is request
    assert send_again(request, 1, mirror_of(room, me="Zoe")) is request


def test_an_earlier_start_answers_no_rematch() -> None:
    room = finished_room()
    room.start()
    room.finish("resigned", 0)
    request = Rematch(id=9, room="r1")
    assert send_again(request, 2, mirror_of(room)) is request
    assert send_again(request, None, mirror_of(room)) is request


# -- the rest ------------------------------------------------------------------------------------


def test_other_requests_are_sent_again() -> None:
    mirror = mirror_of(room_in_play())
    for request in (Move(id=9, room="r1", match=1, ply=0, action=3), Leave(id=9, room="r1")):
        assert send_again(request, 1, mirror) is request
    record = GetRecord(id=9, game_id="g1")
    assert send_again(record, None, None) is record


@pytest.mark.parametrize("reason", ["The server was closed.", ""])
def test_a_closed_room_answers_what_needs_it(reason: str) -> None:
    room = room_in_play()
    mirror = mirror_of(room)
    mirror.close(reason)
    failed = Failed(id=9, code="unknown_room", message=reason or "The room was closed.")
    move = Move(id=9, room="r1", match=1, ply=0, action=3)
    for request in (*ENDINGS, move, Rematch(id=9, room="r1")):
        assert send_again(request, 1, mirror) == failed
    assert send_again(Leave(id=9, room="r1"), 1, mirror) == Done(id=9)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Leave(id=9, room="r1"), "unknown_room"),
        (Leave(id=9, room="r1"), "not_seated"),
        (CancelSeek(id=9, seek="s1"), "unknown_seek"),
        (CancelChallenge(id=9, challenge="c1"), "unknown_challenge"),
        (DeclineChallenge(id=9, challenge="c1"), "unknown_challenge"),
    ],
)
def test_a_missing_room_was_ended_by_the_first_request(request_: Request, code: str) -> None:
    assert done_before(request_, Failed(id=9, code=code, message="Gone.")) == Done(id=9)
    assert done_before(request_, Failed(id=9, code="wrong_state", message="No.")) is None
    move = Move(id=9, room="r1", match=1, ply=0, action=3)
    assert done_before(move, Failed(id=9, code=code, message="Gone.")) is None


def test_a_phrase_is_never_said_a_second_time() -> None:
    say = SayPhrase(id=9, room="r1", match=1, phrase="oops")
    lost = Failed(id=9, code="wrong_state", message=LOST_PHRASE)
    for mirror in (mirror_of(room_in_play()), None):
        assert send_again(say, 1, mirror) == lost
