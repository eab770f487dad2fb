"""Open the pages of a server in the browser: what the window leaves to them."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from typing import Final

from doublecross.client.core.address import http_url
from doublecross.client.language import tr
from doublecross.client.tk.models.helpers import HelperFailed, Helpers
from doublecross.client.tk.refusal import Refusal
from doublecross.processes.browser import open_page

Browse = Callable[[str], bool]
"""Opens an address in a browser; returns whether there is one. It may take some seconds."""

_PATIENCE_S: Final = 10.0
"""Seconds to wait for the program that starts the browser. It may also become the browser."""


def browse(url: str) -> bool:
    """Open an address in the person's browser; return whether one has been found."""
    opening = open_page(url, os.environ)
    if opening is None:
        return False
    try:
        return opening.wait(_PATIENCE_S) == 0
    except subprocess.TimeoutExpired:
        return True


async def show_page(page: str, server: str | None, helpers: Helpers, browse: Browse) -> str:
    """Open the page with this path of the server at `server` by `browse`; return its address.

    `server` is an HTTP address. If it is None, the server of this computer has the page, and is
    started if necessary.

    Raises:
        Refusal: there is no server with pages, or no browser.
    """
    if server is None:
        try:
            server = http_url(await helpers.open_server())
        except HelperFailed as error:
            raise Refusal(str(error)) from None
    if not server:
        raise Refusal(tr("This server has no page for browsers. Ask its host for one."))
    address = server + page
    if not await asyncio.to_thread(browse, address):
        raise Refusal(tr("No browser could be started. Open {address} in one.", address=address))
    return address
