"""Open pages as new visitors, each with a browser profile of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urljoin, urlsplit

from playwright.async_api import Page

from tests.client.tk.harness.serving import RealServer
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.profiles import Profile, Profiles

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]

IDENTITY: Final = "doublecross.identity"
"""Where the page keeps the visitor's name and token."""

_FILL: Final = """(({ origin, entries }) => {
    // A window that was closed before may have written once more.
    if (location.origin !== origin || sessionStorage.getItem("filled")) return;
    sessionStorage.setItem("filled", "yes");
    localStorage.clear();
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
})"""


class Visitors:
    """Opens pages, each in one of `profiles`; `close` closes all of them."""

    def __init__(self, profiles: Profiles, problems: PageProblems) -> None:
        self._profiles = profiles
        self._problems = problems
        self._taken: list[Profile] = []

    async def open(
        self,
        address: str,
        *,
        width: int,
        height: int,
        touch: bool,
        dark: bool,
        storage: Mapping[str, str],
    ) -> Page:
        """Open a page in an empty profile whose local storage has these entries."""
        parts = urlsplit(address)
        origin = f"{parts.scheme}://{parts.netloc}"
        profile = await self._profiles.take(self._problems, address, touch=touch, dark=dark)
        self._taken.append(profile)
        page = await profile.context.new_page()
        await page.set_viewport_size({"width": width, "height": height})
        if storage:
            await _go_with(page, address, {"origin": origin, "entries": dict(storage)})
        else:
            await page.goto(address)
        return page

    async def close(self) -> None:
        """Close all pages."""
        while self._taken:
            await self._profiles.give_back(self._taken.pop())


async def _go_with(page: Page, address: str, kept: Mapping[str, object]) -> None:
    """Go to an address and fill the local storage before the scripts of the first document run.

    For the storage_state of a context, Playwright opens a page more, which takes a third of the
    processor time of a visit.
    """
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Page.enable")
    source = {"source": f"{_FILL}({json.dumps(kept)})"}
    await devtools.send("Page.addScriptToEvaluateOnNewDocument", source)
    await page.goto(address)
    # The script ends with its session, so that later documents find what the page has stored.
    await devtools.detach()


async def go_to(page: Page, path: str, *, wait_until: WaitUntil = "load") -> None:
    """Go to another path on the server of the page, as the address bar does."""
    await page.goto(urljoin(page.url, path), wait_until=wait_until)


async def go(page: Page, path: str) -> None:
    """Follow an address within the page, as a link does."""
    await page.evaluate(
        "path => { history.pushState(null, '', path);"
        " dispatchEvent(new PopStateEvent('popstate')); }",
        path,
    )


def address_of(server: RealServer, path: str) -> str:
    """Return the address of a page on a server."""
    return urljoin(server.url.replace("ws", "http", 1), path)


def identity(name: str) -> dict[str, str]:
    """Return what the page keeps of a visitor who has chosen a name."""
    return {IDENTITY: json.dumps({"name": name})}
