"""Check the board of the browser page in Chromium, with clicks, fingers and keys."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from tests.client.web.board.conftest import Mount
from tests.client.web.board.positions import all_games

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def place(page: Page, action: int) -> tuple[float, float]:
    """Return where an action is on the screen."""
    x, y = await page.evaluate("a => test.at(a)", action)
    return x, y


async def played(page: Page) -> list[int]:
    """Return the actions that the board has reported."""
    found: list[int] = await page.evaluate("test.played")
    return found


@pytest.mark.parametrize("name", [f"{game.key} {game.size}" for game in all_games()])
async def test_a_click_plays_the_action_under_it_in_every_game(mount: Mount, name: str) -> None:
    page = await mount(name, 0)
    legal: str = await page.evaluate("test.props.position.legal")
    action = legal.rindex("1")
    await page.mouse.click(*await place(page, action))
    assert await played(page) == [action]
