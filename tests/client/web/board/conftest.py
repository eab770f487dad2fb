"""Serve the board alone, without a game server, to Chromium."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Page

from tests.client.web.board.positions import all_games, sample
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.profiles import Profiles
from tests.client.web.harness.visitors import Visitors

HERE: Final = Path(__file__).parent
WEB: Final = HERE.parents[3] / "client" / "web"


@cache
def samples() -> bytes:
    """Return the samples of all games as JSON."""
    return json.dumps({f"{game.key} {game.size}": sample(game) for game in all_games()}).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers with the files of the page, of this folder, and with the samples."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/samples.json":
            kind, body = "application/json", samples()
        else:
            folder = WEB if path.startswith("/web/") else HERE
            file = folder / path.removeprefix("/web/").removeprefix("/test/").lstrip("/")
            if not file.is_file():
                self.send_error(404)
                return
            kind, body = guess_type(file.name)[0] or "text/plain", file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="session")
def board_address() -> Iterator[str]:
    """Serve the page of the board; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/page.html"
    server.shutdown()
    server.server_close()
    thread.join()


Mount = Callable[..., Awaitable[Page]]


class Boards:
    """Keeps one page for each kind of window, because loading it takes longer than most tests."""

    def __init__(self, visitors: Visitors, problems: PageProblems) -> None:
        self._visitors = visitors
        self._problems = problems
        self._pages: dict[tuple[Any, ...], Page] = {}

    async def open(self, address: str, **window: Any) -> Page:
        """Return the page in a window of this kind, as if just loaded."""
        key = tuple(sorted(window.items()))
        page = self._pages.get(key)
        if page is None:
            page = await self._visitors.open(address, storage={}, **window)
            await page.wait_for_selector("body[data-ready]")
            self._pages[key] = page
        else:
            await page.emulate_media(color_scheme="null", reduced_motion="null")
            await page.mouse.move(0, 0)
            await page.evaluate("test.reset()")
        return page

    def hand_over(self, problems: PageProblems) -> None:
        """Let a test answer for what went wrong in its page."""
        problems.seen += self._problems.seen
        self._problems.seen.clear()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def boards(profiles: Profiles) -> AsyncIterator[Boards]:
    """Yield the pages of boards of this process."""
    problems = PageProblems()
    visitors = Visitors(profiles, problems)
    yield Boards(visitors, problems)
    await visitors.close()


@pytest.fixture
def mount(boards: Boards, board_address: str, problems: PageProblems) -> Iterator[Mount]:
    """Yield `mount`: `page = await mount("dots-and-boxes 3x3", 0, seat=0, touch=True)`."""

    async def open_board(
        name: str,
        ply: int = 0,
        *,
        width: int = 700,
        height: int = 760,
        touch: bool = False,
        dark: bool = False,
        **props: Any,
    ) -> Page:
        page = await boards.open(board_address, width=width, height=height, touch=touch, dark=dark)
        await page.evaluate("([n, p, more]) => test.show(n, p, more)", [name, ply, props])
        await page.wait_for_selector(".board")
        return page

    yield open_board
    boards.hand_over(problems)
