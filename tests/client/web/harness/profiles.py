"""Browser profiles that serve one visit after another, because a new profile is dear.

A new profile starts processes of its own and compiles the page's scripts again, which takes half of
the processor time of a visit. So a profile that a test has given back serves a later test, in new
windows and with empty storage. Two visits of one test never share a profile. One window of each
profile stays open, which keeps the process alive that draws the pages.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Request, Route, WebError

from tests.client.web.harness.browser import PATIENCE_MS, PageProblems

_KEPT: Final = "http://127.0.0.1:9/kept"
"""The address of the window that stays; all servers of the tests are on this host."""
_LASTING: Final = (
    *("add_cookies", "add_init_script", "expose_binding", "expose_function"),
    *("route", "route_from_har", "route_web_socket", "set_extra_http_headers", "set_geolocation"),
)
"""What would stay in a profile for later tests."""


class Profile:
    """One browser profile, the context of Playwright; `problems` collects what goes wrong in it."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.problems: PageProblems | None = None
        self.origins: set[str] = set()
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._console)
        context.on("weberror", self._uncaught)
        context.on("requestfailed", self._failed)
        for name in _LASTING:
            setattr(context, name, _refuse)

    async def keep_alive(self) -> None:
        """Open the window that stays."""
        page = await self.context.new_page()

        async def answer(route: Route) -> None:
            await route.fulfill(body="<title>kept</title>", content_type="text/html")

        await page.route("**/*", answer)
        await page.goto(_KEPT)

    async def empty(self) -> None:
        """Close the windows of a test and delete what it has stored."""
        kept, *others = self.context.pages
        for page in others:
            self.origins.add(_origin(page.url))
            await page.close()
        self.problems = None
        await self.context.set_offline(False)
        await self.context.clear_permissions()
        devtools = await self.context.new_cdp_session(kept)
        await devtools.send("Network.clearBrowserCookies")
        for origin in self.origins:
            await devtools.send(
                "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
            )
        await devtools.detach()
        self.origins.clear()

    def _console(self, message: ConsoleMessage) -> None:
        if self.problems is not None:
            self.problems.note_message(message)

    def _uncaught(self, error: WebError) -> None:
        if self.problems is not None:
            self.problems.note_exception(error)

    def _failed(self, request: Request) -> None:
        if self.problems is not None:
            self.problems.note_failure(request)


class Profiles:
    """The profiles of one browser that no test uses now."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[tuple[bool, bool], list[Profile]] = {}
        self._kinds: dict[Profile, tuple[bool, bool]] = {}

    async def take(
        self, problems: PageProblems, address: str, *, touch: bool, dark: bool
    ) -> Profile:
        """Return an empty profile for a visit of `address`, of a phone if `touch`."""
        free = self._free.setdefault((touch, dark), [])
        if free:
            profile = free.pop()
        else:
            context = await self._browser.new_context(
                # That of a second tab; a visit gives its own window another size.
                viewport={"width": 1280, "height": 768},
                has_touch=touch,
                is_mobile=touch,
                color_scheme="dark" if dark else "light",
                locale="en-GB",
            )
            profile = Profile(context)
            self._kinds[profile] = touch, dark
            await profile.keep_alive()
        profile.problems = problems
        profile.origins.add(_origin(address))
        return profile

    async def give_back(self, profile: Profile) -> None:
        """Let later visits use a profile."""
        await profile.empty()
        self._free[self._kinds[profile]].append(profile)


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _refuse(*_: Any, **__: Any) -> Any:
    raise AssertionError("A profile serves several tests. Call the method of the page instead.")
