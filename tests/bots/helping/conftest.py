"""Gives each test a state folder of its own, as the tests of commands have, and its children."""

from __future__ import annotations

from tests.cli.conftest import _own_state, children

__all__ = ["_own_state", "children"]
