"""The heat map in the window: switching it on, numbers, failures, and where it is not offered."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.analysis.advice import Policy
from doublecross.client.tk.refusal import Refusal
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]
SHARES = ((7, 0.5), (3, 0.3), (9, 0.2))


def against_robo() -> SeenRoom:
    return SeenRoom(players=(ANN, ROBO))


def test_it_asks_a_helper_and_shows_bands_a_number_and_a_line(sit: Sit) -> None:
    table = sit(against_robo(), shares=SHARES)
    board = table.view.board
    table.press("heat")
    assert table.stage.context.home.settings.heat
    asked = table.last("policy")
    line = find(table.screen, name="heat_line")
    assert line.cget("text") == "Asking the network ..."
    asked.done(Policy(SHARES))
    table.settle()
    name = table.room.game.action_name
    assert (
        line.cget("text")
        == f"After all captures the network would play {name(7)} 50%, {name(3)} 30%, {name(9)} 20%"
    )
    bands = board.find_withtag("heat")
    assert len(bands) == 3
    # The larger the share, the wider and the stronger.
    widths = [float(board.itemcget(band, "width")) for band in bands]
    assert widths == sorted(widths, reverse=True)
    assert len({board.itemcget(band, "fill") for band in bands}) == 3
    table.mouse.move_to_action(board, 3)
    numbers = [item for item in board.find_withtag("share") if board.type(item) == "text"]
    assert [board.itemcget(number, "text") for number in numbers] == ["30%"]
    table.click(name(7))
    assert not board.find_withtag("heat")
    table.last("policy").failed(Refusal("The network is broken."))
    table.settle()
    assert line.cget("text") == "The network is broken."
    table.press("heat")
    assert not table.there("heat_line")


def test_it_is_offered_only_with_a_network_and_where_hints_are_given(sit: Sit) -> None:
    assert not sit(against_robo()).there("heat")
    assert not sit(SeenRoom(), shares=SHARES).there("heat")
    rated = SeenRoom(settings(rated=True), players=(ANN, ROBO))
    table = sit(rated, shares=SHARES)
    assert not table.there("heat")
    rated.finish("resigned", winner=0)
    table.put()
    assert table.there("heat")
