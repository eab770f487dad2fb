"""The costliest move beside the result of a game against a bot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from doublecross.analysis.report import GameReport, make_report
from doublecross.analysis.verdict import verdict
from doublecross.client.tk.refusal import Refusal
from tests.analysis.endings import blunder
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.analysis.games import GuessingJudge
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN, BOB

Sit = Callable[..., Table]


def over(size: str = "3x3") -> SeenRoom:
    room = SeenRoom(settings(size), players=(ANN, ROBO))
    room.end()
    return room


def report_of(room: SeenRoom) -> GameReport:
    return make_report(room.game, (), room.seen().moves, GuessingJudge(exact_from=99))


@pytest.mark.parametrize("geometry", ["1024x700+0+0", "1280x800+0+0"])
def test_the_costliest_move_and_the_better_one_are_shown(sit: Sit, geometry: str) -> None:
    table = sit(over("5x5"), geometry)
    assert table.says("worst_line") == "Looking for your costliest move ..."
    assert table.enabled("rematch")
    report = report_of(table.room)
    result = table.room.seen().result
    assert result is not None
    found = verdict(report, 0, "completed", result.winner)
    assert found.move is not None
    table.last("review").done(report)
    table.settle()
    assert table.says("worst_line") == " ".join(map(str, found.phrases))
    board = table.view.side.worst._board
    assert board is not None
    assert board.winfo_viewable()
    assert board.find_withtag("hint")
    assert board._board.last == found.move.action
    table.screen.restyle()


def test_the_small_board_has_the_marks_of_the_seats(sit: Sit) -> None:
    game = blunder("tic-tac-toe")
    assert game.seat == 1
    room = SeenRoom(settings("3x3", game="tic-tac-toe"), players=(ROBO, ANN))
    for move in game.report.moves:
        room.play(move.action)
    room.finish("completed", 0)
    table = sit(room)
    table.last("review").done(game.report)
    table.settle()
    board = table.view.side.worst._board
    assert board is not None
    assert [board._items.cells.initial(seat) for seat in (0, 1)] == ["X", "O"]


def test_a_rematch_and_leaving_cancel_the_search(sit: Sit) -> None:
    table = sit(over())
    late = table.last("review")
    table.room.start()
    table.put()
    assert table.network.cancelled == ["review"]
    assert not table.there("worst")
    late.done(report_of(over()))
    table.settle()
    assert not table.there("worst")
    table.room.end()
    table.put()
    assert table.asked.count("review") == 2
    table.put()  # another snapshot of the same match
    assert table.asked.count("review") == 2
    table.screen.leave()
    assert table.network.cancelled == ["review", "review"]


def test_a_game_without_a_certain_mistake_and_one_that_cannot_be_analysed(sit: Sit) -> None:
    room = over()
    table = sit(room)
    report = make_report(room.game, (), room.seen().moves, GuessingJudge(exact_from=0))
    table.last("review").done(report)
    table.settle()
    assert table.says("worst_line") == "No certain mistake of yours was found."
    table = sit(over())
    table.last("review").failed(Refusal("There is no analysis."))
    table.settle()
    assert not table.there("worst")


def test_no_search_is_made_for_others(sit: Sit) -> None:
    people = SeenRoom(settings("3x3"), players=(ANN, BOB))
    people.end()
    assert "review" not in sit(people).asked
    watched = SeenRoom(settings("3x3"), players=(BOB, ROBO), me="Cat")
    watched.end()
    assert "review" not in sit(watched).asked
