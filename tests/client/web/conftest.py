"""Provide what tests of the browser page need: Chromium, real servers, and node for files without
a browser.

A test asks for `visit` and gets Playwright's pages. One Chromium serves all tests of a process. All
these tests share one event loop, because Chromium's connection belongs to it.

`test_modules.py` lets node run the files that end with `.test.mjs`.
"""

from __future__ import annotations

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
