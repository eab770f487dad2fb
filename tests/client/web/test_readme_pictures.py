"""Make the README's pictures of the page: `make pictures` runs this with docs/images as folder."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.bots.running import until
from tests.client.tk.test_readme_pictures import GAME
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.pages.company import Player, company
from tests.client.web.room.table import click, place

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

Shot = Callable[[Page, str], Awaitable[Path]]

FIVE = MatchSettings(
    game="dots-and-boxes", params={"rows": 5, "cols": 5}, time=TimeControl.parse("300+3")
)
BOARD = make_game(FIVE.game, FIVE.params)
MOVES = [BOARD.parse_action(name) for name in GAME.split()]
CHAINS = GAME[: GAME.index(" i8 ")].split()
"""The moves until one chain is being taken and others are left."""
SMALL_BYTES = 120_000


async def draw(page: Page, other: Page, action: int) -> None:
    """Play an action on a page, by a tap where there is a touch screen, and wait for both pages."""
    if await page.evaluate("matchMedia('(pointer: coarse)').matches"):
        await page.touchscreen.tap(*await place(page, BOARD, action))
    else:
        await click(page, BOARD, action)
    for each in (page, other):
        marked = each.locator('.room-move[aria-current="step"]')
        await expect(marked).to_have_text(BOARD.action_name(action))
        await expect(each.locator(".board-pending")).to_have_count(0)


@pytest.mark.slow
async def test_two_people_play_by_a_link(serve: Serve, visit: Visit, shot: Shot) -> None:
    server = serve()
    wide = await visit("/", name="Ann", width=1200, height=750)
    await wide.get_by_role("button", name="Invite a friend").click()
    form = wide.get_by_role("dialog", name="Invite a friend")
    await form.get_by_role("radio", name="Me").check()
    await form.get_by_role("button", name="Get the link").click()
    await expect(wide).to_have_url(re.compile("/room/.+#.+"))
    phone = await visit(
        wide.url, server=server, name="Bob", width=360, height=750, touch=True, dark=True
    )
    await phone.get_by_role("button", name="Join as Bob").click()
    await expect(wide.locator(".board-svg")).to_be_visible()
    await expect(phone.locator(".board-svg")).to_be_visible()
    state = BOARD.initial_state()
    for action in MOVES[: len(CHAINS)]:
        pages = (wide, phone) if state.current_player() == 0 else (phone, wide)
        await draw(*pages, action)
        state.apply(action)
    await wide.get_by_role("switch", name="Chains and loops").check()
    await expect(wide.locator(".board-legend")).to_be_visible()
    await wide.mouse.move(2, 740)
    assert (await shot(wide, "browser")).stat().st_size < SMALL_BYTES
    assert (await shot(phone, "phone")).stat().st_size < SMALL_BYTES


async def play(players: dict[int, Player], room: str) -> str:
    """Let two players play the whole game in a room; return its id."""
    state = BOARD.initial_state()
    mirrors = [player.client.session.rooms[room] for player in players.values()]
    for ply, action in enumerate(MOVES, 1):
        await until(lambda: all(mirror.status == "playing" for mirror in mirrors))
        await players[state.current_player()].client.move(room, action)
        state.apply(action)
        await until(lambda ply=ply: all(mirror.state.ply >= ply for mirror in mirrors))  # type: ignore[misc]
    await until(lambda: mirrors[0].result is not None)
    assert mirrors[0].result is not None
    return mirrors[0].result.game_id


async def test_its_review(serve: Serve, visit: Visit, shot: Shot) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        ann.hold()
        bob.hold()
        made = await ann.client.create_room(FIVE, seat=0)
        await bob.client.join(made.room)
        game = await play({0: ann, 1: bob}, made.room)
    page = await visit(f"/game/{game}#{len(MOVES) - 12}", width=1200, height=750)
    await expect(page.locator(".plot canvas")).to_be_visible()
    await expect(page.locator(".study-line")).to_contain_text(f"{len(MOVES) - 12} of")
    assert (await shot(page, "browser-review")).stat().st_size < SMALL_BYTES
