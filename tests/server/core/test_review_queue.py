"""The queue of reviews: places, players who share a game, and players who go away."""

from __future__ import annotations

import pytest

from doublecross.server.core.review_queue import AWAY_MS, ReviewOrder, ReviewProgress, ReviewQueue

Told = dict[str, tuple[tuple[str, ...], str, int, int]]


def order(game: str, moves: int = 12) -> ReviewOrder:
    return ReviewOrder(game, f"record of {game}", moves)


def queue_of(*asked: tuple[str, str], most: int = 8) -> ReviewQueue:
    """Return a queue in which these players wait for these games; its changes are taken."""
    queue = ReviewQueue(most)
    for player, game in asked:
        queue.ask(player, order(game))
    queue.changes()
    return queue


def changes(queue: ReviewQueue) -> Told:
    return {
        game: (players, each.status, each.place, each.done)
        for game, players, each in queue.changes()
    }


def test_games_wait_in_the_order_in_which_they_came() -> None:
    queue = ReviewQueue(8)
    for player, game in (("Ann", "a"), ("Ben", "b"), ("Cat", "c")):
        queue.ask(player, order(game))
    assert changes(queue) == {
        "a": (("Ann",), "queued", 1, 0),
        "b": (("Ben",), "queued", 2, 0),
        "c": (("Cat",), "queued", 3, 0),
    }
    assert changes(queue) == {}
    assert (queue.waiting, queue.working) == (3, 0)
    assert queue.start() == order("a")
    assert changes(queue) == {
        "a": (("Ann",), "working", 0, 0),
        "b": (("Ben",), "queued", 1, 0),
        "c": (("Cat",), "queued", 2, 0),
    }
    assert (queue.waiting, queue.working) == (2, 1)
    assert queue.progress("c") == ReviewProgress("queued", 2, 0, 12)


def test_each_judged_move_is_a_change() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"))
    queue.start()
    queue.changes()
    queue.judged("a", 3)
    assert changes(queue) == {"a": (("Ann",), "working", 0, 3)}
    queue.judged("a", 3)
    assert changes(queue) == {}
    queue.judged("x", 3)  # a game that has left
    assert changes(queue) == {}


def test_players_who_ask_for_the_same_game_share_it() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"), ("Cat", "b"), ("Cat", "b"))
    assert queue.waiting == 2
    assert queue.start() == order("a")
    assert queue.end("a") == ("Ann",)
    assert queue.start() == order("b")
    assert queue.end("b") == ("Ben", "Cat")
    assert queue.start() is None
    assert "b" not in queue
    queue.ask("Cat", order("c"))  # nothing is left of the game before
    assert queue.take_abandoned() == []


def test_who_asks_for_another_game_gives_up_the_first() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"))
    queue.ask("Ann", order("c"))
    assert "a" not in queue
    assert changes(queue) == {
        "b": (("Ben",), "queued", 1, 0),
        "c": (("Ann",), "queued", 2, 0),
    }
    assert queue.take_abandoned() == []  # no worker has begun


def test_a_game_for_which_nobody_waits_any_more_is_stopped() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "a"))
    queue.start()
    queue.leave("Ann")
    assert queue.take_abandoned() == []
    queue.leave("Ben")
    queue.leave("Ben")
    assert "a" not in queue
    assert queue.take_abandoned() == ["a"]
    assert queue.take_abandoned() == []
    queue.ask("Ben", order("a"))  # asked for again, it waits like any other
    assert queue.progress("a").place == 1


def test_a_full_queue_refuses_new_games_only() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"), most=2)
    assert queue.is_full
    with pytest.raises(ValueError, match="full"):
        queue.ask("Ann", order("c"))
    assert queue.progress("a").place == 1  # she still waits
    queue.ask("Cat", order("b"))
    queue.start()
    assert not queue.is_full
    queue.ask("Dan", order("c"))


def test_who_comes_back_in_time_keeps_the_place() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"))
    queue.depart("Ann", 1000)
    queue.sweep(1000 + AWAY_MS - 1)
    assert queue.progress("b").place == 2
    queue.arrive("Ann")
    queue.sweep(1000 + AWAY_MS)
    assert queue.progress("a").place == 1
    queue.depart("Ann", 2000)
    queue.ask("Ann", order("a"))  # asking again counts, too
    queue.sweep(2000 + AWAY_MS)
    assert "a" in queue


def test_who_stays_away_loses_the_place() -> None:
    queue = queue_of(("Ann", "a"), ("Ben", "b"), ("Cat", "b"))
    queue.start()
    queue.changes()
    for player in ("Ann", "Ben", "Eve"):
        queue.depart(player, 1000)
    queue.sweep(1000 + AWAY_MS)
    assert queue.take_abandoned() == ["a"]
    assert changes(queue) == {}
    queue.start()
    assert queue.end("b") == ("Cat",)
    queue.depart("Cat", 0)
    queue.sweep(AWAY_MS)  # she waits for nothing
