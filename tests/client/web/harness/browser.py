"""Start Chromium, and collect what goes wrong in its pages."""

from __future__ import annotations

import re
import shutil
from typing import Any, Final

from playwright.async_api import (
    Browser,
    BrowserType,
    ConsoleMessage,
    Request,
    WebError,
)

from tests.client.web.harness.node import give_up

NEED: Final = "DOUBLECROSS_NEED_BROWSER"
PATIENCE_MS: Final = 15_000
"""How long a step in a page may take, well below the time limit of a test."""

_PROGRAMS: Final = (
    # Chromium without windows takes three quarters of the processor time.
    "chromium-headless-shell",
    *("chromium", "chromium-browser", "google-chrome"),
)
_OPTIONS: Final = (
    *("--disable-background-networking", "--disable-component-update", "--disable-gpu"),
    *("--disable-quic", "--disable-sync", "--no-first-run"),
    # The windows of a profile share one process, which is warm after its first page.
    "--process-per-site",
)
_CANCELLED: Final = "net::ERR_ABORTED"
"""Why a request fails whose page was closed or left."""
GONE: Final = "ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE"
"""What Chromium says of requests to a server that was killed, also in the middle of one."""


async def launch(chromium: BrowserType) -> Browser:
    """Start Debian's Chromium; skip the test if there is none, or fail it, as `NEED` says."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        give_up("There is no Chromium: apt-get install chromium-headless-shell", NEED)
    # The sandbox needs privileges that containers lack. The tests only visit their own servers.
    return await chromium.launch(
        executable_path=program, args=_OPTIONS, chromium_sandbox=False, timeout=2 * PATIENCE_MS
    )


class PageProblems:
    """What went wrong in the pages of a test; the test fails unless it allows each of them.

    These are errors in the console, exceptions that nobody caught, requests that failed, and what
    the content security policy refused.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Accept problems, past and future, in whose text this regular expression is found."""
        self._allowed.append(re.compile(pattern))

    @property
    def unexpected(self) -> list[str]:
        """The problems that the test does not allow."""
        return [
            each for each in self.seen if not any(known.search(each) for known in self._allowed)
        ]

    def note_message(self, message: ConsoleMessage) -> None:
        """Collect an error in the console."""
        if message.type == "error":
            place: Any = message.location
            self.seen.append(f"console: {message.text} ({place['url']}:{place['lineNumber']})")

    def note_exception(self, error: WebError) -> None:
        """Collect an exception that nobody caught."""
        self.seen.append(f"uncaught: {error.error.stack or error.error.message}")

    def note_failure(self, request: Request) -> None:
        """Collect a failed request."""
        if request.failure != _CANCELLED:
            self.seen.append(f"request failed: {request.url} ({request.failure})")
