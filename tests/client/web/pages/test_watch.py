"""Live games in the browser: the wall of boards, and its form for a big screen."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from doublecross.protocol.common import MatchSettings
from tests.bots.running import until
from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of
from tests.client.web.pages.company import SMALL, Player, company, tournament_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

TINY = SMALL.model_copy(update={"params": {"rows": 1, "cols": 2}})


async def test_the_wall_shows_live_boards(serve: Serve, visit: Visit) -> None:
    server = serve()
    async with company(server.url, ["Ann", "Bob", "Cy", "Dora"]) as players:
        for player in players:
            player.hold()
        found = await tournament_of(players[0].client, players, name="Wall")
        page = await visit(f"/watch?tournament={found}")
        tiles = page.locator(".tile-link")
        await expect(tiles).to_have_count(2)
        await expect(page.get_by_text("2 games in play")).to_be_visible()
        await expect(tiles.first.locator("svg.board-svg")).to_be_visible()
        drawn = tiles.first.locator("svg path")
        before = await drawn.evaluate_all("all => all.map(one => one.getAttribute('d')).join()")
        for player in players:
            player.release()
        await expect(page.locator(".tile-link.over")).not_to_have_count(0)
        after = await drawn.evaluate_all("all => all.map(one => one.getAttribute('d')).join()")
        assert after != before
        for player in players:
            player.hold()


@asynccontextmanager
async def a_game(
    url: str, settings: MatchSettings = SMALL
) -> AsyncIterator[tuple[Player, Player, str]]:
    """Let Ann and Bob begin a game without a move; yield both, and the id of their room."""
    async with company(url, ["Ann", "Bob"]) as (ann, bob):
        ann.hold()
        bob.hold()
        made = await ann.client.create_room(settings, seat=0)
        await bob.client.join(made.room)
        yield ann, bob, made.room


async def test_the_wall_follows_rooms_that_are_there_while_it_is_open(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(GONE)
    server = serve()
    async with a_game(server.url) as (ann, _, room):
        mirror = ann.client.session.rooms[room]
        page = await visit("/watch")
        await until(lambda: mirror.presence.spectators == 1)
        await page.get_by_role("link", name="Rules").first.click()
        await until(lambda: mirror.presence.spectators == 0)
        await page.go_back()
        await until(lambda: mirror.presence.spectators == 1)
        await page.locator(".tile-link").click()
        await expect(page).to_have_url(re.compile(f"/room/{room}$"))
        await expect(page.get_by_text("you are watching")).to_be_visible()
        assert mirror.presence.spectators == 1

        # A room that is closed has no empty place.
        listed = await (await page.request.get(address_of(server, "/api/rooms"))).json()
        listed["rooms"].insert(0, {**listed["rooms"][0], "room": "closed"})
        await page.route("**/api/rooms", lambda route: route.fulfill(json=listed))
        await page.get_by_role("link", name="Watch").first.click()
        await expect(page.locator(".tile-link")).to_have_count(1)
        await expect(page.locator(".tile")).to_have_count(1)
        await page.unroute("**/api/rooms")

    # That the connection is lost is said once.
    server.kill()
    await expect(page.locator(".strip")).to_contain_text("Trying again")
    async with page.expect_event("requestfailed"):
        await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    await page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done)))")
    assert await page.locator(".stale").count() == 0
    await expect(page.locator(".tile-link")).to_have_count(1)


async def test_the_wall_says_how_a_game_ended(serve: Serve, visit: Visit) -> None:
    async with a_game(serve().url, TINY) as (ann, bob, room):
        page = await visit("/watch")
        await expect(page.locator(".tile-link")).to_have_count(1)
        seats = [each.client.session.rooms[room] for each in (ann, bob)]
        await until(lambda: seats[0].presence.spectators == 1)
        for seat, action in ((0, 0), (1, 2), (0, 4), (1, 1), (0, 5), (0, 3), (1, 6)):
            await until(lambda seat=seat: seats[seat].my_turn)  # type: ignore[misc]
            await (ann, bob)[seat].client.move(room, action)
        await expect(page.locator(".tile-ending")).to_have_text("draw")
        made = await ann.client.create_room(SMALL, seat=0)
        await bob.client.join(made.room)
        second = page.locator(".tile").filter(has_text="2 × 2")
        await expect(second).to_have_count(1)
        await bob.client.resign(made.room)
        await expect(second.locator(".tile-ending")).to_have_text("Ann won")


async def test_a_big_screen_goes_on_to_the_next_game_and_escape_leaves_it(
    serve: Serve, visit: Visit, axe: Axe
) -> None:
    async with a_game(serve().url) as (ann, bob, room):
        seats = [each.client.session.rooms[room] for each in (ann, bob)]
        for seat, action in ((0, 0), (1, 2)):
            await until(lambda seat=seat: seats[seat].my_turn)  # type: ignore[misc]
            await (ann, bob)[seat].client.move(room, action)
        page = await visit("/watch/tv")
        # A spectator who comes late sees who drew what.
        for seat in (0, 1):
            await expect(page.locator(f".tv-board .edge.drawn.seat{seat}")).to_have_count(1)
        await expect(page.locator(".head")).to_be_hidden()
        assert await axe(page) == []
        made = await bob.client.create_room(TINY, seat=0)
        await ann.client.join(made.room)
        await expect(page.locator(".tv-other")).to_have_count(1)
        await bob.client.resign(room)
        await expect(page.locator(".tv-players .tile-ending")).to_have_text("Ann won")
        await expect(page.locator(".tv-about")).to_contain_text("1 × 2", timeout=20_000)
        await page.keyboard.press("Escape")
        await expect(page).to_have_url(re.compile("/watch$"))
        await expect(page.locator(".head")).to_be_visible()
