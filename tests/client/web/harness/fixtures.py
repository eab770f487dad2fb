"""The fixtures of the browser page, for every folder whose conftest.py imports them."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from doublecross.cli.settings.load import own_page
from doublecross.processes.ports import free_port
from tests.client.tk.harness.serving import RealServer
from tests.client.web.harness import axe as checker
from tests.client.web.harness.browser import PATIENCE_MS, PageProblems, launch
from tests.client.web.harness.bundle import bundled_page, can_bundle
from tests.client.web.harness.profiles import Profiles
from tests.client.web.harness.visitors import Visitors, address_of, identity

ROOT = Path(__file__).resolve().parents[4]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """Run one Chromium for all tests of this process."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await launch(playwright.chromium)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def profiles(chromium: Browser) -> Profiles:
    """Return the profiles of Chromium that the tests of this process use in turn."""
    return Profiles(chromium)


@pytest.fixture
def problems() -> Iterator[PageProblems]:
    """Yield the problems in the pages, of which the test may allow some."""
    found = PageProblems()
    yield found
    if found.unexpected:
        pytest.fail("Problems in the page:\n" + "\n".join(found.unexpected), pytrace=False)


class Serve:
    """Starts real servers: `serve("easy", options=("--qr",), grace_s=1)`.

    The names are those of resident bots. The result's `kill` and `start` imitate a power cut and a
    restart; address and database stay. `latest` is the last one that was started.

    The servers of all tests have the same addresses, so that Chromium has compiled their scripts.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.servers: list[RealServer] = []

    def __call__(
        self, *bots: str, options: Sequence[str] = (), grace_s: float = 30.0, pause_s: float = 0
    ) -> RealServer:
        """Start a server and return it when its bots are there."""
        folder = self._folder / f"server-{len(self.servers) + 1}"
        folder.mkdir()
        port = _port(len(self.servers))
        server = RealServer(
            folder, bots, options=options, grace_s=grace_s, pause_s=pause_s, port=port
        )
        self.servers.append(server)
        server.start()
        return server

    @property
    def latest(self) -> RealServer:
        """The last server; starts one without bots if there is none."""
        return self.servers[-1] if self.servers else self()


@cache
def _port(number: int) -> int:
    """Return the port of the first, second, ... server of each test of this process."""
    return free_port()


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the page, bundled if there is esbuild; so it loads sooner."""
    return bundled_page(tmp_path_factory.mktemp("bundle")) if can_bundle() else own_page()


@pytest.fixture
def serve(tmp_path: Path, page_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Yield a function that starts servers, with the bundled page if the environment names none."""
    if "DOUBLECROSS_PAGE" not in os.environ:
        monkeypatch.setenv("DOUBLECROSS_PAGE", str(page_folder))
    starter = Serve(tmp_path)
    yield starter
    for server in starter.servers:
        server.close()


class Visit(Protocol):
    """Opens a page, in a browser profile without traces of earlier visits."""

    async def __call__(
        self,
        address: str = "/",
        *,
        server: RealServer | None = None,
        width: int = 1280,
        height: int = 768,
        touch: bool = False,
        dark: bool = False,
        name: str | None = None,
        storage: Mapping[str, str] | None = None,
    ) -> Page:
        """Return the page at `address`.

        A path belongs to `server`, by default the one that the test started last. `name`: the
        visitor has chosen this name before. `storage`: entries of the browser's local storage.
        """
        ...


@pytest_asyncio.fixture(loop_scope="session")
async def visit(profiles: Profiles, problems: PageProblems, serve: Serve) -> AsyncIterator[Visit]:
    """Yield a function that opens pages; what goes wrong in them fails the test."""
    visitors = Visitors(profiles, problems)

    async def open_page(
        address: str = "/",
        *,
        server: RealServer | None = None,
        width: int = 1280,
        height: int = 768,
        touch: bool = False,
        dark: bool = False,
        name: str | None = None,
        storage: Mapping[str, str] | None = None,
    ) -> Page:
        if "://" not in address:
            address = address_of(server or serve.latest, address)
        return await visitors.open(
            address,
            width=width,
            height=height,
            touch=touch,
            dark=dark,
            storage={**(identity(name) if name else {}), **(storage or {})},
        )

    yield open_page
    await visitors.close()


@pytest.fixture
def shot() -> Callable[[Page, str], Awaitable[Path]]:
    """Return `shot`: `await shot(page, "lobby-360")` saves what the window shows as a PNG, in the
    folder DOUBLECROSS_SHOTS or else in var/shots.
    """

    async def save(page: Page, name: str) -> Path:
        folder = Path(os.environ.get("DOUBLECROSS_SHOTS") or ROOT / "var" / "shots")
        path = folder / f"{re.sub(r'[^A-Za-z0-9-]+', '-', name)}.png"
        await page.screenshot(path=path)
        return path

    return save


Axe = Callable[[Page], Awaitable[list[str]]]


@pytest.fixture
def axe() -> Axe:
    """Return `axe`: `assert await axe(page) == []` checks the page's accessibility."""
    return checker.violations


@pytest.fixture
def axe_both() -> Axe:
    """Return `axe_both`, which checks the page in its light and in its dark colours."""
    return checker.violations_in_both
