"""The rules that judge the games of the failure tests agree with examples of the documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cluster.faults.rules import Board, read_record

SESSION = Path(__file__).parents[3] / "docs" / "example-session.jsonl"


def test_a_completed_box_keeps_the_turn() -> None:
    board = Board(1, 2)
    for edge, mover in ((0, 1), (1, 0), (2, 1), (3, 0), (4, 1), (5, 1)):
        board.draw(edge)
        assert board.to_move == mover
    board.draw(6)
    assert (board.to_move, board.scores) == (None, [0, 2])


def test_one_edge_can_take_two_boxes() -> None:
    board = Board(1, 2)
    for edge in (0, 1, 2, 3, 4, 6):
        board.draw(edge)
    assert board.to_move == 0
    board.draw(5)
    assert board.scores == [2, 0]


@pytest.mark.parametrize("edge", [0, 7, -1])
def test_impossible_moves(edge: int) -> None:
    board = Board(1, 2)
    board.draw(0)
    with pytest.raises(ValueError, match="cannot be drawn"):
        board.draw(edge)
    for other in range(1, 7):
        board.draw(other)
    with pytest.raises(ValueError, match="after the end"):
        board.draw(3)


def test_the_record_of_the_documents() -> None:
    lines = [json.loads(line) for line in SESSION.read_text().splitlines()]
    record = next(line["hears"]["text"] for line in lines if "[Game" in str(line.get("hears")))
    tags, edges = read_record(record)
    assert (tags["Seat0"], tags["Size"]) == ("Ann", "1x2")
    assert edges == [0, 1, 2, 3, 4, 5, 6]
