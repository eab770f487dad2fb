"""Lessons and puzzles in the browser: solve them, make mistakes, and find the progress again."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from doublecross.analysis.as_json import values_to_json
from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.shipped.course import lessons
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.registry import make_game
from tests.analysis.course.lessons import judge
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.room.table import click

pytestmark = pytest.mark.asyncio(loop_scope="session")

Shot = Callable[[Page, str], Awaitable[Path]]

DAY = "2026-01-02"


async def draw(page: Page, game: DotsAndBoxes, action: int) -> None:
    """Draw an edge with the mouse."""
    await page.locator(".study-board").scroll_into_view_if_needed()
    await click(page, game, action, ".study-board")


async def value(route: Route) -> None:
    """Answer for the server's adviser, from a judge that tries all games."""
    asked = json.loads(route.request.post_data or "")
    state = make_game(asked["game"], asked["params"]).replay((), asked["moves"])
    assert isinstance(state, DotsAndBoxesState)
    await route.fulfill(json=values_to_json(judge(state)))


async def test_a_visitor_learns_by_lessons(
    serve: Serve, visit: Visit, axe_both: Axe, axe: Axe
) -> None:
    serve()
    first, deal = (
        next(each for each in lessons() if each.name == n) for n in ("turns", "double-dealing")
    )
    solved = [deal.key(deal.exercises[0])]
    page = await visit(
        "/learn",
        storage={"doublecross.lessons": json.dumps({"version": 1, "solved": solved})},
    )
    await page.route("**/api/values", value)
    await expect(page.locator(".page-about")).to_contain_text(" 1 of ")
    await page.get_by_role("link", name="Go on").click()
    await expect(page.get_by_role("heading", name=f"1. {first.title}")).to_be_visible()
    said = page.locator(".said")

    # Find edges, after a wrong one.
    exercise = first.exercises[0]
    assert exercise.kind == "find"
    state = exercise.position.state()
    taking = [e for e in state.legal_actions() if max(after(state, e).scores()) > 0]
    other = next(edge for edge in state.legal_actions() if edge not in taking)
    await expect(page.locator(".study-board .board-svg")).to_be_visible()
    # The lesson says first what it is about, one paragraph after the other.
    await page.get_by_role("button", name="Next").click()
    while await page.get_by_role("button", name="Next", exact=True).count():
        await page.get_by_role("button", name="Next", exact=True).click()
    await page.get_by_role("button", name="To the exercise").click()
    await draw(page, exercise.position.game, other)
    await expect(page.locator(".said.bad")).to_be_visible()
    for edge in taking:
        await draw(page, exercise.position.game, edge)
    await expect(said).to_have_text(exercise.solved)
    await expect(page.get_by_role("heading", level=2)).to_contain_text("· solved")
    assert await axe(page) == []
    await page.get_by_role("button", name="Next exercise").click()
    await page.get_by_label("Your answer").fill("many")
    await page.get_by_role("button", name="Check").click()
    await expect(page.get_by_role("alert")).to_have_text("Enter a whole number, such as 3.")
    await page.get_by_label("Your answer").fill(str(first.exercises[1].answer))
    await page.keyboard.press("Enter")
    await expect(said).to_have_text(first.exercises[1].solved)

    # Best moves against an opponent, a wrong one, and the word for it.
    await go_to(page, "/learn/double-dealing")
    exercise = deal.exercises[1]
    game = exercise.position.game
    await expect(page.get_by_text("You are")).to_contain_text("0 : 0")
    await draw(page, game, game.parse_action("c6"))
    await expect(page.get_by_text("You are")).to_contain_text("1 : 0 · 1 of 2 moves")
    await draw(page, game, game.parse_action("e6"))
    wrong = f"{exercise.wrong[0].say} It cost 4 boxes. It turned a win into a loss."
    await expect(said).to_have_text(wrong)
    # All of this is there again after a reload.
    await page.reload()
    await expect(said).to_have_text(wrong)
    await expect(page.get_by_text("You are")).to_contain_text("· 1 of 2 moves")
    await page.get_by_role("button", name="Take it back").click()
    for _ in range(len(exercise.hints) + 1):
        await page.get_by_role("button", name="Hint").click()
    await expect(page.locator(".board .better rect")).to_have_count(1)
    await page.get_by_role("button", name="Chains and loops").click()
    assert await axe_both(page) == []
    await draw(page, game, game.parse_action("g6"))
    await expect(said).to_have_text(exercise.solved)
    await page.get_by_role("button", name="What this lesson says").click()
    word = page.get_by_role("button", name="double-cross")
    while not await word.count():
        await page.get_by_role("button", name="Next", exact=True).click()
    await word.click()
    await expect(page.get_by_text("Double-cross: ")).to_be_visible()


async def test_a_visitor_solves_puzzles(
    serve: Serve, visit: Visit, axe_both: Axe, problems: PageProblems
) -> None:
    problems.allow("503")
    serve()
    puzzle = min(
        (each for each in puzzles().puzzles if each.turns == 1 and 0 not in each.keeping),
        key=lambda each: len(each.costs),
    )
    page = await visit("/puzzles", width=360, height=640, touch=True)
    await expect(page.get_by_role("link", name="Solve it")).to_be_visible()
    refusal = {"error": "This server has no adviser."}
    refuse = "**/api/values"
    await page.route(refuse, lambda route: route.fulfill(status=503, json=refusal))
    # It is that of the day, whatever its address.
    await page.route(f"**/api/puzzles/{puzzle.id}", of_the_day)
    await go_to(page, f"/puzzle/{puzzle.id}")
    await expect(page.get_by_role("heading", name="Today's puzzle")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_text("This server has no adviser.")
    await page.unroute(refuse)
    await page.route(refuse, value)
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("alert")).to_be_hidden()
    # Who has seen the solution can still solve the puzzle, but it does not count.
    await page.get_by_role("button", name="Hint counts as failed").click()
    await page.get_by_role("button", name="Hint", exact=True).click()
    await expect(page.locator(".board .better")).to_have_count(1)
    await expect(page.get_by_text("your rating goes from 1500 to 1")).to_be_visible()
    await page.get_by_role("button", name="Show the solution").click()
    await expect(page.get_by_text("This is the solution.")).to_be_visible()
    # It can be stepped through, and played on from where it stands.
    forward = page.get_by_role("button", name="Forward one move")
    await page.keyboard.press("Home")
    await expect(forward).to_be_enabled()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("button", name="Back one move")).to_be_enabled()
    await expect(page.get_by_role("link", name="Analyse from here")).to_be_visible()
    await page.get_by_role("button", name="Begin again").click()
    await solve(page, puzzle)
    await expect(page.locator(".said.plain")).to_contain_text("does not count")
    assert await page.evaluate("localStorage.getItem('doublecross.puzzles')") is None
    await go_to(page, "/puzzles")
    await go_to(page, f"/puzzle/{puzzle.id}")
    wrong = max(puzzle.cost_of, key=lambda edge: puzzle.cost_of[edge])
    await draw(page, puzzle.game, wrong)
    await expect(page.locator(".said.bad")).to_contain_text(" cost")
    await expect(page.get_by_text("Not rated")).to_be_visible()
    for part in (
        page.locator(".study-board .board"),
        page.get_by_role("button", name="Next", exact=True),
    ):
        await expect(part).to_be_in_viewport(ratio=1)
    # The buttons stay in one row.
    rows = page.locator(".study-steps > .button")
    assert len(set(await rows.evaluate_all("all => all.map((each) => each.offsetTop)"))) == 1
    assert await axe_both(page) == []
    await page.get_by_role("button", name="Take it back").click()
    await solve(page, puzzle)
    await expect(page.locator(".said.plain")).to_contain_text("Solved after 1 mistake.")
    await page.get_by_role("button", name="Next", exact=True).click()
    await expect(page.get_by_text("Solved after")).to_be_hidden()
    await go_to(page, "/puzzles")
    await expect(page.get_by_text("1 of ").first).to_be_visible()
    kept = await page.evaluate("localStorage.getItem('doublecross.puzzles')")
    assert json.loads(kept) == {"solved": [puzzle.id], "clean": [], "days": [DAY]}

    # A storm, one move in each puzzle.
    await page.get_by_role("link", name="Against the clock").click()
    async with page.expect_response("**/api/solving/storm") as answer:
        await page.get_by_role("button", name="Begin").click()
    first = puzzles().by_id[(await (await answer.value).json())["puzzle"]["id"]]
    await expect(page.locator(".study-board .board-svg")).to_be_visible()
    await draw(page, first.game, first.keeping[0])
    await expect(page.get_by_text("1 point Right.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("1 point Right.")).to_be_visible()
    assert await axe_both(page) == []
    await page.get_by_role("button", name="End").click()
    await expect(page.get_by_text("Your best: today 1, this week 1, ever 1")).to_be_visible()


async def test_another_language_keeps_the_settings_open_and_the_puzzle_as_it_is(
    serve: Serve, visit: Visit
) -> None:
    serve()
    puzzle = next(each for each in puzzles().puzzles if each.turns == 1 and len(each.costs) < 12)
    page = await visit(f"/puzzle/{puzzle.id}")
    await page.route("**/api/values", value)
    await expect(page.locator(".study-board .board-svg")).to_be_visible()
    wrong = max(puzzle.cost_of, key=lambda edge: puzzle.cost_of[edge])
    await draw(page, puzzle.game, wrong)
    failed = page.get_by_text("counts as failed: your rating goes from 1500")
    await expect(failed).to_be_visible()
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_label("Language").select_option("de")
    settings = page.get_by_role("dialog", name="Einstellungen")
    await expect(settings).to_be_visible()
    await settings.get_by_role("button", name="Fertig").click()
    await expect(page.locator(".said.bad")).to_contain_text(" kostet")
    await expect(page.get_by_text("gilt als verfehlt: Deine Wertung geht von 1500")).to_be_visible()
    await page.get_by_role("button", name="Zurücknehmen").click()
    await solve(page, puzzle)
    await expect(page.locator(".said")).to_contain_text("Nach einem Fehler gelöst.")
    await page.reload()
    await expect(page.locator(".said")).to_contain_text("Nach einem Fehler gelöst.")
    await expect(settings).to_be_hidden()


async def solve(page: Page, puzzle: Puzzle) -> None:
    """Draw the best edges until it is the opponent's turn, and look at the score after each."""
    state = puzzle.state()
    while state.current_player() == puzzle.state().current_player():
        best = judge(state).actions[0].action
        await draw(page, puzzle.game, best)
        state = after(state, best)
        if not state.is_terminal():
            score = " : ".join(map(str, state.scores()))
            await expect(page.locator(".study-words .strong")).to_contain_text(
                score if puzzle.state().current_player() == 0 else score[::-1]
            )


async def of_the_day(route: Route) -> None:
    """Answer as on the day of the puzzle."""
    answer = await route.fetch()
    await route.fulfill(json={**await answer.json(), "day": DAY})


def after(state: DotsAndBoxesState, edge: int) -> DotsAndBoxesState:
    """Return the position after an edge."""
    found = state.clone()
    found.apply(edge)
    return found
