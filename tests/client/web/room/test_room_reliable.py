"""Lose connections and servers in the middle of a match."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.harness.visitors import IDENTITY
from tests.client.web.room.table import (
    click,
    playing,
    settings,
    status,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

CUT_OFF = f"ERR_INTERNET_DISCONNECTED|{GONE}|WebSocket connection"


async def test_moves_of_both_players_arrive_after_an_interruption(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(CUT_OFF)
    problems.allow("/api/account/(progress|note)")  # it may be under way when the server dies
    server = serve()
    async with playing(server, visit) as (bob, page):
        await page.evaluate("window.mark = 1")
        server.kill()
        await expect(status(page)).to_contain_text("No connection.")
        await click(page, bob.mirror.game, 3)
        await expect(status(page)).to_contain_text("Your move is kept")
        await expect(page.locator(".room-board .edge.pending")).to_have_count(1)
        server.start()
        await expect(status(page)).to_have_text("Bob is to move.")
        await bob.play(0)
        await bob.sees(lambda room: list(room.state.history()) == [3, 0])
        await expect(status(page)).to_have_text("Your turn.")
        assert await page.evaluate("window.mark") == 1, "the same page stays"
        await click(page, bob.mirror.game, 1)
        await expect(status(page)).to_have_text("Bob is to move.")
        await page.context.set_offline(True)
        await bob.play(5)
        await page.context.set_offline(False)
        await expect(status(page)).to_have_text("Your turn.")
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(4)


async def test_tabs_and_a_phone_play_one_match_and_a_closed_tab_harms_none(
    serve: Serve, visit: Visit
) -> None:
    async with playing(serve(), visit, settings(size={"rows": 3, "cols": 3})) as (bob, page):
        context = page.context
        others = [await context.new_page() for _ in range(9)]
        await asyncio.gather(*(each.goto(page.url) for each in others))
        kept = await page.evaluate(f"localStorage.getItem('{IDENTITY}')")
        phone = await visit(
            urlsplit(page.url).path, width=390, touch=True, storage={IDENTITY: kept}
        )
        second, *_ = others
        everywhere = [page, phone, *others]
        for action, mover in enumerate((page, phone, second)):
            for each in everywhere:
                await expect(status(each)).to_have_text("Your turn.")
            await click(mover, bob.mirror.game, 2 * action)
            await bob.play(2 * action + 1)
        await second.close()
        everywhere.remove(second)
        for each in everywhere:
            await expect(each.locator(".room-board .edge.drawn")).to_have_count(6)
        for each in others[1:]:
            await each.close()
        await phone.close()

        # A move that did not arrive is sent when the page is opened again.
        await page.evaluate(
            """() => {
              const send = WebSocket.prototype.send;
              WebSocket.prototype.send = function (text) {
                if (!text.includes('"type":"move"')) send.call(this, text);
              };
            }"""
        )
        await click(page, bob.mirror.game, 6)
        await expect(page.locator(".room-board .edge.pending")).to_have_count(1)
        path = page.url
        await page.close()
        page = await context.new_page()
        await page.goto(path)
        await expect(status(page)).to_have_text("Bob is to move.")
        await bob.play(7)
        await bob.sees(lambda room: room.state.history() == tuple(range(8)))
        assert await page.evaluate("localStorage.getItem('doublecross.unsent')") is None
