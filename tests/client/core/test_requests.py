"""Check the queue of requests: when each is sent, and which answer belongs to it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.session import Session
from doublecross.client.core.updates import RoomChanged, RoomLost, StorageFailing, StorageRecovered
from doublecross.protocol.client_messages import (
    CancelSeek,
    GetRecord,
    JoinRoom,
    Leave,
    Move,
    Ping,
    Request,
    Resign,
    Resume,
    SayPhrase,
    Seek,
    Watch,
)
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.server_messages import Done, Failed, Pong, RecordFound, SeekPosted
from tests.client.core.mirrors import welcome
from tests.fakes.rooms import SMALL, FakeRoom, room_in_play


class Talk:
    """Hold a queue, its session, and the time in seconds."""

    def __init__(self) -> None:
        self.session = Session()
        self.queue = RequestQueue(self.session, Random(1))
        self.now = 100.0

    def connect(self, *rooms: str) -> None:
        self.queue.end()
        self.session.receive(welcome(*rooms), self.now)
        self.queue.begin()

    def sent(self) -> list[Request]:
        """Return all requests that are due now."""
        found = []
        while (request := self.queue.next_to_send(self.now)) is not None:
            found.append(request)
        return found

    def receive(self, message: Any) -> list[Any]:
        return self.queue.receive(message, self.now)

    def follow(self, room: FakeRoom, code: str | None = None) -> None:
        self.queue.add(lambda i: Watch(id=i, room=room.room, code=code))
        (watch,) = self.sent()
        self.receive(room.room_state(watch.id, me="Zoe" if code else "Ann"))
        self.queue.take_answers()


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.connect()
    return talk


def record(game_id: str = "g1") -> Any:
    return lambda i: GetRecord(id=i, game_id=game_id)


def refused(request: Request, code: str, message: str = "No.") -> Failed:
    return Failed(id=request.id, code=code, message=message)


# -- sending and answers -------------------------------------------------------------------------


def test_each_request_is_sent_once_in_order_and_answered_once(talk: Talk) -> None:
    first, second = talk.queue.add(record("g1")), talk.queue.add(record("g2"))
    assert talk.queue.wait_s(talk.now) == 0
    assert talk.sent() == [first, second]
    assert talk.queue.wait_s(talk.now) is None
    answer = RecordFound(id=second.id, game_id="g2", text="x")
    talk.receive(answer)
    talk.receive(answer)
    assert talk.queue.take_answers() == [(second.id, answer)]
    assert talk.queue.take_answers() == []
    assert list(talk.queue.pending) == [first.id]


def test_nothing_is_sent_without_a_connection() -> None:
    talk = Talk()
    request = talk.queue.add(record())
    assert talk.queue.wait_s(talk.now) is None
    assert talk.sent() == []
    talk.connect()
    assert talk.sent() == [request]


def test_cancelled_requests_are_not_sent(talk: Talk) -> None:
    request = talk.queue.add(record())
    talk.queue.drop(request.id)
    talk.queue.drop(request.id)
    assert talk.sent() == []
    talk.receive(RecordFound(id=request.id, game_id="g1", text="x"))
    assert talk.queue.take_answers() == []


def test_an_unreadable_answer_is_a_refusal(talk: Talk) -> None:
    request = talk.queue.add(record())
    talk.sent()
    error = DecodeError("bad_message", "The text is missing.", request.id)
    assert talk.queue.receive_unreadable(error, talk.now) == []
    ((answered, answer),) = talk.queue.take_answers()
    assert answered == request.id
    assert isinstance(answer, Failed)
    assert (answer.code, answer.message) == ("unreadable_answer", "The text is missing.")
    assert talk.queue.receive_unreadable(error, talk.now) == []
    assert talk.queue.receive_unreadable(DecodeError("bad_message", "?", None), talk.now) == []
    assert talk.queue.take_answers() == []


# -- pings ---------------------------------------------------------------------------------------


def test_one_ping_at_a_time_shows_how_long_the_server_is_silent(talk: Talk) -> None:
    talk.queue.ping()
    talk.queue.ping()
    assert talk.queue.unanswered_since is None
    (ping,) = talk.sent()
    assert isinstance(ping, Ping)
    talk.now = 105.0
    talk.queue.ping()
    assert talk.sent() == []
    assert talk.queue.unanswered_since == 100.0
    talk.receive(Pong(id=ping.id))
    assert talk.queue.unanswered_since is None
    assert talk.queue.take_answers() == []  # nobody waits for it
    talk.queue.ping()
    assert len(talk.sent()) == 1


def test_a_person_who_pings_does_not_stop_the_clients_own(talk: Talk) -> None:
    talk.queue.add(lambda i: Ping(id=i))
    talk.queue.ping()
    assert len(talk.sent()) == 2
    # A slow answer to a person's request does not mean that the server is dead.
    own = max(talk.queue.pending)
    talk.receive(Pong(id=own))
    assert talk.queue.unanswered_since is None


def test_a_ping_that_the_server_put_off_is_a_sign_of_life(talk: Talk) -> None:
    talk.queue.ping()
    (ping,) = talk.sent()
    talk.receive(refused(ping, "rate_limited"))
    assert talk.queue.unanswered_since is None


def test_a_second_welcome_sends_each_request_once(talk: Talk) -> None:
    request = talk.queue.add(record())
    talk.queue.begin()
    assert talk.sent() == [request]


# -- not now -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["storage_failed", "rate_limited", "closing"])
def test_a_temporary_refusal_repeats_the_request_after_a_delay(talk: Talk, code: str) -> None:
    request = talk.queue.add(record())
    talk.sent()
    assert talk.receive(refused(request, code)) == []
    assert talk.queue.take_answers() == []
    wait = talk.queue.wait_s(talk.now)
    assert wait is not None
    assert 0.05 <= wait <= 0.25
    talk.now += wait / 2
    assert talk.sent() == []
    assert talk.queue.wait_s(talk.now) == pytest.approx(wait / 2)
    talk.now += wait / 2
    assert talk.queue.wait_s(talk.now) == 0
    assert talk.sent() == [request]
    assert talk.queue.wait_s(talk.now) is None
    assert talk.sent() == []


def test_a_storage_that_fails_is_reported_once_and_so_is_its_recovery(talk: Talk) -> None:
    first, second = talk.queue.add(record("g1")), talk.queue.add(record("g2"))
    reported: list[Any] = []
    for _ in range(6):
        sent = talk.sent()
        assert set(sent) == {first, second}
        for request in sent:
            reported += talk.receive(refused(request, "storage_failed"))
        talk.now += 10.0
    assert reported == [StorageFailing()]
    talk.sent()
    assert talk.receive(RecordFound(id=second.id, game_id="g2", text="x")) == [StorageRecovered()]
    assert talk.receive(RecordFound(id=first.id, game_id="g1", text="x")) == []


@pytest.mark.parametrize("code", ["storage_failed", "rate_limited", "closing"])
def test_a_refused_phrase_is_not_said_later(talk: Talk, code: str) -> None:
    request = talk.queue.add(lambda i: SayPhrase(id=i, room="r1", match=1, phrase="oops"))
    talk.sent()
    assert talk.receive(failed := refused(request, code)) == []
    assert talk.queue.take_answers() == [(request.id, failed)]
    assert talk.queue.wait_s(talk.now) is None


def test_a_short_failure_of_the_storage_is_not_reported(talk: Talk) -> None:
    request = talk.queue.add(record())
    for _ in range(2):
        talk.sent()
        assert talk.receive(refused(request, "storage_failed")) == []
        talk.now += 10.0
    talk.sent()
    assert talk.receive(RecordFound(id=request.id, game_id="g1", text="x")) == []


@pytest.mark.parametrize("code", ["rate_limited", "closing"])
def test_other_refusals_say_nothing_about_the_storage(talk: Talk, code: str) -> None:
    request = talk.queue.add(record())
    for _ in range(6):
        talk.sent()
        assert talk.receive(refused(request, code)) == []
        talk.now += 10.0


def test_delays_grow_from_refusal_to_refusal(talk: Talk) -> None:
    request = talk.queue.add(record())
    waits = []
    for _ in range(12):
        assert talk.sent() == [request]
        talk.receive(refused(request, "closing"))
        wait = talk.queue.wait_s(talk.now)
        assert wait is not None
        waits.append(wait)
        talk.now += wait
    assert max(waits[:3]) < 0.9
    assert max(waits[6:]) > 1.0


def test_a_refusal_without_an_id_means_all_that_were_sent(talk: Talk) -> None:
    first, second = talk.queue.add(record("g1")), talk.queue.add(record("g2"))
    talk.sent()
    waiting = talk.queue.add(record("g3"))
    talk.receive(Failed(id=None, code="rate_limited", message="Slowly."))
    talk.receive(
        Failed(id=None, code="rate_limited", message="Slowly.")
    )  # Each request waits once.
    assert talk.sent() == [waiting]
    talk.now += 1.0
    assert talk.sent() == [first, second]


def test_a_refusal_of_an_unknown_request_delays_nothing(talk: Talk) -> None:
    talk.queue.add(record())
    talk.sent()
    talk.receive(Failed(id=999, code="rate_limited", message="Slowly."))
    assert talk.queue.wait_s(talk.now) is None


def test_delayed_requests_are_sent_at_once_by_the_next_connection(
    talk: Talk,
) -> None:
    request = talk.queue.add(record())
    talk.sent()
    talk.receive(refused(request, "closing"))
    talk.connect()
    assert talk.sent() == [request]
    talk.now += 10.0
    assert talk.sent() == []


# -- new connections -----------------------------------------------------------------------------


def test_rooms_are_caught_up_before_requests_about_them(talk: Talk) -> None:
    room = room_in_play()
    talk.follow(room)
    move = talk.queue.add(lambda i: Move(id=i, room="r1", match=1, ply=0, action=3))
    assert talk.sent() == [move]
    elsewhere = talk.queue.add(record())
    talk.connect("r1")
    resume, second = talk.sent()
    assert isinstance(resume, Resume)
    assert second == elsewhere
    late = talk.queue.add(lambda i: Leave(id=i, room="r1"))
    assert talk.sent() == []  # new requests about the room wait as well
    talk.receive(room.room_state_after(4, resume.id))
    assert talk.sent() == [move, late]


def test_requests_stay_held_while_the_room_is_asked_for_in_another_way(talk: Talk) -> None:
    room = room_in_play()
    talk.follow(room, code="sesame")
    leave = talk.queue.add(lambda i: Leave(id=i, room="r1"))
    assert talk.sent() == [leave]
    talk.connect()
    (resume,) = talk.sent()
    assert isinstance(resume, Resume)
    assert talk.receive(refused(resume, "wrong_code")) == []
    (watch,) = talk.sent()  # It asks with the join code; the rest waits.
    assert isinstance(watch, Watch)
    assert watch.code == "sesame"
    assert talk.receive(room.room_state(watch.id, me="Zoe")) == [RoomChanged("r1")]
    assert talk.sent() == [leave]


def test_what_waited_for_a_lost_room_is_answered_by_its_loss(talk: Talk) -> None:
    talk.follow(room_in_play())
    resign = talk.queue.add(lambda i: Resign(id=i, room="r1"))
    leave = talk.queue.add(lambda i: Leave(id=i, room="r1"))
    assert len(talk.sent()) == 2
    talk.connect()
    (resume,) = talk.sent()
    assert talk.receive(refused(resume, "unknown_room", "It is gone.")) == [
        RoomLost("r1", "It is gone.")
    ]
    assert talk.sent() == []
    (_, failed), (_, done) = talk.queue.take_answers()
    assert failed == Failed(id=resign.id, code="unknown_room", message="It is gone.")
    assert done == Done(id=leave.id)


def test_a_request_that_was_never_sent_is_not_taken_for_done(talk: Talk) -> None:
    room = room_in_play()
    talk.follow(room)
    talk.queue.end()
    resign = talk.queue.add(lambda i: Resign(id=i, room="r1"))
    room.finish("resigned", 1)
    talk.connect()
    (resume,) = talk.sent()
    talk.receive(room.room_state_after(4, resume.id))
    assert talk.sent() == [resign]  # The server answers that it comes too late.


def test_a_missing_room_means_success_only_for_a_repeated_request(talk: Talk) -> None:
    leave = talk.queue.add(lambda i: Leave(id=i, room="r7"))
    talk.sent()
    talk.connect()
    assert talk.sent() == [leave]
    talk.receive(refused(leave, "unknown_room"))
    assert talk.queue.take_answers() == [(leave.id, Done(id=leave.id))]
    again = talk.queue.add(lambda i: Leave(id=i, room="r7"))
    talk.sent()
    talk.receive(refused(again, "unknown_room"))
    ((_, answer),) = talk.queue.take_answers()
    assert isinstance(answer, Failed)


def test_joining_twice_asks_for_the_room(talk: Talk) -> None:
    join = talk.queue.add(lambda i: JoinRoom(id=i, room="r1"))
    talk.sent()
    talk.connect()
    assert talk.sent() == [join]  # The client has no mirror of the room.
    room = room_in_play()
    talk.connect("r1")
    (resume,) = talk.sent()
    talk.receive(room.room_state(resume.id))
    assert talk.sent() == [Resume(id=join.id, room="r1", seq=4)]


def test_a_request_remembers_the_match_that_it_was_made_in(talk: Talk) -> None:
    room = room_in_play()
    talk.follow(room)
    resign = talk.queue.add(lambda i: Resign(id=i, room="r1"))
    assert talk.sent() == [resign]
    room.finish("timeout", 1)
    room.start()
    talk.connect()
    (resume,) = talk.sent()
    talk.receive(room.room_state(resume.id))
    assert talk.sent() == []
    ((_, answer),) = talk.queue.take_answers()
    assert isinstance(answer, Failed)
    assert answer.message == "Match 1 was over before the connection was back."


def test_an_offer_that_is_being_cancelled_is_not_renewed(talk: Talk) -> None:
    seek = talk.queue.add(lambda i: Seek(id=i, key="k1", settings=SMALL))
    talk.sent()
    talk.receive(SeekPosted(id=seek.id, seek="s1"))
    cancel = talk.queue.add(lambda i: CancelSeek(id=i, seek="s1"))
    talk.sent()
    talk.connect()
    assert talk.sent() == [cancel]


def test_others_who_watch_do_not_hold_up_a_room(talk: Talk) -> None:
    room = room_in_play()
    talk.follow(room)
    first = talk.queue.add(lambda i: Watch(id=i, room="r1"))
    second = talk.queue.add(lambda i: Leave(id=i, room="r1"))
    assert talk.sent() == [first, second]
    talk.connect()
    (resume,) = talk.sent()
    talk.receive(room.room_state_after(4, resume.id))
    assert talk.sent() == [first, second]
