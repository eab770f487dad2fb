"""Fixtures with scripted servers and windows for the tests of the network thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.client.tk.network.networking import Script, Window, opening, scripted


@pytest.fixture
def script() -> Iterator[Script]:
    with scripted() as script:
        yield script


@pytest.fixture
def opened() -> Iterator[Callable[..., Window]]:
    with opening() as make:
        yield make


@pytest.fixture
def window(opened: Callable[..., Window]) -> Window:
    return opened()
