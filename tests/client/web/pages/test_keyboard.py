"""A puzzle and an analysis by the keyboard alone, with what screen readers hear."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from doublecross.analysis.shipped.puzzles import puzzles
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.learn.test_learn import value

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEYS = 60
"""More keys than a board needs from any edge to any other one."""


async def tab_to(page: Page, focused: str) -> None:
    """Press Tab until the element has the focus."""
    await expect(page.locator(focused)).to_be_visible()
    for _ in range(KEYS):
        if await page.locator(f"{focused}:focus").count():
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {focused}.")


async def heard(page: Page) -> str:
    """Return what a screen reader says of the edge that is selected."""
    # What the last key has changed is drawn by then.
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    said = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    return str(await page.evaluate(f"{said}?.getAttribute('aria-label') ?? ''"))


async def draw(page: Page, edge: str) -> None:
    """Go to an edge with the arrows and draw it; its name has its column and its row."""
    for turn in range(KEYS):
        found = re.search(r"\b([a-z])(\d+)\b", await heard(page))
        assert found is not None
        across = ord(edge[0]) - ord(found[1])
        up = int(edge[1:]) - int(found[2])
        if not across and not up:
            await page.keyboard.press("Enter")
            return
        if (turn % 2 and across) or not up:
            await page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        else:
            await page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")
    raise AssertionError(f"The arrows never reach {edge}.")


async def test_a_position_is_analysed_by_keyboard(serve: Serve, visit: Visit) -> None:
    serve()
    page = await visit("/analysis/dots-and-boxes:2x2::")
    await page.route("**/api/values", value)
    told = page.locator(".study-line[aria-live=polite]")
    await tab_to(page, ".board-face")
    for number, edge in enumerate(("b5", "a2", "e4"), 1):
        await draw(page, edge)
        await expect(told).to_contain_text(f"Move {number}: {edge}")
        await expect(page.locator(".board-face")).to_be_focused()
    await expect(page.get_by_role("status").filter(has_text="best play")).to_be_visible()
    # From the moves the arrows step, and a move there begins a branch.
    await tab_to(page, ".study-moves .move[aria-current]")
    await page.keyboard.press("ArrowLeft")
    await expect(told).to_contain_text("Move 2: a2")
    await page.keyboard.press("Shift+Tab")
    await tab_to(page, ".board-face")
    await draw(page, "c2")
    await expect(page.get_by_role("group", name="Branch at move 3")).to_contain_text("c2")
    await page.keyboard.press("h")
    await expect(page.get_by_role("button", name="Values")).to_have_attribute(
        "aria-pressed", "false"
    )


async def test_a_puzzle_is_solved_by_keyboard(serve: Serve, visit: Visit) -> None:
    serve()
    puzzle = min(
        (each for each in puzzles().puzzles if each.turns == 1 and len(each.keeping) == 1),
        key=lambda each: len(each.costs),
    )
    page = await visit(f"/puzzle/{puzzle.id}")
    await page.route("**/api/values", value)
    await tab_to(page, ".board-face")
    assert "edge" in await heard(page)
    await draw(page, puzzle.game.action_name(puzzle.keeping[0]))
    await expect(page.locator(".said.good[role=status]")).to_be_visible()
