"""Read openings from lines, positions of UGI and records."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.opening_lines import read_openings
from doublecross.bots.ugi import position_line
from doublecross.games.api import BadRecord
from doublecross.games.record import Record, RecordedMove, format_records
from doublecross.games.registry import GAMES, make_game
from tests.cli.samples import GAME, LINE

BOARD = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
SMALL = make_game("dots-and-boxes", {"rows": 1, "cols": 1})


@pytest.mark.parametrize("key", GAMES)
def test_the_openings_of_a_game_are_read_in_each_form(key: str) -> None:
    game = make_game(key)
    given = game.openings(Random(1), 5).found
    states = [game.initial_state(opening) for opening in given]
    records = [Record(game, ("A", "B"), (), opening) for opening in given]
    for text in (
        "\n".join(" ".join(map(game.action_name, opening)) for opening in given),
        "\n".join(", ".join(map(str, opening)) for opening in given),
        "\n".join(map(position_line, states)),
        format_records(records),
    ):
        assert read_openings(game, text) == given


def test_comments_and_repeated_lines_are_left_out_and_moves_of_positions_are_kept() -> None:
    text = "# balanced\nb5 a4  # +1\r\n\nb5 a4\nposition fen 0/ moves a4 d5\n"
    edges = tuple(map(BOARD.parse_action, ("b5", "a4", "d5")))
    assert read_openings(BOARD, text) == (edges[:2], edges)
    assert read_openings(BOARD, text, 1) == (edges[:1],)


def test_the_first_moves_of_records_are_openings() -> None:
    record = Record(BOARD, ("A", "B"), tuple(map(RecordedMove, (4, 5))), (0,))
    text = format_records([record, record])
    assert read_openings(BOARD, text) == ((0,),)
    assert read_openings(BOARD, text, 2) == ((0, 4),)


@pytest.mark.parametrize(
    ("text", "length", "sentence"),
    [
        ("b1\nz9", None, "Line 2: 'z9' is not an edge"),
        ("b1 b1", None, "Line 1: The opening draws edge b1 twice."),
        ("b1 a2 c2 b3", None, "Line 1: The opening draws every edge"),
        ("#\nposition fen x", None, "Line 2: A serialized state"),
        ("b1", 2, "Line 1: The opening needs 2 moves, but there are 1."),
        (f"{GAME}\n{LINE}", None, "Line 11: The record is of Tic-tac-toe 3x3, not of Dots"),
        (GAME.replace("c2", "b1"), None, "Line 9: At ply 2: Edge b1"),
    ],
)
def test_a_wrong_line_is_named(text: str, length: int | None, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        read_openings(SMALL, text, length)
