"""Use a room by keyboard, by touch, and with what screen readers hear."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.room.table import (
    game_of,
    hosting,
    join,
    place,
    playing,
    resign,
    settings,
    status,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def spoken(page: Page, text: str) -> None:
    """Wait until the page says `text` to screen readers."""
    await expect(page.locator("[aria-live=polite]", has_text=text)).to_be_attached()


async def test_a_match_can_be_played_with_the_keyboard_alone(serve: Serve, visit: Visit) -> None:
    async with hosting(serve()) as bob:
        game = bob.mirror.game
        page = await visit(bob.path, name="Ann")
        await page.get_by_role("button", name="Join as Ann").focus()
        await page.keyboard.press("Enter")
        await expect(status(page)).to_contain_text("Your turn.")
        await expect(page.get_by_role("application")).to_be_focused()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        await expect(status(page)).to_contain_text("Bob is to move.")
        await bob.play()
        await spoken(page, "Your turn.")
        await page.keyboard.press("m")
        await expect(page.get_by_label("Move or command")).to_be_focused()
        await page.keyboard.type("score")
        await page.keyboard.press("Enter")
        await spoken(page, "Ann 0 boxes, Bob 0 boxes.")
        action = bob.mirror.state.legal_actions()[0]
        await page.keyboard.type(game.action_name(action))
        await page.keyboard.press("Enter")
        await expect(status(page)).to_contain_text("Bob is to move.")
        await bob.sees(lambda room: room.state.history()[-1:] == (action,))


async def test_the_focus_is_never_lost_and_events_are_announced(serve: Serve, visit: Visit) -> None:
    async with playing(serve(), visit, seat=0) as (bob, page):
        await bob.play(4)
        await spoken(page, f"Bob drew {bob.mirror.game.action_name(4)}. Your turn.")
        await expect(status(page)).to_contain_text("Your turn.")
        back = page.get_by_label("Moves", exact=True).get_by_role("button", name="Back one move")
        await back.focus()
        await page.keyboard.press("Enter")
        await expect(status(page)).to_contain_text("The start")
        await expect(back).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(back).to_be_focused()
        await page.get_by_role("button", name="Latest", exact=True).click()
        await page.get_by_role("button", name="Resign").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Play on")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("application")).to_be_focused()
        await resign(page)
        await expect(page.locator(".room :focus")).to_have_count(1)
        rematch = page.get_by_role("button", name="Rematch")
        await rematch.focus()
        await page.keyboard.press("Enter")
        await expect(rematch).to_have_text("Rematch offered")
        await expect(rematch).to_be_disabled()
        await page.keyboard.press("Enter")
        await expect(rematch).to_be_focused()
        assert bob.mirror.rematch.count(True) == 1
        await page.get_by_role("button", name="Withdraw").click()
        await expect(rematch).to_be_enabled()
        await bob.sees(lambda room: not any(room.rematch))
        await bob.client.rematch(bob.room)
        await page.get_by_role("button", name="Decline").click()
        await expect(rematch).to_have_text("Rematch")
        await bob.sees(lambda room: not any(room.rematch))
        await bob.client.rematch(bob.room)
        await page.get_by_role("button", name="Accept rematch").click()
        await bob.sees(lambda room: room.status == "playing")
        await bob.client.resign(bob.room)
        await spoken(page, "You won 0 : 0. Bob resigned.")


async def test_a_phone_shows_board_players_and_turn_without_scrolling(
    serve: Serve, visit: Visit
) -> None:
    what = settings(size={"rows": 4, "cols": 4}, time="300+3")
    async with hosting(serve(), what) as bob:
        page = await visit(bob.path, name="Ann", width=360, height=640, touch=True)
        await page.get_by_role("button", name="Join as Ann").tap()
        for ply, (width, height) in enumerate(((360, 640), (740, 360), (932, 430))):
            await page.set_viewport_size({"width": width, "height": height})
            await expect(status(page)).to_contain_text("Your turn.")
            for part in (".room-seat.seat0", ".room-seat.seat1", ".board-face", ".room-status"):
                box = await page.locator(part).bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
                assert box["y"] + box["height"] <= height, part
            await page.touchscreen.tap(*await place(page, game_of(what), 7 + 2 * ply))
            await expect(status(page)).to_contain_text("Bob is to move.")
            await bob.sees(lambda room, ply=ply: room.state.history()[-1:] == (7 + 2 * ply,))  # type: ignore[misc]
            assert await page.evaluate("document.documentElement.scrollWidth") == width
            await bob.play(2 * ply)


async def test_all_states_of_a_room_are_accessible(
    serve: Serve, visit: Visit, axe: Axe, axe_both: Axe
) -> None:
    server = serve()
    async with hosting(server, settings(time="300+3")) as bob:
        page = await visit(f"/room/{bob.room}", name="Ann")
        await expect(page.get_by_label("Code")).to_be_focused()
        assert await axe(page) == []
        page = await visit(bob.path, name="Eve")
        await expect(page.get_by_role("button", name="Join as Eve")).to_be_visible()
        assert await axe(page) == []
        await join(page, "Eve")
        await expect(status(page)).to_contain_text("Your turn.")
        await page.get_by_role("switch", name="Chains and loops").click()
        assert await axe_both(page) == []
        await resign(page)
        await expect(page.get_by_role("region", name="Result")).to_be_visible()
        assert await axe_both(page) == []
