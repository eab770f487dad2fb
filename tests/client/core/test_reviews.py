"""Check the mirror of reviews: what is kept, what is given up, and what is asked for again."""

from __future__ import annotations

from random import Random
from typing import Any

from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.reviews import MOST_KEPT
from doublecross.client.core.session import Session
from doublecross.client.core.updates import Reconnected, ReviewChanged
from doublecross.protocol.client_messages import GetReview, Request
from doublecross.protocol.server_messages import Failed, ReviewState
from tests.client.core.mirrors import welcome


class Talk:
    """A session with its queue, connected."""

    def __init__(self) -> None:
        self.session = Session()
        self.queue = RequestQueue(self.session, Random(1))
        self.connect()

    def connect(self) -> list[Any]:
        self.queue.end()
        updates = self.session.receive(welcome(), 0.0)
        self.queue.begin()
        return updates

    def ask(self, game: str, code: str | None = None) -> Request:
        self.queue.add(lambda i: GetReview(id=i, game_id=game, code=code))
        (request,) = self.sent()
        return request

    def sent(self) -> list[Request]:
        found = []
        while (request := self.queue.next_to_send(0.0)) is not None:
            found.append(request)
        return found

    def told(self, game: str, status: Any, request: Request | None = None, done: int = 0) -> Any:
        """Receive a message about a review; return the updates."""
        message = ReviewState(
            id=None if request is None else request.id,
            game_id=game,
            status=status,
            place=int(status == "queued"),
            done=done,
            all=9,
        )
        return self.queue.receive(message, 0.0)

    def statuses(self) -> dict[str, str]:
        return {game: review.status for game, review in self.session.reviews.items()}


def test_notices_follow_the_answer() -> None:
    talk = Talk()
    assert talk.told("g1", "working") == []  # nobody asked for it
    assert talk.told("g1", "queued", talk.ask("g1")) == [ReviewChanged("g1")]
    assert talk.told("g1", "working", done=4) == [ReviewChanged("g1")]
    assert (talk.session.reviews["g1"].status, talk.session.reviews["g1"].done) == ("working", 4)
    assert talk.told("g1", "done") == [ReviewChanged("g1")]
    talk.connect()
    assert talk.sent() == []  # it is complete


def test_another_review_gives_up_the_one_under_way_only() -> None:
    talk = Talk()
    talk.told("g1", "done", talk.ask("g1"))
    talk.told("g2", "working", talk.ask("g2"))
    talk.told("g3", "done", talk.ask("g3"))  # this one was stored
    assert talk.statuses() == {"g1": "done", "g2": "working", "g3": "done"}
    talk.told("g4", "queued", talk.ask("g4"))
    assert talk.statuses() == {"g1": "done", "g3": "done", "g4": "queued"}
    assert talk.told("g2", "working", done=5) == []  # it was on its way


def test_after_a_reconnect_the_review_under_way_is_asked_for_again() -> None:
    talk = Talk()
    talk.told("g1", "working", talk.ask("g1", code="abc"))
    assert talk.connect() == [Reconnected(False)]
    (again,) = talk.sent()
    assert isinstance(again, GetReview)
    assert (again.game_id, again.code) == ("g1", "abc")
    assert talk.told("g1", "done", again) == [ReviewChanged("g1")]


def test_a_refusal_after_a_reconnect_ends_the_review() -> None:
    talk = Talk()
    talk.told("g1", "working", talk.ask("g1"))
    talk.connect()
    (again,) = talk.sent()
    failed = Failed(id=again.id, code="no_review", message="This server makes no reviews.")
    assert talk.queue.receive(failed, 0.0) == [ReviewChanged("g1")]
    review = talk.session.reviews["g1"]
    assert (review.status, review.reason) == ("failed", "This server makes no reviews.")
    assert talk.queue.receive(failed.model_copy(update={"id": talk.ask("g1").id}), 0.0) == []


def test_only_the_last_reviews_are_kept() -> None:
    talk = Talk()
    for number in range(MOST_KEPT + 2):
        talk.told(f"g{number}", "done", talk.ask(f"g{number}"))
    assert list(talk.session.reviews) == [f"g{number}" for number in range(2, MOST_KEPT + 2)]
