"""Check in Chromium how the board is played with the keyboard, and what screen readers get."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.client.web.board.conftest import Mount
from tests.client.web.board.positions import all_games
from tests.client.web.board.steps import place, played

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def spoken(page: Page) -> str:
    """Return what a screen reader says about the selected action."""
    text: str = await page.evaluate(
        """() => {
            const id = document.activeElement.getAttribute("aria-activedescendant");
            return id ? document.getElementById(id).getAttribute("aria-label") : "";
        }"""
    )
    return text


async def test_every_game_is_played_with_arrows_and_enter(mount: Mount) -> None:
    names = [f"{game.key} {game.size}" for game in all_games()]
    page = await mount(names[0])
    for name in names:
        await page.evaluate("n => { test.played.length = 0; test.show(n, 0); }", name)
        await page.locator(".board-face").focus()
        await page.keyboard.press("Home")
        first = await spoken(page)
        await page.keyboard.press("ArrowRight")
        second = await spoken(page)
        assert first != second
        await page.keyboard.press("Enter")
        (action,) = await played(page)
        named: str = await page.evaluate("a => test.props.geometry.names[a]", action)
        assert named in second, name


async def test_the_board_is_one_tab_stop_with_a_visible_ring(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    ring = page.locator(".focuses .focus")
    await expect(ring).to_have_count(0)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("application", name="Dots and Boxes 2x2")).to_be_focused()
    await expect(ring).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(ring).to_have_count(0)


async def test_home_end_and_arrows_walk_between_free_edges(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Home")
    said = [await spoken(page)]
    for key in ("ArrowDown", "ArrowDown", "End"):
        await page.keyboard.press(key)
        said.append(await spoken(page))
    assert [text.partition(",")[0] for text in said] == ["b5", "a4", "b3", "d1"]


async def test_a_screen_reader_hears_each_edge(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Home")
    assert await spoken(page) == "b5, free edge, first edge of box b4"
    await expect(page.locator(".board-face")).to_have_attribute("aria-roledescription", "board")
    # A reader notices another element, not another text in the same one.
    first = await page.evaluate("document.activeElement.getAttribute('aria-activedescendant')")
    await page.keyboard.press("ArrowRight")
    assert await spoken(page) == "d5, free edge, first edge of box d4"
    assert first != await page.evaluate(
        "document.activeElement.getAttribute('aria-activedescendant')"
    )


async def test_enter_says_why_nothing_happens(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, seat=1)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    assert await page.evaluate("test.said") == ["It is not your turn."]
    assert await played(page) == []


async def test_a_click_hides_the_ring_and_the_next_key_only_shows_it(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Home")
    ring = page.locator(".focuses .focus")
    await page.mouse.move(*await place(page, 9))
    await expect(ring).to_have_count(1)
    await page.mouse.down()
    await expect(ring).to_have_count(0)
    await page.mouse.move(690, 750)
    await page.mouse.up()
    await page.keyboard.press("ArrowRight")
    await expect(ring).to_have_count(1)
    assert (await spoken(page)).startswith("b5,")


async def test_escape_forgets_a_chosen_edge(mount: Mount) -> None:
    page = await mount("dots-and-boxes 10x10", confirmTaps=True, width=360, height=640, touch=True)
    await page.touchscreen.tap(*await place(page, 35))
    await expect(page.locator(".chosen")).to_have_count(1)
    await page.locator(".board-face").focus()
    await page.keyboard.press("Escape")
    await expect(page.locator(".chosen")).to_have_count(0)
    assert await played(page) == []


async def test_shortcuts_of_the_browser_stay(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Shift+Enter")
    assert await played(page) == []
