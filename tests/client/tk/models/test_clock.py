"""Check the text of a clock, and when a clock is low."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.room.clock import LOW_MS, clock_face


@pytest.mark.parametrize(
    ("left_ms", "text", "low"),
    [
        (300_000, "5:00", False),
        (299_999, "5:00", False),
        (299_000, "4:59", False),
        (60_001, "1:01", False),
        (59_000, "0:59", False),
        (10_001, "0:11", False),
        (10_000, "0:10", False),
        (9_999, "0:10", True),
        (9_900, "9.9", True),
        (9_801, "9.9", True),
        (1_000, "1.0", True),
        (1, "0.1", True),
        (0, "0.0", True),
        (-2_500, "0.0", True),
        (3_599_000, "59:59", False),
        (3_599_001, "1 h", False),
        (18_730_000, "5 h 12 min", False),
        (187_200_000, "2 days 4 h", False),
        (36_061_000, "10 h 1 min", False),
    ],
)
def test_a_clock_shows_the_time_left(left_ms: int, text: str, low: bool) -> None:
    face = clock_face(left_ms, runs=True)
    assert (face.text, face.low, face.runs) == (text, low, True)


@given(st.integers(0, 3_599_000))
def test_a_clock_is_low_below_ten_seconds_and_rounds_up(left_ms: int) -> None:
    face = clock_face(left_ms, runs=True)
    assert face.low == (left_ms < LOW_MS)
    parts = [float(part) for part in face.text.split(":")]
    said = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert 0 <= round(said * 1000) - left_ms < (1000 if said >= 10 else 100)
