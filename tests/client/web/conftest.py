"""Provide what tests of the browser page need: Chromium, real servers, and node for files without
a browser.

A test asks for `visit` and gets Playwright's pages. One Chromium serves all tests of a process. All
these tests share one event loop, because Chromium's connection belongs to it.

A file that ends with `.test.mjs` is one test; node runs it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.harness.fixtures import (
    axe,
    axe_both,
    chromium,
    page_folder,
    problems,
    profiles,
    serve,
    shot,
    visit,
)
from tests.client.web.harness.node import ENDING, NodeFile

__all__ = [
    "axe",
    "axe_both",
    "chromium",
    "page_folder",
    "problems",
    "profiles",
    "serve",
    "shot",
    "visit",
]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    if file_path.name.endswith(ENDING):
        made: pytest.File = NodeFile.from_parent(parent, path=file_path)
        return made
    return None
