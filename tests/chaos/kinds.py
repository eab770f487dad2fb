"""Choose which kinds of trouble every run of the tests meets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def some_slow(kinds: Iterable[str], quick: Collection[str]) -> list[Any]:
    """Return all kinds as parameters; those that are not `quick` have the mark `slow`."""
    found = [
        kind if kind in quick else pytest.param(kind, marks=pytest.mark.slow) for kind in kinds
    ]
    assert {kind for kind in found if isinstance(kind, str)} == set(quick)
    return found
