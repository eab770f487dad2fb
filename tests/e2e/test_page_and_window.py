"""A browser and the window play a rated match, and a third person watches on a phone."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, expect

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.playing import Open
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.room.table import click, status

pytestmark = pytest.mark.timeout(150)

GAME = DotsAndBoxes({"rows": 2, "cols": 2})


async def invitation(page: Page) -> tuple[str, str]:
    """Create a private room for a rated match on the page of the lobby; return its id and code."""
    await page.get_by_role("button", name="Invite a friend").click()
    dialog = page.get_by_role("dialog", name="Invite a friend")
    await dialog.get_by_label("Rows of boxes").fill("2")
    await dialog.get_by_label("Columns of boxes").fill("2")
    await dialog.get_by_role("radio", name="Me").check()
    await dialog.get_by_role("switch", name="Rated").check()
    await dialog.get_by_role("button", name="Get the link").click()
    await page.wait_for_url("**/room/*")
    parts = urlsplit(page.url)
    return parts.path.rpartition("/")[2], parts.fragment


async def test_a_browser_plays_the_window_while_a_phone_watches(
    visit: Visit, serve: Serve, program: Open, ui: Ui
) -> None:
    server = serve()
    ann = await visit("/", name="Ann")
    room, code = await invitation(ann)
    bob = program(server.url, "Bob")
    bob.at("lobby")
    bob.press("Join by code ...")
    bob.write("room", room)
    bob.write("code", code)
    bob.press("Join")
    bob.playing()
    zoe = await visit(f"/room/{room}#{code}", name="Zoe", width=360, height=740, touch=True)
    await expect(zoe.get_by_role("article", name="Bob")).to_be_visible()
    await expect(status(ann)).to_contain_text("Your turn.")

    state = GAME.initial_state()
    while not state.is_terminal():
        # The last legal edge first completes boxes late, so both players capture some.
        action = state.legal_actions()[-1]
        if state.current_player() == 0:
            await expect(status(ann)).to_contain_text("our turn")
            await click(ann, GAME, action)
        else:
            assert bob.my_move()
            bob.click(action)
        state.apply(action)
        ply = state.ply
        ui.pump(lambda ply=ply: bob.model.position.total == ply, what=f"move {ply}")

    first, second = state.scores()
    assert first + second == 4
    headline = "Draw" if first == second else f"{'Ann' if first > second else 'Bob'} won"
    told = "Draw" if first == second else "You lost" if first > second else "You won"
    ui.see(f"{told} {second} : {first}")
    result = zoe.get_by_role("region", name="Result")
    await expect(result).to_contain_text(headline)
    for page in (ann, zoe):
        await expect(page.get_by_role("region", name="Result")).to_contain_text(
            f"{first} : {second}"
        )
    assert tuple(bob.model.position.board.state.scores()) == (first, second)
    for page in (ann, zoe):
        for seat, boxes in enumerate((first, second)):
            await expect(page.locator(f".room-board .piece.owned.seat{seat}")).to_have_count(boxes)
    rating = re.compile(r"^Your first rating: \d{3,4}\?\.$")
    await expect(ann.get_by_role("status").filter(has_text=rating)).to_be_visible()
    await expect(zoe.get_by_text("first rating")).to_have_count(0)
    # The line takes its place from the list of moves, which still shows the last one.
    last = ann.locator(".room-turns [aria-current=step]")
    await expect(last).to_be_in_viewport(ratio=1)
