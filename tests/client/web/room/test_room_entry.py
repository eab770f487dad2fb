"""Open rooms by their links: full, private, missing, watched and one's own."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from playwright.async_api import expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.room.table import Opponent, hosting, join, status

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_private_room_asks_for_its_code(serve: Serve, visit: Visit) -> None:
    async with hosting(serve()) as bob:
        page = await visit(f"/room/{bob.room}#nonsense", name="Ann")
        await expect(page.get_by_text("This code is wrong.")).to_be_visible()
        await go_to(page, f"/room/{bob.room}")
        await expect(page.get_by_role("heading", name="This room is private")).to_be_visible()
        await expect(page.get_by_text("This code is wrong.")).to_have_count(0)
        # The whole link opens the same tab, and the way to the content keeps the code in it.
        await page.evaluate("path => { location.href = path; }", bob.path)
        await expect(page.get_by_role("button", name="Join as Ann")).to_be_visible()
        address = page.url
        await page.get_by_role("link", name="To the content").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#main")).to_be_focused()
        assert page.url == address
        await go_to(page, "/rules")
        await go_to(page, f"/room/{bob.room}")
        await page.get_by_label("Code").fill("wrong")
        await page.get_by_role("button", name="Open the room").click()
        await expect(page.get_by_text("This code is wrong.")).to_be_visible()
        await page.get_by_label("Code").fill(bob.code or "")
        await page.get_by_role("button", name="Open the room").click()
        await join(page)
        await bob.sees(lambda room: room.status == "playing")


async def test_a_stranger_sees_what_is_played_and_watches_a_full_room(
    serve: Serve, visit: Visit
) -> None:
    async with hosting(serve(), private=False) as bob:
        page = await visit(bob.path)
        await expect(page.get_by_role("heading", name="Bob waits for an opponent")).to_be_visible()
        await expect(page.get_by_text("Dots and Boxes 2 × 2")).to_be_visible()
        ann = await visit(bob.path, name="Ann")
        await expect(ann.get_by_role("heading", name="Bob waits for an opponent")).to_be_visible()
        assert bob.mirror.status == "waiting"
        await join(ann)
        await bob.sees(lambda room: room.status == "playing")
        await page.reload()
        await expect(page.get_by_role("heading", name="Ann against Bob")).to_be_visible()
        await expect(page.get_by_text("both seats are taken")).to_be_visible()
        page = await visit(bob.path, name="Eve")
        await expect(page.get_by_text("you are watching")).to_be_visible()
        await expect(status(page)).to_have_text("Ann is to move.")
        await expect(page.get_by_role("button", name="Resign")).to_have_count(0)
        await page.get_by_role("button", name="Stop watching").click()
        await expect(page).to_have_url(bob.client.url.replace("ws", "http", 1).rstrip("/") + "/")


async def test_a_spectator_pauses_steps_and_replays(
    serve: Serve, visit: Visit, axe: Axe, shot: Any
) -> None:
    server = serve()
    async with (
        hosting(server, private=False) as bob,
        Client(server.url, Login("human", name="Ann", takebacks=True), rng=Random(2)) as client,
    ):
        ann = Opponent(client, await client.join(bob.room))
        page = await visit(bob.path, name="Eve", width=360, height=740, touch=True)
        await expect(page.get_by_text("you are watching")).to_be_visible()
        drawn, line = page.locator(".room-turns .room-move:not(.start)"), status(page)
        await ann.play()
        await expect(line).to_have_text("Bob is to move.")
        await page.keyboard.press(" ")
        await bob.play()
        await expect(line).to_contain_text("Move 1 of 2 · 1 move behind")
        await page.keyboard.press("Home")
        await expect(line).to_contain_text("The start · 2 moves behind")
        await page.get_by_label("Speed").select_option("0.5 s a move")
        assert await axe(page) == []
        await shot(page, "watching-360")
        await page.get_by_role("button", name="Play").click()
        await expect(line).to_have_text("Ann is to move.")
        await expect(drawn).to_have_count(2)
        await page.get_by_role("button", name="Pause").click()
        await asyncio.gather(ann.play_on(), bob.play_on())
        await expect(line).to_contain_text("10 moves behind")
        await expect(page.get_by_role("region", name="Result")).to_have_count(0)
        await page.get_by_role("button", name="Live").click()
        await expect(page.get_by_role("region", name="Result")).to_contain_text("Draw 2 : 2")
        await expect(page.get_by_label("Speed")).to_have_value("")
        names = page.locator(".board .rim text")
        await expect(names).to_have_text([*"abcde", *"12345"])
        await page.get_by_role("button", name="Settings", exact=True).click()
        await page.get_by_role("switch", name="Letters and numbers beside boards").click()
        await page.keyboard.press("Escape")
        await expect(names).to_have_count(0)
        await shot(page, "watched-360")


async def test_a_room_that_closes_says_so(serve: Serve, visit: Visit) -> None:
    async with hosting(serve(), private=False) as bob:
        page = await visit(bob.path, name="Ann")
        await page.get_by_role("button", name="Watch").click()
        await expect(page.get_by_text("The board appears")).to_be_visible()
        await bob.client.leave(bob.room)
        await expect(page.get_by_role("heading", name="This room is closed")).to_be_visible()
