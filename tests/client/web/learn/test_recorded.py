"""Check that the recorded sessions of learners are those of Python now."""

from __future__ import annotations

import pytest

from tests.client.web.learn.record import RECORDED, recorded

pytestmark = pytest.mark.search


def test_the_recording_is_current() -> None:
    assert RECORDED.read_text("utf-8") == recorded(), "run python -m tests.client.web.learn.record"
