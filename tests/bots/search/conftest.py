"""The kernels of the solver, compiled before the first test that wants them."""

from __future__ import annotations

import pytest

from bots.search.jit import warm_up
from bots.search.solver import Solver
from games.dots_and_boxes.board import board
from tests.bots.search.brute import table

COMPILING_S = 240
"""On a machine that has not compiled the kernels yet, two slow cores included."""


@pytest.fixture(scope="session", autouse=True)
def _kernels() -> None:
    warm_up("solver", lambda: Solver(board(2, 2)).bounds(0))
    table(1, 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever test comes first waits for the compiler."""
    for item in items:
        if "/bots/search/" in item.path.as_posix() and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(COMPILING_S))
