"""Begin matches in the lobby and play them: against a bot, through a shared link, in a hot seat."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from doublecross.games.api import Game, State
from doublecross.games.registry import make_game
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.lobby.test_lobby import choose_side
from tests.client.web.room.table import click, status

Shot = Callable[[Page, str], Awaitable[Path]]

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
HINT = re.compile(
    r"^(.* )?[a-e][1-5] .*\. "
    r"((You|Ann|Bob) (win|lose|should)s? .*|It ends in a draw|The game is about even)\.$"
)
"""A hint with a reason."""


async def position(page: Page, game: Game) -> State:
    """Return the position by the list of moves on the page."""
    names = await page.locator(".room-turns .room-move:not(.start)").all_inner_texts()
    state = game.initial_state()
    for name in names:
        state.apply(game.parse_action(name.strip()))
    return state


async def choose_small_board(page: Page) -> None:
    """Choose 2x2 in the form of a match."""
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Rows").fill("2")
    await dialog.get_by_label("Columns").fill("2")


async def test_a_visitor_plays_a_whole_game_against_a_bot(
    serve: Serve, visit: Visit, shot: Shot
) -> None:
    serve("easy")
    page = await visit("/", name="Ann")
    await choose_side(page, 2)
    await page.get_by_role("button", name=re.compile("^easy")).click()
    await expect(page.locator(".room-board")).to_be_visible()
    over = page.get_by_role("region", name="Result")
    ours = page.get_by_text(re.compile(r"^Your turn( again)?\.$"))
    await expect(ours).to_be_visible()
    await page.get_by_role("button", name="Hint").click()
    await expect(status(page)).to_have_text(HINT)
    await expect(page.locator(".room-board .hint-edge")).to_have_count(1)
    played = page.locator(".room-turns .room-move:not(.start)")
    count = await played.count()
    state = await position(page, SMALL)
    await click(page, SMALL, state.legal_actions()[0])
    await expect(played.nth(count)).to_be_visible()
    await expect(page.locator(".room-board .hint-edge")).to_have_count(0)
    while True:
        await expect(ours.or_(over)).to_be_visible()
        if await over.is_visible():
            break
        count = await played.count()
        state = await position(page, SMALL)
        await click(page, SMALL, state.legal_actions()[0])
        await expect(played.nth(count)).to_be_visible()
    await expect(over).to_contain_text("played to the end")
    assert (await position(page, SMALL)).is_terminal()
    score = re.compile(r"^Your score against easy: [01] won, (1 drawn, )?[01] lost\.")
    await expect(page.get_by_text(score)).to_be_visible()
    await shot(page, "room-after-easy")
    await page.get_by_role("button", name="Rematch").click()
    await expect(over).to_have_count(0)
    await expect(page.get_by_text(score)).to_have_count(0)
    await go_to(page, "/")
    await expect(page.get_by_role("region", name="Play now").get_by_text(score)).to_be_visible()
    await shot(page, "lobby-after-easy")


async def test_two_browsers_meet_through_a_shared_private_link(serve: Serve, visit: Visit) -> None:
    serve()
    ann = await visit("/", name="Ann")
    await ann.get_by_role("button", name="Invite a friend").click()
    await choose_small_board(ann)
    await ann.get_by_role("dialog").locator("button[type=submit]").click()
    await expect(ann.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()
    await expect(ann.get_by_role("img", name="QR code of the link")).to_be_visible()
    await expect(ann).to_have_url(re.compile(r"/room/[^/#]+#.+$"))
    await expect(ann.get_by_text("works on this computer only")).to_be_visible()
    link = await ann.get_by_role("textbox", name="Link").input_value()
    bob = await visit(link)
    invited = "Ann invites you to a match"
    await expect(bob.get_by_role("heading", level=1)).to_have_text(invited)
    await bob.get_by_label("Your name").fill("Bob")
    await bob.get_by_label("Your name").press("Enter")
    await expect(status(bob)).to_contain_text(re.compile("Your turn|Ann is to move"))
    for turn in range(4):
        first = "Your turn" in await status(ann).inner_text()
        mover, other = (ann, bob) if first else (bob, ann)
        await click(mover, SMALL, turn)
        await expect(status(mover)).to_contain_text("is to move")
        await expect(status(other)).to_contain_text("Your turn")


async def test_two_people_share_one_screen_and_a_reload_keeps_both(
    serve: Serve, visit: Visit
) -> None:
    serve()
    page = await visit("/", name="Ann")
    await page.get_by_role("button", name="Two at one screen").click()
    await page.get_by_label("Who plays against Ann?").fill("Bob")
    await choose_small_board(page)
    await page.get_by_role("dialog").get_by_role("button", name="Play").click()
    await expect(page.locator(".room-board")).to_be_visible()
    await expect(page.get_by_role("region", name="Messages")).not_to_contain_text("has begun")
    turn = page.get_by_text(re.compile(r"^(Ann|Bob), it is your turn( again)?\."))
    for action in range(3):
        await expect(turn).to_be_visible()
        before = await turn.inner_text()
        await click(page, SMALL, action)
        await expect(turn).not_to_have_text(before)
    await page.get_by_role("button", name="Hint").click()
    await expect(status(page)).to_have_text(HINT)
    await page.reload()
    for action in range(3, 12):
        await expect(turn).to_be_visible()
        await click(page, SMALL, action)
        await expect(page.locator(".room-turns .room-move:not(.start)").nth(action)).to_be_visible()
    result = page.get_by_role("region", name="Result")
    await expect(result).to_contain_text("played to the end")
    await page.get_by_role("button", name="Rematch").click()
    await expect(turn).to_be_visible()
