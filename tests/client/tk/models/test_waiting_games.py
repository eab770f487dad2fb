"""Check when the window opens a tournament game: once, and never during another match."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.lobby.waiting_games import MOMENT_S, WaitingGames
from doublecross.client.tk.models.snapshots import RoomSnapshot
from tests.client.tk.models.rooms import ZOE, SeenRoom, settings
from tests.fakes.rooms import ANN, BOB


def game(
    room: str = "r1", *, me: str = "Ann", time: str = "600+1", **given: object
) -> RoomSnapshot:
    shown = SeenRoom(settings(time=time), players=(ANN, BOB), me=me, room=room)
    return shown.seen(**{"tournament": "t1", **given})


def test_a_game_is_opened_at_once_and_only_once() -> None:
    waiting = WaitingGames()
    assert waiting.due(10.0, busy=False) is None
    waiting.take(game())
    assert waiting.due(10.0, busy=False) == "r1"
    waiting.enter("r1")
    waiting.take(game())  # The game continues.
    assert waiting.due(10.1, busy=False) is None
    assert waiting.waiting is None


@pytest.mark.parametrize(
    "other",
    [
        game(tournament=None),
        game(me=ZOE.name),
        game(status="finished"),
        game(status="closed"),
        game(status="waiting"),
    ],
    ids=["no tournament", "watched", "finished", "closed", "waiting"],
)
def test_other_rooms_are_not_opened(other: RoomSnapshot) -> None:
    waiting = WaitingGames()
    waiting.take(other)
    assert waiting.due(10.0, busy=False) is None


def test_it_waits_for_the_end_of_a_match_and_a_moment_longer() -> None:
    waiting = WaitingGames()
    waiting.take(game("r2"))
    waiting.take(game("r1"))
    for now in (10.0, 70.0):
        assert waiting.due(now, busy=True) is None
    assert waiting.waiting is not None
    assert waiting.waiting.room == "r2"  # The game has waited longer than the moment.
    assert waiting.due(70.0 + MOMENT_S - 0.01, busy=False) is None
    assert waiting.due(70.0 + MOMENT_S, busy=False) == "r2"
    waiting.enter("r2")
    assert waiting.due(73.0, busy=True) is None
    assert waiting.due(73.0 + MOMENT_S, busy=False) == "r1"


@pytest.mark.parametrize(
    ("time", "clock", "moment"),
    [("600+1", (600_000, 10_000), MOMENT_S), ("10+0", (10_000, 600_000), 0.5), ("0/4", None, 0.2)],
)
def test_the_wait_is_shorter_with_short_clocks(
    time: str, clock: tuple[int, int] | None, moment: float
) -> None:
    waiting = WaitingGames()
    waiting.take(game(time=time, clock_ms=clock))
    assert waiting.due(10.0, busy=True) is None
    assert waiting.due(10.0 + moment - 0.01, busy=False) is None
    assert waiting.due(10.0 + moment, busy=False) == "r1"


def test_a_game_that_ends_while_it_waits_is_not_opened() -> None:
    for change in ("finished", "gone", "forgotten"):
        waiting = WaitingGames()
        waiting.take(game())
        waiting.due(10.0, busy=True)
        if change == "finished":
            waiting.take(game(status="finished"))
        elif change == "gone":
            waiting.gone("r1")
        else:
            waiting.forget()
        assert waiting.due(99.0, busy=False) is None


def test_after_another_connection_a_game_is_due_again() -> None:
    waiting = WaitingGames()
    waiting.take(game())
    waiting.enter("r1")
    waiting.forget()
    waiting.take(game())
    assert waiting.due(10.0, busy=False) == "r1"
