"""A correspondence game on the page: conditional moves that the server plays, and a note."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.client.web.harness.axe import violations
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.room.table import click, first_moves, playing, settings

Shot = Callable[[Page, str], Awaitable[Path]]

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOARD = ".plan-board"


@pytest.mark.parametrize("window", [(360, 640), (1440, 900)])
async def test_a_plan_is_made_and_the_server_plays_it(
    serve: Serve, visit: Visit, shot: Shot, window: tuple[int, int]
) -> None:
    async with playing(serve(), visit, settings(time="3d")) as (bob, page):
        await page.set_viewport_size({"width": window[0], "height": window[1]})
        game, ahead = bob.mirror.game, page.get_by_role("button", name="Plan ahead")
        names = game.action_names
        await first_moves(page, bob)
        await expect(ahead).to_have_attribute("aria-disabled", "true")
        await click(page, game, 2)
        await ahead.click()
        dialog = page.get_by_role("dialog", name="Conditional moves")
        line = dialog.locator(".plan-line")
        for lines, (one, two) in enumerate(((3, 4), (5, 6)), 1):
            await expect(dialog.get_by_text("Choose a move that Bob may make.")).to_be_visible()
            await click(page, game, one, BOARD)
            await expect(dialog.get_by_text("Choose your answer.")).to_be_visible()
            await click(page, game, two, BOARD)
            await expect(line).to_have_text(f"Line: {names[one]} {names[two]}")
            await dialog.get_by_role("button", name="Add the line").click()
            await expect(dialog.get_by_role("listitem")).to_have_count(lines)
        # On the keyboard: choose an edge, and play it.
        face = dialog.get_by_role("application")
        await face.focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(dialog.get_by_text("Choose your answer.")).to_be_visible()
        await shot(page, f"plan-{window[0]}")
        assert await violations(page) == []
        await dialog.get_by_role("button", name="Back one move").click()
        await dialog.get_by_role("button", name=f"Delete {names[3]} {names[4]}").click()
        await dialog.get_by_role("button", name="Save").click()
        await expect(page.locator(".strip-text")).to_have_text("The plan has 1 line.")
        await expect(dialog).to_be_hidden()
        await ahead.click()
        await expect(dialog.get_by_role("listitem")).to_have_count(1)
        await bob.play(5)
        # The plan was for another position.
        await expect(dialog).to_be_hidden()
        await expect(page.locator(".room-turns .room-move:not(.start)")).to_have_text(
            [names[action] for action in (0, 1, 2, 5, 6)]
        )
        await bob.sees(lambda mirror: mirror.my_turn)

        note = page.get_by_label("Your note about this game, which only you see")
        await note.fill("Wait for b3.")
        await note.blur()
        await expect(page.get_by_text("Saved.")).to_be_visible()
        await shot(page, f"note-{window[0]}")
        await page.reload()
        await expect(note).to_have_value("Wait for b3.")
