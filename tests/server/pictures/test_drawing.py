"""What a picture shows: the position, the players, the score and the last move."""

from __future__ import annotations

from collections import Counter

import pytest

from doublecross.games.colours import CLASSIC
from doublecross.games.record import Record, RecordedMove
from doublecross.games.registry import GAMES
from doublecross.server.pictures.drawing import GameDrawings
from doublecross.server.pictures.layout import LEAST_WIDTH, MOST_WIDTH
from doublecross.server.pictures.shapes import (
    Disc,
    Drawing,
    Polygon,
    Stroke,
    Text,
    fitted,
    width_of,
)
from tests.server.pictures.games import played

LIGHT = CLASSIC["light"]


def texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def colours(drawing: Drawing, kind: type) -> Counter[str]:
    return Counter(shape.colour for shape in drawing.shapes if isinstance(shape, kind))


def test_edges_and_boxes_have_the_colours_of_their_players() -> None:
    record = played()
    drawings = GameDrawings(record, 480)
    final = record.final_state()
    edges, boxes = colours(drawings.draw(60), Stroke), colours(drawings.draw(60), Polygon)
    assert edges[LIGHT.free] == 0
    assert sum(edges[LIGHT.strokes[seat]] for seat in (0, 1)) == 60
    assert tuple(boxes[LIGHT.fills[seat]] for seat in (0, 1)) == final.scores()
    start = colours(drawings.draw(0), Stroke)
    assert start[LIGHT.free] == 60
    assert start[LIGHT.last] == 0
    assert colours(drawings.draw(1), Stroke)[LIGHT.last] == 1


def test_seats_that_swap_have_the_colour_of_each_other() -> None:
    usual, swapped = (GameDrawings(played(), 480, swaps=swaps).draw(60) for swaps in (False, True))
    for kind, pair in ((Stroke, LIGHT.strokes), (Polygon, LIGHT.fills)):
        before, after = colours(usual, kind), colours(swapped, kind)
        assert [after[colour] for colour in pair] == [before[colour] for colour in pair[::-1]]


@pytest.mark.parametrize("key", GAMES)
def test_a_better_move_is_pointed_out(key: str) -> None:
    game = GAMES[key]()
    state = game.initial_state()
    first, better = state.legal_actions()[:2]
    record = Record(game, ("Ann", "Bob"), (RecordedMove(first),))
    for theme, look in CLASSIC.items():
        drawings = GameDrawings(record, 480, theme)
        kind = Stroke if game.geometry().segments else Disc
        assert colours(drawings.draw(1), kind)[look.hint] == 0
        assert colours(drawings.draw_better(1, better), kind)[look.hint] == 1


def test_the_words_name_the_players_the_score_and_the_last_move() -> None:
    record = played()
    drawings = GameDrawings(record, 480)
    first = record.game.action_name(record.moves[0].action)
    assert "Dots and Boxes 5x5" in texts(drawings.draw(0))
    assert {"Ann", "Bob", "Move", "1", "of 60", first, "0 : 0"} <= set(texts(drawings.draw(1)))
    title = f"Dots and Boxes 5x5: Ann against Bob. Move 1 of 60: Ann {first}"
    assert drawings.draw(1).title == title
    one, other = record.final_state().scores()
    last = texts(drawings.draw(60))
    assert f"{one} : {other}" in last
    assert last[-1].endswith(f"wins {max(one, other)}:{min(one, other)}.")


def test_the_number_of_a_move_stands_apart_from_its_word() -> None:
    drawing = GameDrawings(played(), 480).draw(30)
    found = {each.text: each for each in drawing.shapes if isinstance(each, Text)}
    word, number = found["Move"], found["30"]
    # DejaVu Sans writes "Move " 3.0, and a digit 0.64 times as wide as the font is high.
    begin = number.place[0] - 2 * 0.64 * number.size
    assert begin >= word.place[0] + 3.0 * word.size


def test_heaps_of_nim_are_rows_and_places_have_no_label() -> None:
    shown = Counter(texts(GameDrawings(played("nim", plies=0), 480).draw(0)))
    assert [shown[name] for name in "abcd"] == [1, 1, 1, 1]
    assert shown["1"] == 0


@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("width", [LEAST_WIDTH, 480, MOST_WIDTH])
def test_every_game_fits_into_its_picture(key: str, width: int) -> None:
    record = played(key)
    for drawing in GameDrawings(record, width).draw_all(0, len(record.moves)):
        assert drawing.width == width
        for shape in drawing.shapes:
            if isinstance(shape, Text):
                left, _, right, _ = written(shape)
            else:
                left, top, right, bottom = shape.bounds
                assert 0 <= top <= bottom <= drawing.height, shape
            assert -0.5 <= left <= right <= width + 0.5, shape


@pytest.mark.parametrize(("rows", "cols"), [(10, 10), (1, 10), (10, 1), (1, 1)])
def test_boards_of_any_form_have_a_usual_height(rows: int, cols: int) -> None:
    record = played(size={"rows": rows, "cols": cols}, plies=0)
    drawing = GameDrawings(record, 480).draw(0)
    assert 100 < drawing.height < 2 * drawing.width


def test_the_winning_line_stands_out() -> None:
    record = played("connect-four")
    line = record.final_state().winning_cells()
    drawings = GameDrawings(record, 480)
    backgrounds = colours(drawings.draw(drawings.plies), Polygon)
    assert list(backgrounds.values()) == [len(line)]


def test_long_and_strange_names_stay_in_their_place() -> None:
    names = "W" * 200, "\u202eevil\n\x00 <b>"
    drawing = GameDrawings(played(players=names), 480).draw(3)
    first, second = (
        shape
        for shape in drawing.shapes
        if isinstance(shape, Text) and shape.size == 17 and shape.anchor != "middle"
    )
    assert first.text.endswith("…")
    assert written(first)[2] < 240 < written(second)[0]
    assert second.text == "\ufffdevil\ufffd\ufffd <b>"


def test_wide_letters_count_double() -> None:
    assert width_of("李雷", 10) == 20
    assert fitted("李雷李雷", 10, 35) == "李雷…"


def written(shape: Text) -> tuple[float, float, float, float]:
    """Return the bounds of a text in the usual font."""
    width = width_of(shape.text, shape.size, bold=shape.bold)
    x, y = shape.place
    left = x - {"start": 0, "middle": width / 2, "end": width}[shape.anchor]
    return left, y, left + width, y
