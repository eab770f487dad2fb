"""Lose connections and servers in the middle of a match."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.room.table import (
    click,
    first_moves,
    playing,
    status,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

CUT_OFF = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|WebSocket connection"


async def test_moves_of_both_players_arrive_after_an_interruption(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(CUT_OFF)
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


async def test_a_match_moves_to_other_tabs_and_a_move_is_sent_by_the_next(
    serve: Serve, visit: Visit
) -> None:
    async with playing(serve(), visit) as (bob, page):
        second = await page.context.new_page()
        await second.goto(page.url)
        await second.get_by_role("button", name="Play here").click()
        await expect(status(second)).to_have_text("Your turn.")
        await first_moves(second, bob)
        await page.get_by_role("button", name="Play here").click()
        await expect(status(page)).to_have_text("Your turn.")
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(2)

        # A move that did not arrive is sent when the page is opened again.
        await second.close()
        await page.evaluate(
            """() => {
              const send = WebSocket.prototype.send;
              WebSocket.prototype.send = function (text) {
                if (!text.includes('"type":"move"')) send.call(this, text);
              };
            }"""
        )
        await click(page, bob.mirror.game, 3)
        await expect(page.locator(".room-board .edge.pending")).to_have_count(1)
        context, path = page.context, page.url
        await page.close()
        page = await context.new_page()
        await page.goto(path)
        await expect(status(page)).to_have_text("Bob is to move.")
        await bob.play(4)
        await bob.sees(lambda room: room.state.history() == (0, 1, 3, 4))
        assert await page.evaluate("localStorage.getItem('doublecross.unsent')") is None
