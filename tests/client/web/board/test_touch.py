"""Check in Chromium how the board is played with fingers."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

import pytest
from PIL import Image
from playwright.async_api import expect

from tests.client.web.board.conftest import Mount
from tests.client.web.board.steps import Fingers, place, played

pytestmark = pytest.mark.asyncio(loop_scope="session")

LARGE: Final = "dots-and-boxes 10x10"
PHONE: Final[dict[str, Any]] = {"width": 360, "height": 640, "touch": True}


async def test_a_tap_beside_an_edge_plays_the_nearest_one(mount: Mount) -> None:
    page = await mount(LARGE, **PHONE)
    x, y = await place(page, 35)
    await page.touchscreen.tap(x + 4, y + 7)
    assert await played(page) == [35]


async def test_the_edge_under_a_sliding_finger_is_shown_and_played_on_lifting(mount: Mount) -> None:
    page = await mount(LARGE, **PHONE)
    fingers = await Fingers.on(page)
    await fingers.down(await place(page, 35))
    await expect(page.locator(".board-lens")).to_be_visible()
    await expect(page.locator(".hovers .hovered")).to_have_count(1)
    # The lens shows the board's own colours: mostly an empty, white ground.
    picture = Image.open(BytesIO(await page.locator(".board-lens").screenshot())).convert("L")
    shades = picture.histogram()
    assert sum(shades[200:]) > 0.6 * sum(shades)
    await fingers.move(await place(page, 57))
    assert await played(page) == []
    await fingers.up()
    await expect(page.locator(".board-lens")).to_have_count(0)
    assert await played(page) == [57]


async def test_a_finger_that_slides_off_the_board_plays_nothing(mount: Mount) -> None:
    page = await mount(LARGE, **PHONE)
    fingers = await Fingers.on(page)
    await fingers.down(await place(page, 35))
    await fingers.move((180, 600))
    await expect(page.locator(".hovers .hovered")).to_have_count(0)
    await fingers.up()
    assert await played(page) == []


async def test_a_double_tap_plays_one_move_even_if_the_turn_stays(mount: Mount) -> None:
    page = await mount(LARGE, **PHONE)
    # The move is confirmed before the second tap, and this player is to move again.
    await page.evaluate(
        """test.onPlay = (action) => {
            const {position} = test.props;
            const signs = [...position.legal];
            signs[action] = "0";
            const legal = signs.join("");
            const played = [...position.played, action];
            test.set({position: {...position, legal, played, last: action}});
        }"""
    )
    x, y = await place(page, 35)
    await page.touchscreen.tap(x, y)
    await page.touchscreen.tap(x + 3, y + 8)
    assert await played(page) == [35]
    await page.touchscreen.tap(*await place(page, 57))
    assert await played(page) == [35, 57]


async def test_small_edges_ask_for_a_second_tap(mount: Mount) -> None:
    page = await mount(LARGE, confirmTaps=True, **PHONE)
    await page.touchscreen.tap(*await place(page, 35))
    name: str = await page.evaluate("test.props.geometry.names[35]")
    button = page.get_by_role("button", name=f"Draw {name}")
    await expect(button).to_be_visible()
    assert await played(page) == []
    await page.touchscreen.tap(*await place(page, 57))
    assert await played(page) == []
    await page.touchscreen.tap(*await place(page, 57))
    assert await played(page) == [57]


async def test_the_button_plays_the_chosen_edge_and_cancel_forgets_it(mount: Mount) -> None:
    page = await mount(LARGE, confirmTaps=True, **PHONE)
    before = await page.locator(".board-face").bounding_box()
    await page.touchscreen.tap(*await place(page, 35))
    assert await page.locator(".board-face").bounding_box() == before
    await page.get_by_role("button", name="Cancel").tap()
    await expect(page.locator(".chosen")).to_have_count(0)
    await page.touchscreen.tap(*await place(page, 57))
    name: str = await page.evaluate("test.props.geometry.names[57]")
    await page.get_by_role("button", name=f"Draw {name}").tap()
    assert await played(page) == [57]


async def test_large_edges_need_no_second_tap(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", confirmTaps=True, **PHONE)
    await page.touchscreen.tap(*await place(page, 2))
    assert await played(page) == [2]
    await expect(page.locator(".board-bar")).to_have_count(0)


async def test_buttons_magnify_the_board_and_a_finger_moves_it(mount: Mount) -> None:
    page = await mount(LARGE, confirmTaps=True, **PHONE)
    before = await place(page, 0)
    more = page.get_by_role("button", name="Magnify the board", exact=True)
    await more.tap()
    await more.tap()
    assert (await place(page, 0))[0] < before[0] - 50
    fingers = await Fingers.on(page)
    middle = await place(page, 55)
    await fingers.down(middle)
    await fingers.move((middle[0] + 400, middle[1] + 400))
    await fingers.up()
    assert await played(page) == []
    x, y = await place(page, 0)
    assert x > 0
    assert y > 0
    # Now the edges are large enough for a single tap.
    await page.touchscreen.tap(x, y)
    assert await played(page) == [0]


async def test_two_fingers_magnify(mount: Mount) -> None:
    page = await mount(LARGE, **PHONE)
    fingers = await Fingers.on(page)
    await fingers.down((150, 150), (200, 200))
    await fingers.move((100, 100), (250, 250))
    await fingers.up()
    await expect(page.get_by_role("button", name="Magnify the board less")).to_be_enabled()
    assert await played(page) == []
    left, right = await place(page, 0), await place(page, 1)
    assert right[0] - left[0] > 44


async def test_the_page_scrolls_beside_the_board(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", **PHONE)
    await page.evaluate("document.body.style.height = '3000px'")
    fingers = await Fingers.on(page)
    await fingers.down((180, 600))
    for y in range(580, 300, -40):
        await fingers.move((180, y))
    await fingers.up()
    await page.wait_for_function("scrollY > 50")


@pytest.mark.parametrize(("ply", "action"), [(0, "none"), (-1, "auto")])
async def test_a_finger_on_the_board_scrolls_only_after_the_game(
    mount: Mount, ply: int, action: str
) -> None:
    page = await mount("dots-and-boxes 2x2", ply, **PHONE)
    await expect(page.locator(".board-face")).to_have_css("touch-action", action)


async def test_no_edge_is_marked_before_a_key_on_a_phone(mount: Mount) -> None:
    # A window of its own, in which nobody has used a finger yet.
    page = await mount("dots-and-boxes 2x2", **PHONE | {"width": 370})
    ring = page.locator(".focuses .focus")
    await page.locator(".board-face").focus()
    assert await page.locator(".board-face:focus-visible").count() == 1
    await expect(ring).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await expect(ring).to_have_count(1)
