"""What is easy to break in the looks: places held while loading, small screens, the focus."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.pages.company import SMALL, company

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_place_of_a_room_is_held_while_it_loads(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, _):
        made = await ann.client.create_room(SMALL, seat=0)
        page = await visit("/rules", name="Cy", width=360, height=740, touch=True)
        asked = {"main.js": asyncio.Event(), "geometry": asyncio.Event()}
        held = {name: asyncio.Event() for name in asked}

        async def later(route: Route) -> None:
            name = next(name for name in asked if name in route.request.url)
            asked[name].set()
            await held[name].wait()
            await route.continue_()

        await page.route(re.compile("/main.js|/api/geometry"), later)
        await go_to(page, f"/room/{made.room}", wait_until="commit")
        board = page.locator(".skeleton-card").nth(2)
        for name, go in held.items():
            await asked[name].wait()
            await expect(board).to_be_visible()
            # The page may draw itself again meanwhile, and then the part has no box for a moment.
            while (box := await board.bounding_box()) is None:
                pass
            assert box["width"] == box["height"] > 300
            go.set()
        await expect(page.get_by_role("button", name="Join as Cy")).to_be_visible()
        await expect(board).to_be_hidden()


async def test_the_head_shows_the_icon_of_the_app_at_once(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("main.js")
    serve()
    page = await visit("/rules", width=360, height=740)
    icon = await page.locator('link[rel="icon"]').get_attribute("href")
    logo = page.locator(".head .logo")
    await expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
    assert icon is not None
    assert (await logo.get_attribute("src") or "").endswith(icon.removeprefix("."))
    place = await logo.bounding_box()
    await page.route("**/main.js", lambda route: route.abort())
    await page.reload(wait_until="load")  # with the styles, and still without the script
    await expect(page.locator("#app > .head .logo")).to_be_visible()
    assert await page.locator("#app > .head .logo").bounding_box() == place


async def test_a_dialog_begins_in_a_field_and_returns_the_focus(serve: Serve, visit: Visit) -> None:
    serve()
    page = await visit("/", name="Ann")
    come = asyncio.Event()

    async def late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await page.route("**/api/catalogue", late)
    await page.reload()
    opener = page.get_by_role("button", name="Create a room")
    await opener.click()
    form = page.get_by_role("dialog", name="Create a room")
    await expect(form.get_by_label("Private")).to_be_focused()
    come.set()  # a field that comes late is the first one from then on
    await expect(form.get_by_label("Game")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(form).to_be_hidden()
    await expect(opener).to_be_focused()
    await page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(keys.get_by_role("button", name="Done")).to_be_focused()
