"""Tournaments in the browser: live updates, organising, joining and formats."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.pages.company import SMALL, company, tournament_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOSTILE = "<img src=x onerror=alert(1)>"
TINY = SMALL.model_copy(update={"params": {"rows": 1, "cols": 2}})


async def test_a_tournament_updates_itself_and_shows_rounds(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob", "Cy"]) as (ann, bob, cy):
        for player in (ann, bob, cy):
            player.hold()
        found = await tournament_of(ann.client, (ann, bob, cy), name=HOSTILE, settings=TINY)
        page = await visit(f"/tournament/{found}")
        await expect(page.get_by_role("heading", level=1)).to_contain_text(HOSTILE)
        await expect(page.get_by_text("0 of 6 games played")).to_be_visible()
        await expect(page.get_by_role("heading", name="In play")).to_be_visible()
        await expect(page.locator("a.open-game").first).to_have_attribute(
            "href", re.compile("^/room/")
        )
        for player in (ann, bob, cy):
            player.release()
        await expect(page.get_by_text("Over after 6 games")).to_be_visible()
        await expect(page.get_by_text("finished", exact=True)).to_be_visible()
        table = page.get_by_role("table", name="The players by place")
        await expect(table.get_by_role("row")).to_have_count(4)
        await expect(table.get_by_role("row").nth(1)).to_contain_text("4")
        cross = page.get_by_role("table", name=re.compile("^Points of the player in the row"))
        await expect(cross.get_by_text("/ 2")).to_have_count(6)
        games = page.get_by_role("link", name=re.compile("^Review "))
        await expect(games).to_have_count(6)
        await games.first.click()
        await expect(page.locator(".study-line")).to_be_visible()

        # One by the Swiss system has rounds, also on a phone.
        found = await tournament_of(
            ann.client, (ann, bob, cy), format="swiss", rounds=2, settings=TINY
        )
        await page.set_viewport_size({"width": 360, "height": 740})
        await go_to(page, f"/tournament/{found}")
        await expect(page.get_by_role("region", name="Round 2")).to_contain_text("bye")
        await expect(page.get_by_text("Over after 4 games")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") == 360


async def test_organisers_create_start_and_end_tournaments(
    serve: Serve, visit: Visit, axe: Axe
) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        for player in (ann, bob):
            player.hold()
        page = await visit("/tournaments", name="Olga")
        await page.get_by_role("button", name="Create the first one").click()
        form = page.get_by_role("dialog", name="Create a tournament")
        await form.get_by_role("button", name="Create", exact=True).click()
        await expect(form.get_by_text("Write a name of 1 to 64 characters.")).to_be_visible()
        name = form.get_by_label("Name", exact=True)
        await name.press_sequentially("C" * 65)
        await expect(name).to_have_value("C" * 64)
        await expect(form.get_by_text("No more than 64 characters fit.")).to_be_visible()
        await name.fill("Cup & <b>more</b>")
        await form.get_by_label("Format").select_option("swiss")
        await form.get_by_label("Rounds").fill("2")
        await form.get_by_label("Time", exact=True).select_option("custom")
        await form.get_by_label("Time in seconds").fill("120+3")
        assert await axe(page) == []
        await form.get_by_role("button", name="Create", exact=True).click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("Cup & <b>more</b>")
        await expect(page.get_by_text("Dots and Boxes 5 × 5 · Swiss · 2 min + 3 s")).to_be_visible()
        start = page.get_by_role("button", name="Start", exact=True)
        await expect(start).to_be_disabled()
        found = page.url.rpartition("/")[2]
        mine = page.get_by_role("heading", name="You organise this tournament")
        await expect(mine).to_have_text("You organise this tournament")
        await page.get_by_role("button", name="Join").click()
        await expect(mine).to_have_text("You organise this tournament, and play in it")
        await go_to(page, "/tournaments")
        await expect(page.get_by_text("you organise it")).to_be_visible()
        await expect(page.get_by_text("you play here")).to_be_visible()
        await go_to(page, "/tournaments?status=open")  # without a large card
        await expect(page.get_by_text("you organise it")).to_be_visible()
        await expect(page.get_by_text("you play here")).to_be_visible()
        await go_to(page, f"/tournament/{found}")
        await page.get_by_role("button", name="Leave").click()
        await page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await expect(mine).to_have_text("You organise this tournament")
        await ann.client.tournaments.join(found)
        await bob.client.tournaments.join(found)
        await expect(start).to_be_enabled()
        await start.click()
        await expect(page.get_by_role("heading", name="In play")).to_be_visible()
        await page.get_by_role("button", name="Exclude Bob").click()
        aside = page.get_by_role("dialog", name="Exclude Bob?")
        await aside.get_by_label("Reason, which everybody sees").fill("too late")
        await aside.get_by_role("button", name="Exclude").click()
        await expect(page.get_by_text("excluded: too late")).to_be_visible()
        await page.get_by_role("button", name="Take back Bob").click()
        await expect(page.get_by_text("excluded: too late")).to_have_count(0)
        await page.get_by_role("button", name="End it").click()
        await page.get_by_role("dialog").get_by_role("button", name="End it").click()
        await expect(page.get_by_text("ended early", exact=True)).to_be_visible()


async def test_a_visitor_joins_plays_and_leaves(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        found = await tournament_of(ann.client, (ann, bob), start=False, settings=TINY)
        page = await visit(f"/tournament/{found}")
        await page.get_by_role("button", name="Join").click()
        asked = page.get_by_role("dialog", name="What is your name?")
        await asked.get_by_label("Your name").fill("Eve")
        await asked.get_by_role("button", name="Continue").click()
        await expect(page.get_by_text("you play here")).to_be_visible()
        await expect(page.get_by_role("table").get_by_text("(you)")).to_be_visible()
        await page.get_by_role("button", name="Leave").click()
        await page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await page.get_by_role("button", name="Join again").click()
        await expect(page.get_by_text("you play here")).to_be_visible()
        await ann.client.tournaments.start(found)
        # A game of the tournament opens by itself.
        await expect(page).to_have_url(re.compile("/room/"))


async def test_a_game_waits_until_the_match_elsewhere_is_over(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        ann.hold()
        found = await tournament_of(ann.client, (bob,), start=False, settings=TINY)
        page = await visit(f"/tournament/{found}", name="Eve")
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_text("you play here")).to_be_visible()
        room = (await ann.client.create_room(SMALL, seat=0)).room
        await go_to(page, f"/room/{room}")
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_role("button", name="Resign")).to_be_visible()
        await ann.client.tournaments.start(found)
        begins = "Your game in Spring cup begins when the one that you play ends."
        strip = page.locator(".strip-text")
        await expect(strip).to_have_text(begins)
        other = await visit(f"/tournament/{found}", name="Olga")
        row = other.get_by_role("table").get_by_role("row", name="Eve")
        await expect(row).to_contain_text("plays elsewhere")
        await ann.client.resign(room)
        # It does not take the result away from who looks at it.
        await expect(strip).to_have_text("Your game against Bob has begun.")
        await page.get_by_role("button", name="Go there").click()
        await expect(page).not_to_have_url(re.compile(room))


async def test_nothing_jumps_when_somebody_joins_on_a_phone(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        found = await tournament_of(
            ann.client, (ann, bob), name="Sunday cup", start=False, settings=TINY
        )
        page = await visit(f"/tournament/{found}", name="Eve", width=360, height=640)
        join = page.get_by_role("button", name="Join")
        await expect(join).to_be_visible()
        # A browser forgives what moves within half a second of a tap; a slow server takes longer.
        await page.evaluate(
            """() => {
                window.shifted = 0;
                new PerformanceObserver((list) => {
                    for (const each of list.getEntries()) window.shifted += each.value;
                }).observe({ type: "layout-shift" });
            }"""
        )
        await join.click()
        await expect(page.get_by_role("table").get_by_text("(you)")).to_be_visible()
        assert await page.evaluate("window.shifted") < 0.05


async def test_a_knockout_has_a_bracket(serve: Serve, visit: Visit, axe: Axe) -> None:
    names = [
        "Ann",
        "B",
        "Somebody with a long name",
        "Dora",
        "Eve",
    ]
    async with company(serve().url, names) as players:
        found = await tournament_of(
            players[0].client, players, format="knockout", name="Night", settings=TINY
        )
        state = players[0].client.tournaments
        async with company(serve.latest.url, ["Fay"]):
            page = await visit(f"/tournament/{found}")
            await expect(page.get_by_role("heading", name="Final", exact=True)).to_be_visible()
            await expect(page.get_by_text("finished", exact=True)).to_be_visible()
        winner = (await state.get(found)).entrants[0].player
        last = page.locator(".bracket-round").last
        await expect(last.locator(".match-line.onward")).to_contain_text(winner)
        await expect(page.locator(".bracket-round")).to_have_count(3)
        assert await axe(page) == []


async def test_tournaments_are_filtered_by_the_address(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        await tournament_of(ann.client, (ann, bob), start=False, name="Open one")
        done = await tournament_of(bob.client, (ann, bob), name="Old one", settings=TINY)
        # One feed, which keeps what comes while the state is on its way.
        state, feed = bob.client.tournaments, bob.client.updates()
        while (await state.get(done)).status != "finished":
            await anext(feed)
        page = await visit("/tournaments", dark=True)
        lines = page.get_by_role("list", name="Tournaments").get_by_role("listitem")
        # The one that begins next is large, with its players and the way in; the others follow.
        large = page.get_by_role("region", name="Open one")
        await expect(large).to_contain_text("2 players: Ann, Bob")
        await expect(large.locator(".board")).to_be_visible()
        await expect(large.get_by_role("button", name="Join")).to_be_visible()
        await expect(lines).to_have_text([re.compile("Old one")])
        await page.get_by_role("button", name="Filter").click()
        await page.get_by_role("radio", name="Finished").click()
        await expect(lines).to_have_count(1)
        await expect(lines).to_contain_text("Old one")
        await expect(page).to_have_url(re.compile("status=finished"))
        await expect(page.get_by_role("button", name="Filter")).to_be_focused()
        await page.get_by_role("button", name="Filter").click()
        await page.get_by_label("Format").select_option("swiss")
        await expect(page.get_by_text("No tournament fits.")).to_be_visible()
        await go_to(page, "/tournaments?owner=Ann")
        await expect(lines).to_have_count(1)
        await expect(lines).to_contain_text("Open one")
