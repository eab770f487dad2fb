"""Provide scenes with browsers and windows: the fixtures of the page and those of the window."""

from __future__ import annotations

from tests.client.tk.conftest import _own_home, _screen, display, program, ui
from tests.client.web.harness.fixtures import (
    axe,
    chromium,
    page_folder,
    problems,
    profiles,
    serve,
    shot,
    visit,
)

__all__ = [
    "_own_home",
    "_screen",
    "axe",
    "chromium",
    "display",
    "page_folder",
    "problems",
    "profiles",
    "program",
    "serve",
    "shot",
    "ui",
    "visit",
]
