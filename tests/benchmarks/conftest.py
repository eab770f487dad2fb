"""Keep what benchmarks do to the log from the tests after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)
