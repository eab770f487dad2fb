"""Review finished games in the browser: stepping, link to a ply, private games, exports, phone."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable

import pytest
from playwright.async_api import Page, expect

from doublecross.protocol.common import MatchSettings, TimeControl
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of, go_to
from tests.client.web.pages.company import SMALL, company, play_game

pytestmark = pytest.mark.asyncio(loop_scope="session")


def line(page: Page, text: str | re.Pattern[str]) -> Awaitable[None]:
    """Wait until the page says which position it shows."""
    return expect(page.locator(".study-line")).to_have_text(text)


async def test_a_visitor_steps_through_a_game_and_learns_why_an_export_failed(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("503")
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob)
    page = await visit(f"/game/{game}#11")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ann against Bob")
    await line(page, re.compile(r"^Move 11 of 12: "))
    link = await page.get_by_label("Link to this position").input_value()
    assert link.endswith(f"/game/{game}#11")
    await page.keyboard.press("Home")
    await line(page, "Start")
    await page.keyboard.press("ArrowRight")
    await line(page, re.compile(r"^Move 1 of 12: Ann "))
    await expect(page).to_have_url(re.compile(r"#1$"))
    await page.keyboard.press("ArrowDown")
    await line(page, re.compile(r"^Move 2 of 12: Bob "))
    moves = page.get_by_label("Moves by turn").get_by_role("button")
    await moves.nth(3).click()
    # The list is one stop of the Tab key, and the arrows take the focus along.
    await page.keyboard.press("ArrowRight")
    await line(page, re.compile(r"^Move 5 of 12: "))
    await expect(moves.nth(4)).to_be_focused()
    await expect(page.get_by_label("Moves by turn").locator('[tabindex="0"]')).to_have_count(1)
    # Letters work while a button has the focus.
    chains = page.get_by_role("button", name="Chains and loops")
    await chains.focus()
    for pressed in ("true", "false"):
        await page.keyboard.press("c")
        await expect(chains).to_have_attribute("aria-pressed", pressed)
    await page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(keys.locator("kbd")).to_have_text(
        [*("Left", "Right", "Up", "Down", "Home", "End", "Space", "C", "N", "H", "F", "?", "Esc")]
    )
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Play automatically").click()
    await line(page, re.compile(r"^Move 6 of 12: "))
    await page.get_by_role("button", name="Pause").click()
    await expect(page.locator(".plot canvas")).to_be_visible()
    await page.get_by_text("As a table").click()
    await expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("Ann")
    await page.evaluate("scrollTo(0, 0)")  # the head of the page hid a part of the controls
    assert await axe(page) == []
    async with page.expect_response(re.compile("/api/features")) as answered:
        await page.get_by_role("button", name="Chains and loops").click()
    assert (await (await answered.value).json())["features"]
    await expect(
        page.locator(".study-board .board-legend, .study-board .legend-row").first
    ).to_be_visible()
    await page.route(
        "**/picture*",
        lambda route: route.fulfill(status=503, json={"error": "The server draws other pictures."}),
    )
    await page.get_by_role("button", name="GIF").click()
    await expect(page.get_by_role("alert")).to_have_text("The server draws other pictures.")
    # What else could have been played, from any move.
    await page.get_by_label("Moves by turn").get_by_role("button").nth(4).click()
    await page.get_by_role("link", name="Analyse from here").click()
    await expect(page).to_have_url(re.compile(r"/analysis/dots-and-boxes:2x2::[\d,]+#\.5$"))
    await expect(page.locator('.move[aria-current="step"]')).to_have_text(
        await page.locator(".move").nth(4).inner_text()
    )


async def test_a_private_game_needs_its_code_or_its_player(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("404")
    server = serve()
    async with company(server.url, ["Ann", "Bob"]) as (ann, bob):
        game, code = await play_game(ann, bob, private=True)
        token = ann.client.session.welcome.token  # type: ignore[union-attr]
    page = await visit(f"/game/{game}")
    await expect(page.get_by_role("heading", name="This game is not here")).to_be_visible()
    await page.get_by_label("Code of the private room").fill("nonsense")
    await page.get_by_role("button", name="Show the game").click()
    await expect(page.get_by_text("With this code the game is not here either.")).to_be_visible()
    await page.get_by_label("Code of the private room").fill(code)
    await page.get_by_role("button", name="Show the game").click()
    await line(page, re.compile(r"^Move 12 of 12: "))
    page = await visit(f"/game/{game}#{code}")
    await line(page, re.compile(r"^Move 12 of 12: "))
    await page.keyboard.press("Home")
    await expect(page).to_have_url(re.compile(rf"#code={code}&ply=0$"))
    mine = {"doublecross.identity": json.dumps({"name": "Ann", "token": token})}
    page = await visit(f"/game/{game}", storage=mine)
    await line(page, re.compile(r"^Move 12 of 12: "))


@pytest.mark.slow
async def test_every_game_is_reviewed(serve: Serve, visit: Visit) -> None:
    time = TimeControl(base_ms=60_000)
    games = [MatchSettings(game=key, time=time) for key in ("connect-four", "nim", "tic-tac-toe")]
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        played = [(await play_game(ann, bob, settings))[0] for settings in games]
    page = await visit("/games")
    for game in played:
        await go_to(page, f"/game/{game}")
        await line(page, re.compile(r"^Move \d+ of \d+: "))
        await expect(page.locator(".study-board svg.board-svg")).to_be_visible()
        await expect(page.locator(".study-plot")).to_have_count(0)


async def test_a_review_fits_a_phone(serve: Serve, visit: Visit) -> None:
    settings = SMALL.model_copy(update={"params": {"rows": 5, "cols": 5}})
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob, settings)
    page = await visit(f"/game/{game}", width=360, height=640, touch=True, dark=True)
    await line(page, re.compile(r"^Move 60 of 60: "))
    await page.get_by_role("button", name="Back one move").tap()
    await line(page, re.compile(r"^Move 59 of 60: "))
    # Board, players, words, moves and controls fit onto one screen.
    shown = [page.locator(".study-board .board"), page.get_by_role("button", name="To the end")]
    shown += [page.get_by_role("button", name="Analyse", exact=True), page.locator(".turns")]
    for part in shown:
        await expect(part).to_be_in_viewport(ratio=1)
    # Board and controls stay there, because all that is below acts on the board.
    await page.get_by_role("button", name="Play from here").scroll_into_view_if_needed()
    for part in shown[:2]:
        await expect(part).to_be_in_viewport(ratio=1)
    assert await page.evaluate("document.documentElement.scrollWidth") == 360


async def test_the_heat_map_of_a_network_is_drawn_and_said(
    serve: Serve, visit: Visit, axe: Axe
) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob)
    page = await visit(f"/game/{game}#3")
    await line(page, re.compile(r"^Move 3 of 12: "))
    answer = await page.request.get(address_of(serve.latest, "/api/catalogue"))
    listed = await answer.json()
    for each in listed["games"]:
        each |= {"policy": True, "features": False, "values": False}
    shares = [{"action": 7, "share": 0.75}, {"action": 9, "share": 0.25}]
    await page.route("**/api/catalogue", lambda route: route.fulfill(json=listed))
    await page.route("**/api/policy?*", lambda route: route.fulfill(json={"shares": shares}))
    await page.reload()
    # The list has the keys of what this server offers, and no others.
    await page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(keys.locator("kbd")).to_have_text(
        [*("Left", "Right", "Up", "Down", "Home", "End", "Space", "N", "F", "?", "Esc")]
    )
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Heat map").click()
    await expect(
        page.get_by_text(
            re.compile(r"^After all captures the network would play \w+ 75%, \w+ 25%$")
        )
    ).to_be_visible()
    bands = page.locator(".heat line")
    await expect(bands).to_have_count(2)
    widths = await bands.evaluate_all(
        "all => all.map((each) => parseFloat(getComputedStyle(each).strokeWidth))"
    )
    assert widths[0] > widths[1]
    assert re.fullmatch(r"\w+: 75%", await bands.first.locator("title").text_content() or "")
    assert await axe(page) == []
