"""Which matches count for the ladder of levels, and what is said about them."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.client.tk.models.lobby.ladder import (
    advice_after,
    counted,
    level_advice,
    with_result,
)
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.protocol.server_messages import Termination
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN, BOB

LEVELS = Levels(("easy", "medium", "tricky"))
MEDIUM = PlayerInfo(name="Max", kind="bot", engine=EngineInfo(name="medium", version="1"))
KEY = "dots-and-boxes 2x2 medium"


def match(
    *players: PlayerInfo, winner: int | None = 0, how: Termination = "completed", **more: Any
) -> SeenRoom:
    room = SeenRoom(settings(**more), players=players)
    room.finish(how, winner=winner)
    return room


@pytest.mark.parametrize(("winner", "result"), [(0, 1), (1, -1), (None, 0)])
def test_the_result_is_that_of_this_player(winner: int | None, result: int) -> None:
    assert counted(match(ANN, MEDIUM, winner=winner).seen(), LEVELS) == (KEY, result)
    second = match(MEDIUM, ANN, winner=winner)
    assert counted(second.seen(), LEVELS) == (KEY, -result)


def test_what_does_not_count() -> None:
    rooms = [
        SeenRoom(players=(ANN, MEDIUM)),  # in play
        match(ANN, BOB),
        match(ANN, ROBO),
        match(ANN, MEDIUM, how="aborted", winner=None),
        match(ANN, MEDIUM, how="void", winner=None),
        match(ANN, MEDIUM, opening=(0, 3)),
        match(ANN, MEDIUM, start=(0, 3)),
    ]
    assert [counted(room.seen(), LEVELS) for room in rooms] == [None] * len(rooms)
    assert counted(match(ANN, MEDIUM).seen(me="Zoe"), LEVELS) is None


def test_results_add_up_and_lead_to_the_next_level() -> None:
    kept: dict[str, str] = {}
    for result in (1, -1, 1, 1):
        kept[KEY] = with_result(kept, KEY, result)
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    assert kept == {KEY: "3 0 1 WLWW"}
    assert (
        level_advice(kept, game, "medium", LEVELS)
        == "Your score against medium: 3 won, 1 lost. Try tricky next."
    )
    assert level_advice(kept, game, "tricky", LEVELS) == "This is your next level."
    assert level_advice(kept, DotsAndBoxes(), "medium", LEVELS) == ""
    won, against = (
        match(ANN, MEDIUM, winner=0).seen(),
        "Your score against medium: 3 won, 1 lost. Try tricky next.",
    )
    assert advice_after(kept, won, LEVELS) == against
    assert advice_after(kept, match(ANN, BOB).seen(), LEVELS) == ""


def test_results_that_somebody_spoiled_begin_again() -> None:
    kept = {KEY: "many"}
    assert with_result(kept, KEY, 1) == "1 0 0 W"
