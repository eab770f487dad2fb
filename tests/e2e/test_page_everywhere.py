"""Every address of the page as a checkout serves it, on a wide screen, dark, with real contents.

`test_page_languages.py` visits them on a phone, in light colours, bundled.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from doublecross.cli.settings.load import own_page
from doublecross.client.transport import Client
from doublecross.server.shell.page.document import ROUTES
from tests.bots.running import until
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.pages.company import company, play_game, tournament_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

NAMES = "Zoë", "Bob"
WIDTH = 1440


async def begin(client: Client) -> None:
    """Make the first move in the only room; without it the match ends while pages are visited."""
    rooms = client.session.rooms
    await until(lambda: any(room.my_turn for room in rooms.values()))
    ((room, mirror),) = rooms.items()
    await client.move(room, mirror.state.legal_actions()[0])


@asynccontextmanager
async def addresses(url: str) -> AsyncIterator[dict[str, tuple[str, str]]]:
    """Fill a server; yield an address of each route, and of what is missing, each with a text of
    the page that is there once it has loaded.
    """
    async with company(url, NAMES) as (one, other):
        game, _ = await play_game(one, other)
        one.hold()
        other.hold()
        cup = await tournament_of(one.client, [one, other])
        await asyncio.gather(begin(one.client), begin(other.client))
        (live,) = one.client.session.rooms
        yield {
            "/": ("/", "Spring cup"),
            "/room/:id": (f"/room/{live}", "is to move"),
            "/game/:id": (f"/game/{game}", "played to the end"),
            "/games": ("/games", "Zoë"),
            "/player/:name": ("/player/Bob", "Dots and Boxes"),
            "/ratings": ("/ratings", "Zoë"),
            "/records": ("/records", "Open a game file"),
            "/tournament/:id": (f"/tournament/{cup}", "Zoë"),
            "/tournaments": ("/tournaments", "Spring cup"),
            "/rules": ("/rules", "edge"),
            "/me": ("/me", "My games"),
            "/account": ("/account", "Keep your name"),
            "/classes": ("/classes", "To organise a class"),
            "/bot/:name": ("/bot/Zebra", "Only you see this page"),
            "/join/:code": ("/join/nosuchcode", "There is no class with this code"),
            "/admin": ("/admin", "Only admins can manage this server"),
            "/analysis": ("/analysis", "Values"),
            "/analysis/:position": (
                "/analysis/dots-and-boxes:3x3::0,1,2",
                "There is no long chain yet",
            ),
            "/learn": ("/learn", "Turns and boxes"),
            "/learn/:name": ("/learn/loops", "Loops"),
            "/puzzles": ("/puzzles", "Puzzles"),
            "/puzzle/:id": ("/puzzle/today", "You are"),
            "/storm": ("/storm", "Three minutes"),
            "/seek/:id": ("/seek/nosuchseek", "This offer is over"),
            "/watch": ("/watch", "Dots and Boxes 2 × 2"),
            "/watch/tv": ("/watch/tv", "Dots and Boxes 2 × 2"),
            "unknown": ("/nowhere/at/all", "nothing here"),
            "no room": ("/room/nosuchroom", "This room is not here"),
            "no game": ("/game/nosuchgame", "This game is not here"),
            "no player": ("/player/nobody", "Nobody has this name"),
        }


async def test_every_address_is_accessible_and_fits_in_the_dark(
    visit: Visit, serve: Serve, axe: Axe, problems: PageProblems, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOUBLECROSS_PAGE", str(own_page()))
    problems.allow("404")
    found = {}
    async with addresses(serve().url) as known:
        assert ROUTES.keys() <= known.keys()
        page = await visit("/", width=WIDTH, height=900, dark=True, name="Ann")
        for route, (address, text) in known.items():
            await go_to(page, address)
            await expect(page.locator("main")).to_contain_text(text, ignore_case=True)
            await expect(page.get_by_role("heading", level=1)).to_have_count(1)
            if wrong := await axe(page):
                found[route] = wrong
            across = await page.evaluate("document.documentElement.scrollWidth")
            if across > WIDTH:
                found[f"{route} is too wide"] = [str(across)]
    assert found == {}
