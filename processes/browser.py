"""Open a page in the browser of the person at this computer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Final

_OPEN: Final = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"


def has_screen(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether a browser can open a window.

    Without one, Linux would start a text browser, which takes the terminal from the server.
    """
    if platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_page(url: str, environment: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
    """Open a page, if there is a browser with a window; do not wait for the browser.

    Return the process that opens it, whose exit code is 0 if it has found a browser; None without
    a screen.
    """
    if not has_screen(sys.platform, environment):
        return None
    # In a process without the terminal, because `BROWSER` can name a text browser even here.
    return subprocess.Popen(
        [sys.executable, "-I", "-c", _OPEN, url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={name: value for name, value in environment.items() if name != "TERM"},
    )
