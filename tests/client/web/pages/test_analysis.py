"""The analysis of games in the browser: progress, marks, lines, values, and playing on."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.async_api import expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo
from tests.bots.running import until
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of
from tests.client.web.pages.company import company, play_game
from tests.client.web.pages.reviewing import FakeReviews, report_of, value

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_visitor_learns_from_an_analysis_and_plays_on(
    serve: Serve, visit: Visit, axe_both: Axe, axe: Axe
) -> None:
    server = serve("easy")
    async with company(server.url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob)
    page = await visit("/games")
    moves = (await (await page.request.get(address_of(server, f"/api/games/{game}"))).json())[
        "moves"
    ]
    reviews = FakeReviews()
    await reviews.serve(page)
    await page.route("**/api/values", value)
    await page.goto(address_of(server, f"/game/{game}#4"))
    # A visitor without a name is connected when the analysis is wanted.
    await page.get_by_role("button", name="Analyse", exact=True).click()
    await expect(page.get_by_text("2 games come first.")).to_be_visible()
    reviews.tell("working", done=5)
    await expect(page.get_by_text("5 of 12 moves are judged ...")).to_be_visible()
    reviews.tell("failed", reason="The worker was lost.")
    await expect(page.get_by_role("alert")).to_have_text("The worker was lost.")
    reviews.report = report_of(moves, [4, 7])
    await page.get_by_role("button", name="Try again").click()
    assert reviews.asked == [game, game]
    note = page.get_by_role("region", name="Words")
    await expect(note).to_contain_text(re.compile("^Move 4 of 12: "))
    await expect(page.get_by_text("2 mistakes. The game turned at move 5:")).to_be_visible()
    await expect(page.get_by_text("Ann 87% accuracy")).to_be_visible()
    marked = page.get_by_label("Moves by turn").get_by_role("button", name=" cost 2 boxes")
    await expect(marked).to_have_count(2)
    await page.keyboard.press("m")
    await expect(note).to_contain_text(re.compile(r"^Move 5 of 12: .*−2"))
    await expect(page.locator(".board .better rect")).to_have_count(1)
    await page.get_by_role("button", name="Next mistake").click()
    await expect(note).to_contain_text(re.compile(r"\w+ cost 2 boxes\. Better: \w+\."))
    await page.keyboard.press("M")
    await expect(note).to_contain_text(re.compile(r"^Move 5 of 12: .*−2"))

    # The better line, its values, and back.
    await page.keyboard.press("v")
    await expect(page.locator(".board .value.best")).to_have_count(1)
    await note.get_by_role("button", name="Show the better line").click()
    line = page.locator(".study-line")
    length = len(reviews.report["moves"][4]["line"])
    await expect(line).to_contain_text("Better line, move 1 of ")
    await page.keyboard.press("End")
    await expect(line).to_contain_text(f"Better line, move {length} of {length}: ")
    await expect(line).to_contain_text("(not from the game)")
    await expect(page.locator(".board .value.best")).to_have_count(1)
    await expect(page.locator(".board .value.rough")).to_have_count(12 - 4 - length - 1)
    assert await axe_both(page) == []
    await page.keyboard.press("ArrowLeft")
    await expect(line).to_contain_text(f"Better line, move {length - 1} of {length}: ")
    await page.keyboard.press("Escape")
    await expect(line).to_have_text(re.compile("^Move 5 of 12: "))

    # A match that begins there, and what to learn from it.
    await page.get_by_role("button", name="Play from here").click()
    dialog = page.get_by_role("dialog", name="Play from here")
    await expect(dialog).to_contain_text("After 5 moves the score is ")
    # Who closes the dialog takes back a challenge that the bot has not answered.
    engine = EngineInfo(name="mine", version="1")
    async with Client(server.url, Login("bot", name="Slow", engine=engine), rng=Random(1)) as slow:
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Play from here").click()
        await dialog.get_by_label("Bot").select_option("Slow")
        await dialog.get_by_role("button", name="Play", exact=True).click()
        await until(lambda: bool(slow.session.challenges))
        await page.keyboard.press("Escape")
        await until(lambda: not slow.session.challenges)
        # So does who leaves the page by the buttons of the browser.
        pages = page.get_by_role("navigation", name="Pages")
        await pages.get_by_role("link", name="Games").click()
        await expect(page).to_have_url(re.compile("/games$"))
        await page.go_back()
        await page.get_by_role("button", name="Play from here").click()
        await dialog.get_by_label("Bot").select_option("Slow")
        await dialog.get_by_role("button", name="Play", exact=True).click()
        await until(lambda: bool(slow.session.challenges))
        await page.go_forward()
        await until(lambda: not slow.session.challenges)
        await page.go_back()
    await page.get_by_role("button", name="Play from here").click()
    await dialog.get_by_role("button", name="Play", exact=True).click()
    await expect(page).to_have_url(re.compile("/room/"))
    await expect(page.locator(".room-about")).to_contain_text("from move 6")
    reviews.report = None
    await page.get_by_role("button", name="Resign").click()
    sure = page.get_by_role("group", name="Resign this match?")
    await sure.get_by_role("button", name="Resign").click()
    await expect(page.get_by_role("region", name="Result")).to_contain_text("You lost")
    moment = page.get_by_role("region", name="The move that decided it")
    await expect(moment).to_have_text("Looking for the move that decided it ...")
    before = await page.get_by_role("button", name="Rematch").bounding_box()
    reviews.tell("done", report=report_of(moves, range(5)))
    await expect(moment).to_contain_text(re.compile(r"turned at move 1: .* Better: \w+\."))
    await expect(moment.locator(".better rect")).to_have_count(1)
    assert await page.get_by_role("button", name="Rematch").bounding_box() == before
    assert await axe(page) == []
    assert len(reviews.asked) == 3


USUAL = (
    "After f1 its player has to open the first long chain. After f11 the opponent would have had"
    " to. It turned a win into a loss."
)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568)])
async def test_words_and_their_buttons_fit_a_phone(
    serve: Serve, visit: Visit, width: int, height: int
) -> None:
    server = serve()
    async with company(server.url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob)
    page = await visit("/games", width=width, height=height, touch=True)
    answer = await page.request.get(address_of(server, f"/api/games/{game}"))
    reviews = FakeReviews()
    reviews.report = report_of((await answer.json())["moves"], [4, 7])
    for ply, text in ((4, USUAL), (7, f"{USUAL} {USUAL} {USUAL}")):
        said = {"rule": "parity", "text": text, "one": text, "many": None, "values": {}}
        reviews.report["moves"][ply]["phrases"] = [said]
        reviews.report["moves"][ply]["answer"] = reviews.report["moves"][ply]["line"]
    await reviews.serve(page)
    # What is stored is shown at once, and nothing is asked for.
    stored = {"report": reviews.report}
    await page.route(f"**/api/games/{game}/report", lambda route: route.fulfill(json=stored))
    await page.goto(address_of(server, f"/game/{game}#4"))
    words = page.get_by_role("region", name="Words")
    buttons = [
        page.get_by_role("button", name=f"Show the {what}") for what in ("better line", "reply")
    ]
    for long in (False, True):
        await page.get_by_role("button", name="Next mistake").tap()
        await expect(words).to_contain_text("With best play")
        assert await words.evaluate("each => each.scrollHeight > each.clientHeight") == long
        for shown in (*buttons, page.locator(".move[aria-current]"), words):
            await expect(shown).to_be_in_viewport(ratio=1)
            # Nothing lies on it.
            assert await shown.evaluate(
                """each => {
                    const { x, y, width, height } = each.getBoundingClientRect();
                    return [1, height / 2, height - 1].every((down) =>
                        each.contains(document.elementFromPoint(x + width / 2, y + down)));
                }"""
            )
    # Long words scroll, and what is last can be read.
    await words.evaluate("each => each.scrollTo(0, each.scrollHeight)")
    last = await words.locator(".muted").bounding_box()
    button = await buttons[0].bounding_box()
    assert last is not None
    assert button is not None
    assert last["y"] + last["height"] <= button["y"]
    assert await page.evaluate("scrollY") == 0
    assert reviews.asked == []


async def test_what_the_server_refuses_is_said(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("503")
    async with company(serve(options=("--analysis", "0")).url, ["Ann", "Bob"]) as (ann, bob):
        game, _ = await play_game(ann, bob)
    page = await visit(f"/game/{game}#3", name="Eve")
    await expect(page.get_by_text("This server analyses no games now.")).to_be_visible()
    await page.route(
        "**/api/values",
        lambda route: route.fulfill(status=503, json={"error": "This server has no adviser."}),
    )
    await page.get_by_role("button", name="Values").click()
    await expect(page.get_by_text("This server has no adviser.")).to_be_visible()
    await page.get_by_role("button", name="Analyse", exact=True).click()
    await expect(page.get_by_role("alert")).to_have_text(re.compile(r"\.$"))
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()
    # The switches stand beside the board.
    await page.set_viewport_size({"width": 1280, "height": 800})
    for name in ("Chains and loops", "Values"):
        await expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
