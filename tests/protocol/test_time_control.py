"""Check time controls as text: formatting and parsing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from doublecross.protocol.common import HOUR_MS, TimeControl

bases = st.integers(100, 240 * HOUR_MS)
increments = st.integers(0, HOUR_MS)
moves = st.none() | st.integers(50, 240 * HOUR_MS)
controls = st.builds(
    TimeControl, base_ms=bases, increment_ms=increments, move_ms=moves
) | st.builds(TimeControl, move_ms=moves)


@given(controls)
def test_text_is_read_back(control: TimeControl) -> None:
    assert TimeControl.parse(control.text) == control


@pytest.mark.parametrize(
    ("text", "base", "increment", "move"),
    [
        ("60+1", 60_000, 1000, None),
        (" 60+1/10 ", 60_000, 1000, 10_000),
        ("0/10", None, 0, 10_000),
        ("0+0/10", None, 0, 10_000),
        ("60", 60_000, 0, None),
        ("0.1", 100, 0, None),
        ("1.5+0.25/0.05", 1500, 250, 50),
        ("864000", 240 * HOUR_MS, 0, None),
        ("Unlimited", None, 0, None),
    ],
)
def test_texts(text: str, base: int | None, increment: int, move: int | None) -> None:
    assert TimeControl.parse(text) == TimeControl(
        base_ms=base, increment_ms=increment, move_ms=move
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no time control"),
        ("blitz", "no time control"),
        ("-5", "no time control"),
        ("60 + 1", "no time control"),
        ("60+1+1", "no time control"),
        ("1.2345", "no time control"),
        ("1e3", "no time control"),
        ("60/", "no time control"),
        ("/10", "no time control"),
        ("\u0661\u0662", "no time control"),
        ("0", "no time at all"),
        ("0+0", "no time at all"),
        ("0+5", "no time at all"),
        ("0.05", "out of range"),
        ("864000.001", "out of range"),
        ("60+3601", "out of range"),
        ("60/0", "out of range"),
        ("60/0.049", "out of range"),
        ("0+5/10", "out of range"),
    ],
)
def test_invalid_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        TimeControl.parse(text)
    assert type(refused.value) is ValueError
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@given(st.text(max_size=20) | st.text("0123456789.+/", max_size=14))
def test_any_text_is_a_time_control_or_an_error(text: str) -> None:
    try:
        control = TimeControl.parse(text)
    except ValueError as error:
        kind = type(error)
        assert kind is ValueError
        return
    assert TimeControl.parse(control.text) == control


@pytest.mark.parametrize(
    "fields",
    [
        {"base_ms": 99},
        {"base_ms": 240 * HOUR_MS + 1},
        {"base_ms": 1000, "increment_ms": -1},
        {"increment_ms": 1},
        {"increment_ms": 1, "move_ms": 1000},
        {"move_ms": 49},
        {"base_ms": 1000.0},
        {"base_ms": True},
    ],
)
def test_ranges(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TimeControl(**fields)
