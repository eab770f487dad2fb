"""Check single values of the client's core that other tests leave open."""

from __future__ import annotations

import math
from random import Random

import pytest

from doublecross.client.core.address import is_loopback
from doublecross.client.core.errors import ConnectionEnded, Unreachable
from doublecross.client.core.pacing import RequestPacer
from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.resend import send_again
from doublecross.client.core.room import RoomMirror
from doublecross.client.core.session import Session
from doublecross.client.core.updates import LobbyUpdated, TournamentChanged
from doublecross.protocol.client_messages import FollowLobby, GetRecord, Leave, Rematch, Resign
from doublecross.protocol.server_messages import Failed, RematchOffered, SeekPosted, TournamentState
from tests.client.core.mirrors import welcome
from tests.fakes.rooms import ANN, lobby_of, room_in_play


def test_an_error_shows_its_sentence() -> None:
    unreachable = Unreachable("Nobody answers.", lasting=True)
    assert (str(unreachable), unreachable.lasting) == ("Nobody answers.", True)
    assert not Unreachable("Nobody answers.").lasting, "another try may help"
    ended = ConnectionEnded("Replaced.", 4001)
    assert (str(ended), ended.sentence, ended.close_code) == ("Replaced.", "Replaced.", 4001)


def test_no_host_is_no_loopback() -> None:
    assert not is_loopback("")


def test_a_message_after_silence_still_counts() -> None:
    pacer = RequestPacer(1.0, 0.0)
    pacer.spend(100.0)  # nobody asked for the delay
    assert pacer.delay(100.0) == pytest.approx(1.0)


def test_the_lobby_comes_as_a_whole() -> None:
    session = Session()
    assert session.receive(lobby_of(1, ANN), 0.0, FollowLobby(id=1)) == [LobbyUpdated()]
    assert session.lobby is not None
    assert session.lobby.stale is False


def test_a_tournament_is_passed_on() -> None:
    state = TournamentState.model_construct()
    assert Session().receive(state, 0.0) == [TournamentChanged(state)]


def test_an_offer_that_answers_something_else_is_no_own_offer() -> None:
    session = Session()
    request = GetRecord(id=1, game_id="g1")
    assert session.receive(SeekPosted(id=1, seek="s1"), 0.0, request) == []
    assert session.offers == {}


def test_a_rematch_offered_before_any_event_has_the_first_number() -> None:
    room = room_in_play()
    room.finish("resigned", 0)
    room.offer(0)
    mirror = RoomMirror(room.room_state_after(0), 0.0)
    mirror.seq = 0
    answer = send_again(Rematch(id=9, room="r1"), 1, mirror)
    assert isinstance(answer, RematchOffered)
    assert answer.seq == 1


def test_an_end_that_is_not_known_is_asked_for_again() -> None:
    room = room_in_play()
    room.finish("resigned", 0)
    mirror = RoomMirror(room.room_state_after(0), 0.0)
    mirror.finished = None
    request = Resign(id=9, room="r1")
    assert send_again(request, 1, mirror) is request


def connected() -> tuple[RequestQueue, float]:
    session, now = Session(), 100.0
    queue = RequestQueue(session, Random(1))
    session.receive(welcome(), now)
    queue.begin()
    return queue, now


def test_nothing_is_sent_before_the_first_connection() -> None:
    queue = RequestQueue(Session(), Random(1))
    queue.add(lambda i: GetRecord(id=i, game_id="g1"))
    assert queue.next_to_send(0.0) is None


def test_nothing_is_sent_after_the_connection() -> None:
    queue, now = connected()
    queue.end()
    queue.add(lambda i: GetRecord(id=i, game_id="g1"))
    assert queue.next_to_send(now) is None


def test_a_second_welcome_sends_each_request_once() -> None:
    queue, now = connected()
    queue.add(lambda i: GetRecord(id=i, game_id="g1"))
    queue.begin()
    assert queue.next_to_send(now) is not None
    assert queue.next_to_send(now) is None


def test_two_refusals_of_one_request_put_it_off_once() -> None:
    queue, now = connected()
    request = queue.add(lambda i: Leave(id=i, room="r1"))
    assert queue.next_to_send(now) is request
    refusal = Failed(id=request.id, code="rate_limited", message="Slower.")
    queue.receive(refusal, now)
    queue.receive(Failed(id=None, code="rate_limited", message="Slower."), now)
    sent = 0
    while queue.next_to_send(now + 10) is not None:
        sent += 1
    assert sent == 1
    assert math.isfinite(queue.pending[request.id].retry_at)
    assert queue.pending[request.id].refusals == 1
