"""Check that captured cells fill one after the other, and that long waits are shortened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.board.motion import FILL_S, GAP_S, LAG_S, Fills, eased


def test_cells_fill_one_after_the_other_and_then_rest() -> None:
    fills = Fills()
    assert not fills.busy
    fills.add((5, 2, 8), now=10.0)
    assert fills.busy
    assert fills.step(10.0) == [(5, 0.0)]
    later = fills.step(10.0 + GAP_S + FILL_S / 4)
    assert [cell for cell, _ in later] == [5, 2]
    assert dict(later)[2] == pytest.approx(0.25)
    assert later[0][1] > later[1][1]
    assert fills.step(11.0) == [(5, 1.0), (2, 1.0), (8, 1.0)]
    assert not fills.busy
    assert fills.step(12.0) == []


def test_later_captures_wait_for_those_before_them() -> None:
    fills = Fills()
    fills.add((1,), now=0.0)
    fills.add((2,), now=0.01)
    fills.add((3,), now=0.02)
    assert [fills.starts_at(cell) for cell in (1, 2, 3)] == pytest.approx([0.0, GAP_S, 2 * GAP_S])
    # After a pause nothing waits.
    fills.step(5.0)
    fills.add((4,), now=5.0)
    assert fills.starts_at(4) == 5.0


def test_a_dropped_cell_stops_its_animation() -> None:
    fills = Fills()
    fills.add((1, 2), now=0.0)
    fills.drop(1)
    fills.drop(7)
    assert fills.starts_at(1) is None
    assert fills.step(9.0) == [(2, 1.0)]
    fills.add((1,), now=9.0)
    fills.clear()
    assert not fills.busy


def test_a_long_chain_runs_faster() -> None:
    fills = Fills()
    fills.add(range(100), now=3.0)
    starts = [fills.starts_at(cell) or 0.0 for cell in range(100)]
    assert starts == sorted(starts)
    assert len(set(starts)) == 100
    assert starts[-1] <= 3.0 + LAG_S + 1e-9


@given(
    st.lists(st.tuples(st.floats(0, 0.3), st.lists(st.integers(0, 99), max_size=20)), max_size=25)
)
def test_every_cell_starts_soon_and_keeps_its_start(
    captures: list[tuple[float, list[int]]],
) -> None:
    fills, now = Fills(), 0.0
    for pause, cells in captures:
        now += pause
        fills.step(now)
        before = {cell: fills.starts_at(cell) for cell in range(100)}
        fills.add(cells, now)
        started = [fills.starts_at(cell) for cell in cells]
        for start in started:
            assert start is not None
            assert start <= now + LAG_S + 1e-9
        for cell, start in before.items():
            if start is not None and cell not in cells:
                later = fills.starts_at(cell)
                assert later is not None
                assert later <= start
    for cell, share in fills.step(now + LAG_S + FILL_S + 1e-6):
        assert (cell, share) == (cell, 1.0)
    assert not fills.busy


def test_movement_is_fast_first_and_ends_where_it_should() -> None:
    assert eased(0) == 0
    assert eased(1) == 1
    assert eased(0.5) > 0.5
