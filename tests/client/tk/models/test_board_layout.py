"""Check where a board is placed on its canvas and how its shapes are cut."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.board.layout import LEAST, fit
from doublecross.games.registry import game_class

SIZES = st.integers(1, 10)
PIXELS = st.integers(120, 3000)


def geometry(rows: int, cols: int, key: str = "dots-and-boxes"):  # type: ignore[no-untyped-def]
    return game_class(key)({"rows": rows, "cols": cols}).geometry()


@given(rows=SIZES, cols=SIZES, width=PIXELS, height=PIXELS)
def test_a_board_fits_its_canvas_and_is_centred(
    rows: int, cols: int, width: int, height: int
) -> None:
    layout = fit(geometry(rows, cols), width, height)
    left, top, right, bottom = layout.plate
    if layout.unit > LEAST:
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        # One more pixel for a unit would not fit.
        wider = cols * (layout.unit + 1) + 2 * layout.margin
        higher = rows * (layout.unit + 1) + 2 * layout.margin
        assert wider > width or higher > height
    assert abs(left - (width - right)) <= 1
    assert abs(top - (height - bottom)) <= 1


@given(rows=SIZES, cols=SIZES, width=PIXELS, height=PIXELS)
def test_what_is_drawn_is_readable_at_every_size(
    rows: int, cols: int, width: int, height: int
) -> None:
    layout = fit(geometry(rows, cols), width, height)
    assert 1 <= layout.faint < layout.stroke < layout.gap < layout.glow
    assert {layout.faint % 2, layout.stroke % 2, layout.gap % 2, layout.glow % 2} == {1}
    # Dots cover the ends of edges, and do not touch each other.
    assert layout.stroke / 2 < layout.dot + 0.5
    if layout.unit >= 12:
        assert layout.dot < layout.unit / 3
        assert layout.initial(2) <= layout.initial(1) <= layout.unit
    # The glow around an edge at the border must fit on the canvas.
    assert layout.glow / 2 <= layout.margin


@given(x=st.floats(-3, 12), y=st.floats(-3, 12), width=PIXELS, height=PIXELS)
def test_pixels_map_back_to_their_board_coordinates(
    x: float, y: float, width: int, height: int
) -> None:
    layout = fit(geometry(4, 7), width, height)
    pixel_x, pixel_y = layout.place([(x, y)])
    assert layout.unplace(pixel_x, pixel_y) == pytest.approx((x, y))


def test_a_board_keeps_its_shape() -> None:
    layout = fit(geometry(1, 10), 700, 700)
    (x0, y0, x1, y1) = layout.place([(0, 0), (10, 1)])
    assert (x1 - x0) == 10 * (y1 - y0)
    assert x1 - x0 > 600


def test_a_capsule_keeps_its_distance_from_an_edge() -> None:
    around = shapes.capsule((1, 1), (2, 1), 0.25)
    for x, y in around:
        assert math.hypot(max(1 - x, 0, x - 2), y - 1) == pytest.approx(0.25)
    assert min(x for x, _ in around) == pytest.approx(0.75)
    assert max(x for x, _ in around) == pytest.approx(2.25)


def test_round_corners_never_reach_farther_than_the_sides() -> None:
    around = shapes.rounded((0, 0, 10, 4), 99)
    assert min(around)[0] == pytest.approx(0)
    assert max(around)[0] == pytest.approx(10)
    assert {round(y, 6) for _, y in around} >= {0, 4}
    assert all(-1e-9 <= y <= 4 + 1e-9 for _, y in around)


def test_a_shape_shrinks_towards_its_middle() -> None:
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert shapes.shrunk(square, (1, 1), 1) == square
    assert shapes.shrunk(square, (1, 1), 0.5) == [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]
