"""A visitor with a phone plays a whole game against a bot by taps, and looks at the review."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.room.table import place, status

pytestmark = pytest.mark.timeout(120)

GAME = DotsAndBoxes({"rows": 2, "cols": 2})


async def test_a_new_visitor_plays_a_bot_with_one_finger(visit: Visit, serve: Serve) -> None:
    page = await visit("/", server=serve("easy"), width=360, height=740, touch=True)
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_label("Your name").press("Enter")
    await page.get_by_label("Size").first.select_option(label="2 × 2")
    await page.get_by_role("button", name="Easy For").tap()
    await page.wait_for_url("**/room/*")
    result = page.get_by_role("region", name="Result")
    ours_or_over = status(page).get_by_text("our turn").or_(result)
    while True:
        await expect(ours_or_over.first).to_be_visible()
        if await result.is_visible():
            break
        # The elements have the order of the actions.
        edges = await page.locator(".room-board .edge").evaluate_all(
            "(all) => all.map((edge) => edge.classList.contains('drawn'))"
        )
        if all(edges):
            continue  # the result is about to appear
        action = edges.index(False)
        drawn = page.locator(".room-board .edge.drawn:not(.pending)")
        before = await drawn.count()
        await page.touchscreen.tap(*await place(page, GAME, action))
        await expect(drawn).not_to_have_count(before)
    await expect(page.locator(".room-board .piece.owned")).to_have_count(4)
    await page.get_by_role("link", name="Review").tap()
    await page.wait_for_url("**/game/*")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Ann")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
