"""Open the page of a server in the browser of the person who started it."""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import Mapping


def has_screen(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether a browser can open a window.

    Without one, Linux would start a text browser, which takes the terminal from the server.
    """
    if platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_page(url: str, environment: Mapping[str, str]) -> None:
    """Open a page, if there is a browser with a window; do not wait for the browser."""
    if has_screen(sys.platform, environment):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
