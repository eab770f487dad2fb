"""The pages of finished games, players and ratings, and the pages for what does not exist."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest
from playwright.async_api import expect

from tests.bots.running import until
from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import IDENTITY, address_of, go, go_to
from tests.client.web.pages.company import SMALL, company, play_game

pytestmark = pytest.mark.asyncio(loop_scope="session")

TINY = SMALL.model_copy(update={"params": {"rows": 1, "cols": 1}})


async def test_games_are_filtered_and_paged(serve: Serve, visit: Visit) -> None:
    async with company(serve().url, ["Ann", "Bob", "O'Neil + Co"]) as (ann, bob, neil):
        for _ in range(31):
            await play_game(ann, bob, TINY)
        await play_game(ann, neil, SMALL)
    page = await visit("/games")
    games = page.get_by_role("list", name="Finished games").get_by_role("listitem")
    await expect(games).to_have_count(30)
    await expect(games.first).to_contain_text("O'Neil + Co")
    await page.get_by_role("link", name="Older").click()
    await expect(games).to_have_count(2)
    await expect(page).to_have_url(re.compile("after="))
    await page.go_back()
    await expect(games).to_have_count(30)
    await expect(games.first.locator(".board")).to_be_visible()
    # What is chosen lies behind one button, and beside it as chips.
    await expect(page.get_by_label("Player")).to_be_hidden()
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Player").fill("O'Neil + Co")
    await page.keyboard.press("Enter")
    await expect(games).to_have_count(1)
    await expect(games.first).to_contain_text(re.compile("won|lost|draw"))
    await expect(page.get_by_label("Player")).to_be_hidden()
    await page.get_by_role("link", name="Remove O'Neil + Co").click()
    await expect(games).to_have_count(30)
    await page.go_back()
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Game", exact=True).select_option("nim")
    await expect(page.get_by_text("No finished game fits.")).to_be_visible()
    await page.get_by_role("link", name="all games").click()
    await games.first.get_by_role("link", name=re.compile("^Review ")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ann against O'Neil + Co")
    await page.get_by_role("link", name="O'Neil + Co").first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("O'Neil + Co")


async def test_a_player_has_ratings_curves_and_games(serve: Serve, visit: Visit) -> None:
    server = serve()
    async with company(server.url, ["Ann", "Bob"]) as (ann, bob):
        for _ in range(3):
            await play_game(ann, bob, SMALL)
        await play_game(ann, bob, TINY)
        page = await visit("/player/ann", dark=True, name="Eve")
        await expect(page.get_by_role("heading", level=1)).to_contain_text("Ann")
        await expect(page.get_by_text("online", exact=True)).to_be_visible()
        rows = page.get_by_role("table", name="Ratings by game and size").get_by_role("row")
        await expect(rows.nth(1)).to_contain_text("Dots and Boxes 2 × 2")
        await expect(rows.nth(1)).to_contain_text(re.compile(r"\d{4}\?"))
        await expect(page.locator(".plot canvas")).to_be_visible()
        await page.get_by_role("button", name="Curve of Dots and Boxes 1 × 1").click()
        await expect(page.get_by_text("The curve appears after the second")).to_be_visible()
        games = page.get_by_role("list", name="Last games").get_by_role("listitem")
        await expect(games).to_have_count(4)
        listed = address_of(server, "/api/games?player=Ann")
        played = (await (await page.request.get(listed)).json())["games"]
        results = [
            "draw" if each["winner"] is None
            else "won" if each["players"][each["winner"]] == "Ann"
            else "lost"
            for each in played
        ]  # fmt: skip
        await expect(games.locator(".badge")).to_have_text(results)
        ann.hold()
        made = await ann.client.create_room(SMALL)
        await bob.client.join(made.room)
        await go_to(page, "/player/ann")
        live = page.locator("section", has_text="Playing now")
        await expect(live.locator(".board")).to_be_visible()
        await expect(live).to_contain_text("Dots and Boxes 2 × 2")
        await live.get_by_role("link", name=re.compile("^Watch ")).click()
        await expect(page).to_have_url(re.compile(f"/room/{made.room}$"))
        await page.go_back()
        await page.get_by_role("button", name="Challenge").click()
        dialog = page.get_by_role("dialog", name="Challenge Ann")
        await dialog.get_by_role("button", name="Challenge").click()
        await until(lambda: bool(ann.client.session.challenges))
        (challenge,) = ann.client.session.challenges.values()
        assert challenge.player.name == "Eve"
        await ann.client.offers.accept_challenge(challenge.challenge)
        await expect(page).to_have_url(re.compile("/room/"))


async def test_ratings_are_chosen_by_the_address(serve: Serve, visit: Visit) -> None:
    server = serve()
    page = await visit("/ratings")
    await expect(page.get_by_text("Nobody has a rating yet.")).to_be_visible()
    async with (
        company(server.url, ["Ann", "Bob", "Cy"]) as (ann, bob, cy),
        company(server.url, ["Robot"], bots=True) as (robot,),
    ):
        for other in (bob, cy):
            await play_game(ann, other, SMALL)
        await play_game(ann, robot, SMALL)
        await play_game(ann, robot, TINY)
    page = await visit("/ratings?game=dots-and-boxes&size=2x2&bots=yes")
    best = page.get_by_role("list", name=re.compile("^The best players")).get_by_role("listitem")
    await expect(best).to_have_text([re.compile("Robot.*dice 1")])
    await expect(best.locator(".board")).to_be_visible()
    await page.get_by_role("link", name="Remove Bots").click()
    await expect(best).to_have_count(3)
    await expect(page).to_have_url(re.compile(r"/ratings\?game=dots-and-boxes&size=2x2$"))
    # Those behind the first three are in a table; on a phone its empty column of places is gone.
    await page.set_viewport_size({"width": 360, "height": 740})
    rows = page.get_by_role("table").get_by_role("row")
    await expect(rows).to_have_count(2)
    await expect(page.get_by_text("? means provisional", exact=False)).to_be_visible()
    await expect(page.locator("td.rank").first).to_be_hidden()
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Game and size").select_option("Dots and Boxes 1 × 1 (2 players)")
    await expect(best).to_have_count(2)
    await expect(page).to_have_url(re.compile("size=1x1"))


MISSING: Final = {
    "/nothing/here": "There is nothing here",
    "/game/none": "This game is not here",
    "/room/nowhere": "This room is not here",
    "/player/Nobody": "Nobody has this name",
    "/tournament/none": "This tournament is not here",
    "/watch?tournament=none": "This tournament is not here",
}


async def test_what_does_not_exist_has_a_page_that_helps(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("404")
    serve()
    page = await visit("/", name="Ann")
    for path, title in MISSING.items():
        await go(page, path)
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        await expect(page.locator(".lost-edge")).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name="To the lobby").click()
    await expect(page).to_have_url(re.compile(r":\d+/$"))


async def test_a_server_that_is_away_is_asked_again(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(GONE)
    server = serve()
    page = await visit("/games")
    await expect(page.get_by_text("No game is over yet.")).to_be_visible()
    server.kill()
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Player").fill("Ann")
    await page.get_by_role("button", name="Show").click()
    await expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    server.start()
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_text("No finished game fits.")).to_be_visible()


async def test_the_rules_have_a_board_to_try(serve: Serve, visit: Visit) -> None:
    serve()
    page = await visit("/rules#nim")
    for title in ("Dots and Boxes", "Tic-tac-toe", "Connect Four", "Nim", "How to play here"):
        await expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    await expect(page.get_by_role("heading", name="Nim", exact=True)).to_be_in_viewport()
    board = page.get_by_role("application", name="A board to try Tic-tac-toe on")
    game = page.locator("#tic-tac-toe")
    for pieces, place in enumerate(("ArrowRight", "ArrowLeft"), 1):
        await board.focus()
        await page.keyboard.press(place)
        await page.keyboard.press("Enter")
        await expect(game.locator(".piece.seat0, .piece.seat1")).to_have_count(pieces)
        # The piece shows at once; the board takes the next move when the server has answered.
        await expect(game.get_by_role("status")).to_have_text("OX"[pieces - 1] + " moves.")
    await game.get_by_role("button", name="Start again").click()
    await expect(game.locator(".piece.seat0, .piece.seat1")).to_have_count(0)


async def test_own_games_are_listed_for_their_player_alone(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("404")  # the review asks for the private game without the token first
    async with company(serve().url, ["Ann", "Bob"]) as (ann, bob):
        hidden, _ = await play_game(ann, bob, TINY, private=True)  # the last move wins: Bob
        await play_game(bob, ann, TINY)
        assert ann.client.session.welcome is not None
        token = ann.client.session.welcome.token
    page = await visit("/games", storage={IDENTITY: json.dumps({"name": "Ann", "token": token})})
    listed = page.get_by_role("list", name="Finished games").get_by_role("listitem")
    await expect(listed).to_have_count(1)
    await page.get_by_role("main").get_by_role("link", name="My games").click()
    games = page.get_by_role("list", name="My games").get_by_role("listitem")
    await expect(games).to_have_count(2)
    await expect(games.first).to_contain_text(re.compile("Bob *0.*Ann *1.*won"))
    await expect(games.nth(1).locator(".board")).to_be_visible()  # of a private game too
    await expect(games.nth(1)).to_contain_text("private")
    row = page.get_by_role("table").get_by_role("row").nth(1)
    await expect(row).to_have_text("peopleDots and Boxes 1 × 1210150 %")
    assert await axe(page) == []
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Search").fill("BOB lost private")
    await page.keyboard.press("Enter")
    await expect(games).to_have_count(1)
    await expect(page.get_by_text("1 of your 2 games")).to_be_visible()
    await expect(row).to_contain_text("0 %")
    await games.get_by_role("link").click()
    await expect(page).to_have_url(re.compile(f"/game/{hidden}$"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ann against Bob")
