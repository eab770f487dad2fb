"""The analysis board: both sides, branches, values, setting up, and addresses that name it all."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image, ImageColor
from playwright.async_api import Page, Route, expect

from doublecross.games.colours import CLASSIC
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of
from tests.client.web.pages.reviewing import GAME, value
from tests.client.web.room.table import click

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def tap(page: Page, action: int) -> None:
    """Press an edge with the mouse, once the board of 2x2 is there."""
    await expect(page.locator(".study-board .edges line")).to_have_count(12)
    await click(page, GAME, action, ".study-board")


async def test_a_visitor_analyses_a_position(serve: Serve, visit: Visit, axe_both: Axe) -> None:
    serve()
    page = await visit("/learn")
    await page.route("**/api/values", value)
    await page.get_by_role("link", name="Analysis board").click()
    await page.get_by_label("Size").select_option("2x2")
    line = page.locator(".study-line")
    await expect(line).to_contain_text("Start")
    await expect(page.locator(".study-board .edges line")).to_have_count(12)
    # Nobody has to wait for the server between two edges.
    held: list[Route] = []
    await page.route("**/api/positions*", lambda route: held.append(route))
    for action in (0, 1, 2):
        await tap(page, action)
    await expect(page.locator(".move")).to_have_count(3)
    await page.unroute("**/api/positions*")
    for route in held:
        await route.continue_()
    # The moves are played by turns, and each free edge has its value.
    await expect(line).to_contain_text(re.compile(r"^Move 3: \w+ ?exact"))
    await expect(page.locator(".board .value.best")).to_have_count(1)
    await expect(page.locator(".board .value.rough")).to_have_count(12 - 3 - 1)
    await expect(page.get_by_text("There is no long chain yet. By the long chain")).to_be_visible()
    # After a press with the mouse the arrow keys step.
    await page.keyboard.press("ArrowLeft")
    await tap(page, 5)
    branch = page.get_by_role("group", name="Branch at move 3").get_by_role("button")
    await expect(branch).to_have_count(1)
    await page.get_by_role("button", name="Play out the best line").click()
    await expect(branch).to_have_count(2)
    await expect(page).to_have_url(
        re.compile(r"/analysis/dots-and-boxes:2x2::0,1,2#0\.\d;2:5,\d+$")
    )
    assert await axe_both(page) == []
    address = page.url
    await page.goto("about:blank")
    await page.goto(address)
    await expect(branch).to_have_count(2)
    await page.get_by_role("button", name="Delete the branch").click()
    await expect(branch).to_have_count(0)

    # A position can be set up without an order, and has a picture.
    await page.get_by_role("button", name="Set up").click()
    await tap(page, 0)
    await tap(page, 7)
    await page.get_by_role("button", name="Done").click()
    await expect(page).to_have_url(re.compile("/analysis/dots-and-boxes:2x2:1,7:$"))
    picture = page.get_by_role("link", name="A picture of this position")
    path = await picture.get_attribute("href")
    answer = await page.request.get(address_of(serve.latest, path or ""))
    assert answer.headers["content-type"] == "image/png"
    # Either player may be the one to move.
    await page.get_by_role("button", name="Set up").click()
    await page.get_by_role("radio", name="B").check()
    await page.get_by_label("Score of A").fill("1")
    await page.get_by_role("button", name="Done").click()
    await tap(page, 2)
    await expect(page).to_have_url(re.compile("/analysis/dots-and-boxes:2x2:1,7:2:1.1.0$"))
    await expect(page.locator(".turn.seat1 .move")).to_have_count(1)
    await page.reload()
    await expect(page.locator(".turn.seat1 .move")).to_have_count(1)
    answer = await page.request.get(
        address_of(serve.latest, await picture.get_attribute("href") or "")
    )
    with Image.open(BytesIO(await answer.body())) as card:
        # The right half shows the board, with one edge of B.
        board = card.crop((640, 0, 1200, 630)).convert("RGB")
        colours = {colour for _, colour in board.getcolors(99_999) or ()}
    drawn = [ImageColor.getrgb(colour) in colours for colour in CLASSIC["light"].strokes]
    assert drawn == [False, True]
    await expect(page.locator(".study-players .seat0 .seat-score")).to_have_text("score 1")
    await page.go_back()
    await expect(page).to_have_url(re.compile("/analysis/dots-and-boxes:2x2:1,7:$"))
    await page.go_back()
    await expect(page).to_have_url(re.compile(r"2x2::0,1,2#\.2$"))
    await expect(page.locator(".move")).to_have_count(3)


async def test_a_step_back_keeps_the_address_to_which_it_leads(serve: Serve, visit: Visit) -> None:
    """The page writes moves into the address a moment later; here, when the step back is done."""
    serve()
    page = await visit("/learn")
    await page.add_init_script(
        """const later = window.setTimeout, stop = window.clearTimeout, due = new Map();
        window.setTimeout = (task, ms, ...values) =>
            ms === 300 ? due.set(-due.size - 1, task) && -due.size : later(task, ms, ...values);
        window.clearTimeout = (id) => due.has(id) ? due.set(id, () => {}) : stop(id);
        window.finish = () => due.forEach((task) => task());"""
    )
    await page.goto(address_of(serve.latest, "/analysis/dots-and-boxes:2x2::0,1"))
    await page.get_by_role("button", name="Set up").click()
    await page.get_by_role("button", name="Done").click()
    await tap(page, 2)
    await expect(page.locator(".move")).to_have_count(1)
    await page.evaluate("window.addEventListener('popstate', window.finish)")
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    await page.evaluate("history.back()")
    await expect(page.locator(".move")).to_have_count(2)
    await expect(page).to_have_url(re.compile("/analysis/dots-and-boxes:2x2::0,1$"))


async def test_an_address_that_names_no_position_says_so(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("400")
    serve()
    page = await visit("/analysis/chess")
    await expect(page.get_by_text("This address names no position.")).to_be_visible()
    page = await visit("/analysis/tic-tac-toe:3x3x3::0,0")
    await expect(page.get_by_role("alert")).to_be_visible()
