"""Open game files in the browser: their list of games, the review of one, and broken files."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import FilePayload, expect

from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOXES = """[Game "dots-and-boxes"]
[Size "1x1"]
[Seat0 "Ann <b>"]
[Seat1 "Bob"]
[Result "0-1"]
[Termination "completed"]

1. b1 2. a2 3. b3 4. c2 0-1
"""
NIM = """[Game "nim"]
[Size "1x3x5x7x1"]
[Seat0 "Cleo"]
[Seat1 "Dora"]
[Date "2026-01-02T03:04:05+00:00"]
[Result "*"]

1. c5 *
"""
ILLEGAL = BOXES.replace("3. b3", "3. b1")


def file(text: str) -> FilePayload:
    """Return a game file to choose."""
    return {"name": "games.txt", "mimeType": "text/plain", "buffer": text.encode()}


async def test_a_visitor_opens_broken_files_and_reviews_the_games_of_another(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow(r"status of 400")
    serve()
    page = await visit("/games")
    await page.get_by_role("link", name="Game file").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Open a game file")
    chosen = page.get_by_label("Game file")
    await chosen.set_input_files(file("Dear Ann,"))
    await expect(page.get_by_role("alert")).to_contain_text("games.txt was not opened.")
    await chosen.set_input_files(file(ILLEGAL))
    await expect(page).to_have_url(re.compile("#1$"))
    await expect(page.get_by_text("The page could not load the game.")).to_be_visible()
    await page.get_by_role("link", name="Other file").click()
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Choose another file").click()
    await (await chooser.value).set_files(file(BOXES + "\n" + NIM))
    await expect(page.get_by_role("heading", level=1)).to_have_text("games.txt")
    games = page.get_by_role("list", name="Games")
    await expect(games.get_by_role("listitem")).to_have_count(2)
    await expect(games).to_contain_text("Ann <b> – Bob 0-1Dots and Boxes 1 × 1")
    assert await axe(page) == []
    search = page.get_by_role("searchbox", name="Find games")
    await search.fill("dora")
    await expect(page.get_by_text("1 of 2 games")).to_be_visible()
    await search.fill("")
    await page.get_by_role("link", name="Review Ann <b> – Bob").click()
    line = page.locator(".study-line")
    await expect(line).to_have_text("Move 4 of 4: Bob c2")
    await expect(page.get_by_text("Bob won 1 : 0")).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(line).to_have_text("Move 3 of 4: Ann <b> b3")
    await expect(page.get_by_role("heading", name="Pass it on")).to_have_count(0)
    await expect(page.get_by_text("The server analyses only games that it has")).to_be_visible()
    await expect(page.get_by_role("button", name="Analyse")).to_have_count(0)
    await page.go_back()
    await games.get_by_role("link", name="Review Cleo – Dora").click()
    await expect(line).to_have_text("Move 1 of 1: Cleo c5")
    await expect(page.get_by_text("No result")).to_be_visible()
    await expect(page.locator(".seat-line .seat-mark")).to_have_text(["C", "D"])
    await page.get_by_role("link", name="All games").click()
    await expect(games).to_be_visible()
