"""Start matches from the lobby: first visit, bots, quick matches, challenges, rooms and codes."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.async_api import Page, expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo, MatchSettings, TimeControl, TournamentTerms
from tests.bots.running import until
from tests.client.tk.harness.serving import RealServer
from tests.client.web.harness.fixtures import Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOM = re.compile(r"/room/[A-Za-z0-9_-]+(#.+)?$")
SMALL = MatchSettings(game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl())
GAP_IN_THE_HEAD = """() => {
  const [links, end] = [".nav", ".head-end"].map((part) => document.querySelector(part));
  return end.getBoundingClientRect().left - links.getBoundingClientRect().right;
}"""


def connect(server: RealServer, name: str) -> Client:
    """Return a person with the Python client."""
    return Client(server.url, Login("human", name=name), rng=Random(1))


async def in_lobby(page: Page) -> None:
    """Wait until the lobby lists its players."""
    await expect(page.get_by_text(re.compile(r"^\d+ players?, "))).to_be_visible()


async def take_name(page: Page) -> None:
    """Let a visitor go to the lobby under the name that the page offers."""
    await page.get_by_role("button", name="Play a friend").click()
    await page.get_by_label("Your name", exact=True).press("Enter")
    await expect(page.get_by_role("dialog", name="Invite a friend")).to_be_visible()
    await page.keyboard.press("Escape")


async def choose_side(page: Page, side: int) -> None:
    """Choose a square board for quick matches and games against bots."""
    await page.get_by_role("button", name="Change what you play").click()
    dialog = page.get_by_role("dialog", name="What do you play?")
    await dialog.get_by_label("Rows of boxes").fill(str(side))
    await dialog.get_by_label("Columns of boxes").fill(str(side))
    await dialog.get_by_role("button", name="Save").click()


async def colour(page: Page, name: str) -> str:
    """Return the value of a colour of the page's style."""
    found: str = await page.evaluate(
        "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()", name
    )
    return found


async def draw_first_edge(page: Page) -> None:
    """Draw an edge of the board that a visitor finds."""
    edge = page.locator(".board .edges line").nth(10)
    await edge.wait_for(state="attached")
    place = await edge.evaluate(
        "(line) => { const box = line.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    await page.mouse.click(*place)


async def test_a_visitor_plays_at_once_and_chooses_a_name_for_people(
    serve: Serve, visit: Visit
) -> None:
    server = serve("easy")
    page = await visit("/", width=360, height=640)
    await expect(page.get_by_text("You begin. Draw an edge.")).to_be_visible()
    await draw_first_edge(page)
    await expect(page).to_have_url(ROOM)
    await expect(page.locator(".board .edges line.seat0")).to_have_count(1)
    await expect(page.get_by_text(re.compile("^Your turn"))).to_be_visible()
    async with connect(server, "Bob") as bob:
        await page.get_by_role("link", name="Doublecross, to the lobby").click()
        await in_lobby(page)
        await page.get_by_role("button", name="Quick match", exact=True).click()
        field = page.get_by_role("dialog", name="What is your name?").get_by_label(
            "Your name", exact=True
        )
        await expect(field).to_have_value(re.compile(r"Guest \d{4}"))
        name = await field.input_value()
        await page.keyboard.press("Escape")
        await expect(page.locator(".strip")).to_contain_text("You have chosen no name")
        assert not bob.session.lobby or not bob.session.lobby.seeks
        await page.get_by_role("button", name="Quick match", exact=True).click()
        await field.press("Enter")
        await expect(page.get_by_role("list", name="Your open offers")).to_be_visible()
        await page.get_by_role("button", name="Settings", exact=True).click()
        await expect(page.get_by_role("dialog")).to_contain_text(f"You are {name}")


async def test_a_visitor_without_a_bot_plays_at_this_screen(serve: Serve, visit: Visit) -> None:
    serve()
    page = await visit("/")
    await draw_first_edge(page)
    await expect(page.get_by_text("No bot is here right now.")).to_be_visible()
    await page.get_by_role("button", name="Two at one screen").click()
    await expect(page).to_have_url(ROOM)


async def test_the_best_live_game_is_shown_and_leads_to_its_room(
    serve: Serve, visit: Visit
) -> None:
    server = serve()
    async with connect(server, "Ann") as ann, connect(server, "Bob") as bob:
        room = (await ann.create_room(SMALL, seat=0)).room
        await bob.join(room)
        visitor, page = await visit("/"), await visit("/", name="Cleo")
        for shown in (
            visitor.get_by_role("region", name="Being played now").get_by_role("link"),
            page.get_by_role("region", name="Best game").get_by_role("link"),
        ):
            await expect(shown).to_contain_text("Ann")
            await expect(shown).to_contain_text("Bob")
        await until(lambda: bob.session.rooms[room].status == "playing")
        await ann.move(room, 0)
        for each in (visitor, page):
            await expect(each.locator(".board-link .edge.drawn.seat0")).to_be_attached()
        await visitor.get_by_role("region", name="Being played now").get_by_role("link").click()
        await expect(visitor).to_have_url(re.compile(f"/room/{room}$"))
        await page.get_by_role("region", name="Best game").get_by_role("link").click()
        await expect(page.get_by_role("button", name="Stop watching")).to_be_visible()
        await page.go_back()
        await in_lobby(page)
        await expect(page.locator(".board-link .edge.drawn.seat0")).to_be_attached()


async def test_a_visitor_chooses_a_name_and_takes_another(serve: Serve, visit: Visit) -> None:
    async with connect(serve(), "Ann"):
        page = await visit("/")
        await page.get_by_role("button", name="Play a friend").click()
        field = page.get_by_label("Your name", exact=True)
        await expect(field).to_be_focused()
        await expect(field).to_have_value(re.compile(r"Guest \d{4}"))
        await field.fill("<b>Ann</b>")
        await field.press("Enter")
        await expect(page.get_by_text("A name has letters and digits")).to_be_visible()
        await field.fill("ann")
        await field.press("Enter")
        await expect(page.get_by_text("The name ann is taken; choose another.")).to_be_visible()
        await expect(field).to_have_value("ann")
        await field.fill("Bea")
        await field.press("Enter")
        await expect(page.get_by_role("dialog", name="Invite a friend")).to_be_visible()
        await page.keyboard.press("Escape")
        await in_lobby(page)
        await page.get_by_role("button", name="You are Bea").click()
        await page.get_by_role("button", name="Use another name").click()
        field = page.get_by_label("New name")
        await field.fill("Ann")
        await field.press("Enter")
        await expect(page.get_by_text("The name Ann is taken")).to_be_visible()
        await field.fill("Cleo")
        await field.press("Enter")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(page.locator(".me")).to_have_text("Cleo")
        await expect(page.get_by_role("list", name="Players")).to_contain_text("Cleo (you)")
        await page.reload()
        await in_lobby(page)
        await expect(page.locator(".me")).to_have_text("Cleo")


async def test_a_visitor_plays_a_level_in_one_click(serve: Serve, visit: Visit) -> None:
    server = serve("easy", "medium")
    page = await visit(
        "/", name="AnnabellaMarieLouise", storage={"doublecross.bot": '{"level": "medium"}'}
    )
    # While nobody else is here, a quick match is one against the usual level.
    about = page.get_by_text("Nobody else here: you play Medium.")
    await expect(about).to_be_visible()
    async with connect(server, "Bob"):
        await expect(about).to_be_hidden()
    await expect(about).to_be_visible()
    await page.get_by_role("button", name="Quick match", exact=True).click()
    await expect(page).to_have_url(ROOM)
    await expect(page.get_by_text("no clock · casual")).to_be_visible()
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("group", name="Resign").get_by_role("button", name="Resign").click()
    await page.get_by_role("link", name="Play", exact=True).click()
    await choose_side(page, 3)
    await page.get_by_role("button", name=re.compile("^medium")).click()
    await expect(page).to_have_url(ROOM)
    await expect(page.get_by_role("heading", name="Dots and Boxes 3 × 3")).to_be_visible()
    await page.go_back()
    await in_lobby(page)
    await expect(page.locator(".quick-about")).to_contain_text("Dots and Boxes 3 × 3 · no clock")
    await expect(page.get_by_role("region", name="Your game")).to_contain_text("medium")
    await expect(page.get_by_role("region", name="Your game")).to_contain_text("Continue your game")
    there = page.get_by_role("link", name="Your match against medium")
    await expect(there).to_be_visible()
    assert await page.evaluate(GAP_IN_THE_HEAD) >= 0
    await there.click()
    await expect(page).to_have_url(ROOM)


async def test_an_own_offer_is_cancelled_and_another_is_accepted(
    serve: Serve, visit: Visit
) -> None:
    serve()
    ann, bob = await visit("/", name="Ann"), await visit("/", name="Bob")
    await in_lobby(ann)
    await ann.get_by_role("button", name="Quick match", exact=True).click()
    # Below the button, where a person on a phone sees it without scrolling.
    own = ann.get_by_role("region", name="Play now").get_by_role("list", name="Your open offers")
    await expect(own).to_be_visible()
    quick = ann.get_by_role("button", name="Quick match", exact=True)
    await quick.click()
    await expect(ann.locator(".strip")).to_contain_text("already offered this match")
    # It covers the link and would stay for seconds.
    await ann.get_by_role("button", name="Close this message").click()
    await ann.get_by_role("navigation", name="Pages").get_by_role("link", name="Rules").click()
    await ann.get_by_role("link", name="1 open offer").click()
    await ann.get_by_role("button", name=re.compile("^Cancel: Waiting")).click()
    await expect(own).to_have_count(0)
    # Otherwise Bob may accept the offer that has just been cancelled.
    await expect(bob.get_by_role("list", name="Offers of others")).to_have_count(0)
    await quick.click()
    await expect(own).to_contain_text("Waiting for an opponent: Dots and Boxes 5 × 5 · 5 min + 3 s")
    await expect(bob.get_by_role("list", name="Offers of others")).to_contain_text("Ann")
    await bob.get_by_role("button", name="Accept the offer of Ann").click()
    await expect(bob).to_have_url(ROOM)
    await expect(ann).to_have_url(ROOM)
    assert ann.url == bob.url


async def test_a_challenge_is_declined_and_accepted(serve: Serve, visit: Visit) -> None:
    async with connect(serve(), "Bob") as bob:
        page = await visit("/", name="Ann")
        await page.get_by_role("button", name="Challenge Bob").click()
        await page.get_by_label("Rows of boxes").fill("2")
        await page.get_by_label("Time").select_option("unlimited")
        dialog = page.get_by_role("dialog", name="Challenge Bob")
        await dialog.get_by_role("button", name="Challenge").click()
        await expect(dialog).to_have_count(0)
        own = page.get_by_role("list", name="Your open offers")
        await expect(own).to_contain_text("Waiting for Bob to answer: Dots and Boxes 2 × 5")
        await until(lambda: bool(bob.session.challenges))
        (first,) = bob.session.challenges
        await bob.offers.decline_challenge(first, word="too_slow")
        await expect(page.locator(".strip")).to_contain_text(
            "Bob declined your challenge. The clock is too slow for me."
        )
        await expect(own).to_have_count(0)
        await page.get_by_role("button", name="Ask again").click()
        await expect(dialog.get_by_label("Rows of boxes")).to_have_value("2")
        await page.keyboard.press("Escape")

        await bob.offers.challenge("Ann", SMALL)
        await expect(page.locator(".strip")).to_contain_text(
            "Bob challenges you: Dots and Boxes 2 × 2 · no clock · casual"
        )
        spoken = page.get_by_role("region", name="Messages").locator("[aria-live=polite]")
        await expect(spoken).to_contain_text("Bob challenges you")
        await expect(page).to_have_title(re.compile("^Challenge – "))
        await page.get_by_role("button", name="Look").click()
        asked = page.get_by_role("dialog", name="Bob challenges you")
        await expect(asked).to_contain_text("Chance decides who moves first.")
        await expect(asked.locator(".board-svg")).to_have_count(1)
        await asked.get_by_label("If you decline").select_option("Another size of board, please.")
        await asked.get_by_role("button", name="Decline").click()
        await expect(page.locator(".strip")).to_have_count(0)
        await until(lambda: not bob.session.offers)
        assert not bob.session.rooms
        await bob.offers.challenge("Ann", SMALL)
        await page.get_by_role("button", name="Accept", exact=True).click()
        await expect(page).to_have_url(ROOM)


async def test_the_areas_and_who_is_here_with_all_names_as_text(serve: Serve, visit: Visit) -> None:
    server = serve("easy")
    page = await visit("/", name="Ann")
    titles = ["Play a bot", "Play a friend", "Learn", "Who is here", "Watch", "Tournaments"]
    await in_lobby(page)
    assert await page.get_by_role("heading", level=2).all_inner_texts() == titles
    async with connect(server, "Bob") as bob:
        await bob.offers.seek(SMALL)
        await expect(page.get_by_text("3 players, 1 offer, 0 games")).to_be_visible()
        everybody = page.get_by_role("list", name="Players")
        await expect(everybody.get_by_role("listitem")).to_have_count(3)
        await everybody.get_by_role("button", name="Challenge Bob").click()
        await expect(page.get_by_role("dialog")).to_contain_text("Bob")
    learn = page.get_by_role("region", name="Learn")
    for name, path in (("Lessons", "/learn"), ("Puzzle of the day", "/puzzle/today")):
        assert await learn.get_by_role("link", name=name).get_attribute("href") == path
    await page.keyboard.press("Escape")
    evil = "<img src=x onerror=alert(1)>"
    engine = EngineInfo(name=evil, version="<b>1</b>")
    async with Client(server.url, Login("bot", name="Eve", engine=engine), rng=Random(1)) as eve:
        terms = TournamentTerms(name=evil, format="round-robin", settings=SMALL)
        await eve.tournaments.create(terms)
        await expect(page.get_by_text(f"{evil} <b>1</b>")).to_be_visible()
        await expect(page.get_by_role("link", name=evil, exact=True)).to_be_visible()
        await expect(page.locator("main img")).to_have_count(0)
        await eve.offers.challenge("Ann", SMALL)
        await page.get_by_role("button", name="Look").click()
        await page.get_by_role("button", name="Decline").click()
        await expect(page.locator(".strip")).to_have_count(0)


async def test_settings_and_forms_are_kept_and_fields_checked(serve: Serve, visit: Visit) -> None:
    server = serve()
    page = await visit("/", name="Ann")
    await in_lobby(page)
    light = await colour(page, "--ground")
    await page.get_by_role("button", name="Settings", exact=True).click()
    dialog = page.get_by_role("dialog", name="Settings")
    await dialog.get_by_label("Theme").select_option(label="Dark")
    await dialog.get_by_role("radio", name="Orange and blue").check()
    await dialog.get_by_role("switch", name="Confirm taps").check()
    await dialog.get_by_role("switch", name="Sounds").uncheck()
    dark, orange = await colour(page, "--ground"), await colour(page, "--seat0")
    assert dark != light
    await dialog.get_by_role("button", name="Done").click()
    await page.get_by_role("button", name="Change what you play").click()
    dialog = page.get_by_role("dialog", name="What do you play?")
    await dialog.get_by_label("Game").select_option("connect-four")
    await dialog.get_by_label("Rows").fill("99")
    await dialog.get_by_role("button", name="Find an opponent").click()
    await expect(dialog.get_by_text("Rows: a whole number from 1 to 10.")).to_be_visible()
    await dialog.get_by_label("Rows").fill("5")
    await dialog.get_by_label("Time").select_option("0/15")
    await dialog.get_by_role("button", name="Find an opponent").click()
    await expect(dialog).to_have_count(0)
    await page.reload()
    await expect(page.locator(".quick-about")).to_contain_text("Connect Four 5 × 7 · 15 s a move")
    assert [await colour(page, "--ground"), await colour(page, "--seat0")] == [dark, orange]
    await expect(page.get_by_role("button", name="Sounds", pressed=False)).to_be_visible()
    async with connect(server, "Bob") as bob:
        state = await bob.create_room(SMALL, private=True)
        await page.get_by_role("button", name="Join by code").click()
        room = page.get_by_label("Room, or the whole link")
        await room.fill("a/b")
        await room.press("Enter")
        await expect(page.get_by_text("The name of a room has letters")).to_be_visible()
        await room.fill(f"{state.room} wrong")
        await room.press("Enter")
        await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
        await room.fill(f"{state.room} {state.code}")
        await room.press("Enter")
        await expect(page).to_have_url(re.compile(f"/room/{state.room}"))
