"""The letters and numbers on the rim of a board: which there are, and where they are placed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.board.layout import LEAST, fit
from doublecross.client.tk.models.board.places import BoardPlaces
from doublecross.client.tk.models.board.rim import NO_RIM, Rim, find_rim, thinned
from doublecross.games.api import Game
from doublecross.games.registry import game_class

SIZES = st.integers(1, 10)
PIXELS = st.integers(120, 2000)


def game_of(key: str, size: str) -> Game:
    kind = game_class(key)
    return kind(kind.parse_size(size))


def rim_of(game: Game) -> Rim:
    names = [game.action_name(action) for action in range(game.num_actions)]
    return find_rim(BoardPlaces(game.geometry()), names)


def texts(rim: Rim) -> tuple[str, str]:
    return "".join(text for _, text in rim.columns), " ".join(text for _, text in rim.rows)


@pytest.mark.parametrize(
    ("key", "size", "columns", "rows"),
    [
        ("dots-and-boxes", "2x2", "abcde", "1 2 3 4 5"),
        ("dots-and-boxes", "1x3", "abcdefg", "1 2 3"),
        ("tic-tac-toe", "3x3x3", "abc", "1 2 3"),
        ("connect-four", "6x7", "abcdefg", ""),
    ],
)
def test_letters_go_from_the_left_and_numbers_from_below(
    key: str, size: str, columns: str, rows: str
) -> None:
    rim = rim_of(game_of(key, size))
    assert texts(rim) == (columns, rows)
    assert [at for at, _ in rim.columns] == sorted(at for at, _ in rim.columns)
    assert [at for at, _ in rim.rows] == sorted((at for at, _ in rim.rows), reverse=True)


@given(rows=SIZES, cols=SIZES, data=st.data())
def test_a_letter_and_a_number_name_the_edge_at_their_crossing(
    rows: int, cols: int, data: st.DataObject
) -> None:
    game = game_of("dots-and-boxes", f"{rows}x{cols}")
    rim, places = rim_of(game), BoardPlaces(game.geometry())
    action = data.draw(st.sampled_from(range(game.num_actions)))
    x, y = places.middle(action)
    letter = next(text for at, text in rim.columns if at == x)
    number = next(text for at, text in rim.rows if at == y)
    assert game.action_name(action) == letter + number
    assert game.parse_action(letter + number) == action


def test_other_names_have_no_rim() -> None:
    places = BoardPlaces(game_of("tic-tac-toe", "3x3x3").geometry())
    names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert find_rim(places, names) != NO_RIM
    assert find_rim(places, [*names[:-1], "last"]) == NO_RIM
    assert find_rim(places, [*names[:-1], "a9"]) == NO_RIM  # a would be in two columns
    assert find_rim(places, [*names[:-1], "c2"]) == NO_RIM  # 2 would be in two rows


def test_labels_are_left_out_where_they_would_touch() -> None:
    labels = rim_of(game_of("dots-and-boxes", "3x3")).columns
    assert [text for _, text in thinned(labels, 40, 12)] == list("abcdefg")
    assert [text for _, text in thinned(labels, 20, 12)] == list("aceg")
    assert [text for _, text in thinned(labels, 10, 12)] == list("adg")
    assert thinned(labels[:1], 10, 12) == labels[:1]


@given(rows=SIZES, cols=SIZES, width=PIXELS, height=PIXELS)
def test_the_board_loses_only_the_space_of_its_labels(
    rows: int, cols: int, width: int, height: int
) -> None:
    game = game_of("dots-and-boxes", f"{rows}x{cols}")
    geometry, rim = game.geometry(), rim_of(game)
    bare, layout = fit(geometry, width, height), fit(geometry, width, height, rim)
    beside, below = layout.rim
    assert max(beside, below) <= 34
    assert (layout.margin, layout.unit <= bare.unit) == (bare.margin, True)
    if layout.unit == LEAST:
        return
    # One more pixel for a unit would not fit.
    wider = cols * (layout.unit + 1) + 2 * layout.margin + beside
    higher = rows * (layout.unit + 1) + 2 * layout.margin + below
    assert wider > width or higher > height
    left, top, right, bottom = layout.plate
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    # The labels are on the plate, and clear of edges, dots and their highlights.
    across, down = layout.rim_middle
    wide, high = 0.7 * layout.label * rim.digits / 2, layout.label / 2
    assert left <= across - wide
    assert across + wide <= layout.left - layout.clear + 1
    assert layout.top + layout.height * layout.unit + layout.clear - 1 <= down - high
    assert down + high <= bottom


def test_without_a_rim_nothing_changes() -> None:
    geometry = game_of("dots-and-boxes", "5x5").geometry()
    assert fit(geometry, 500, 400, NO_RIM) == fit(geometry, 500, 400)
    columns = rim_of(game_of("connect-four", "6x7"))
    assert fit(game_of("connect-four", "6x7").geometry(), 500, 400, columns).rim[0] == 0
