"""Check in Chromium what the board shows, and how it is played with a mouse."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.client.web.board.conftest import Mount
from tests.client.web.board.positions import all_games
from tests.client.web.board.steps import classes, place, played
from tests.client.web.harness.fixtures import Axe

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = [f"{game.key} {game.size}" for game in all_games()]


async def test_every_game_is_played_by_clicks(mount: Mount) -> None:
    page = await mount(NAMES[0])
    for name in NAMES:
        await page.evaluate("n => { test.played.length = 0; test.show(n, 0); }", name)
        legal: str = await page.evaluate("test.props.position.legal")
        action = legal.rindex("1")
        await page.mouse.click(*await place(page, action))
        assert await played(page) == [action], name


async def test_a_board_without_a_turn_reports_nothing(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, seat=1)
    at = await place(page, 3)
    await page.mouse.click(*at)
    await page.evaluate("test.set({seat: 0, pending: 5})")
    await page.mouse.click(*at)
    await page.evaluate("test.set({pending: null, mode: 'watch'})")
    await page.mouse.click(*at)
    assert await played(page) == []
    await page.evaluate("test.set({mode: 'play'})")
    await page.mouse.click(*at)
    assert await played(page) == [3]


async def test_the_edge_under_the_mouse_is_previewed(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    x, y = await place(page, 2)
    await page.mouse.move(x + 3, y - 10)
    hovered = page.locator(".hovered")
    await expect(hovered).to_have_class("edge hovered seat0")
    box = await hovered.bounding_box()
    assert box is not None
    assert abs(box["y"] + box["height"] / 2 - y) < 2
    await page.mouse.move(1, 1)
    await expect(hovered).to_have_count(0)


async def test_the_preview_appears_when_the_turn_comes(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, seat=0, pending=5)
    await page.mouse.move(*await place(page, 2))
    await expect(page.locator(".hovered")).to_have_count(0)
    await page.evaluate("test.set({pending: null})")
    await expect(page.locator(".hovered")).to_have_count(1)


async def test_columns_and_heaps_preview_what_would_be_taken(mount: Mount) -> None:
    page = await mount("connect-four 6x7x4")
    await page.mouse.move(*await place(page, 2))
    await expect(page.locator(".hovered")).to_have_count(1)
    await page.evaluate("test.show('nim 1x3x5x7x1', 0)")
    await page.mouse.move(*await place(page, 11))
    await expect(page.locator(".hovered")).to_have_count(5)


async def test_a_press_that_slides_off_the_board_plays_nothing(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    await page.mouse.move(*await place(page, 2))
    await page.mouse.down()
    await page.mouse.move(690, 750)
    await page.mouse.up()
    await expect(page.locator(".hovered")).to_have_count(0)
    assert await played(page) == []


async def test_the_own_move_is_shown_at_once_and_confirmed_later(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, seat=0)
    await page.evaluate("test.set({pending: 7})")
    assert await classes(page, 7) == ["edge", "drawn", "seat0", "pending"]
    await page.evaluate(
        """test.set({pending: null, position: {...test.props.position, played: [7], drawers: [0],
            last: 7, toMove: 1, legal: "111111101111"}})"""
    )
    assert await classes(page, 7) == ["edge", "drawn", "seat0"]


async def test_a_second_click_while_the_first_is_on_its_way_is_ignored(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, seat=0)
    await page.mouse.click(*await place(page, 2))
    await page.mouse.click(*await place(page, 9))
    assert await played(page) == [2]


async def test_a_move_changes_only_the_elements_that_differ(mount: Mount) -> None:
    page = await mount("dots-and-boxes 10x10", 100, mode="watch")
    changed: list[str] = await page.evaluate(
        """async () => {
            const svg = document.querySelector(".board-svg");
            const seen = new MutationObserver(() => {});
            seen.observe(svg, {subtree: true, childList: true, attributes: true});
            const {positions} = test.samples["dots-and-boxes 10x10"];
            test.set({position: positions[101]});
            return seen.takeRecords().map(each => each.target.getAttribute("class"));
        }"""
    )
    assert 0 < len(changed) <= 16, changed
    assert {each.split()[0] for each in changed} <= {"edge", "ground", "piece", "glow", "gap"}


async def test_nothing_moves_when_the_board_appears_or_changes(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5")
    before = await page.locator(".board-face").bounding_box()
    await page.evaluate("test.show('dots-and-boxes 5x5', 40, {hint: 3})")
    assert await page.locator(".board-face").bounding_box() == before


async def test_no_board_breaks_a_rule_of_accessibility(mount: Mount, axe_both: Axe) -> None:
    page = await mount("dots-and-boxes 5x5", 35, features=True)
    await page.keyboard.press("Tab")
    assert await axe_both(page) == []
    await page.evaluate("test.set({mode: 'watch'})")
    assert await axe_both(page) == []
    await page.evaluate("test.wall(Object.keys(test.samples).map(name => [name, -1]))")
    assert await axe_both(page) == []


async def test_a_board_without_features_says_so_until_the_game_is_over(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2", 0, features=True)
    legend = page.locator(".board-legend")
    await expect(legend).to_have_text("Nothing to highlight yet")
    await page.evaluate("test.show('dots-and-boxes 2x2', 12, {features: true})")
    await expect(page.locator(".edge.drawn")).to_have_count(12)
    await expect(legend).to_have_count(0)


async def test_a_still_board_has_few_elements_and_all_positions(mount: Mount) -> None:
    page = await mount("dots-and-boxes 10x10")
    await page.evaluate("test.wall([['dots-and-boxes 10x10', -1], ['tic-tac-toe 9x7x3', 10]])")
    await expect(page.locator(".board-svg")).to_have_count(2)
    assert await page.locator(".board-svg").first.locator("*").count() < 15
    letters = await page.locator("svg text").all_text_contents()
    assert len("".join(letters)) == 100


async def test_a_still_board_shows_initials_of_two_letters_in_their_boxes(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5")
    await page.evaluate(
        """() => test.show("dots-and-boxes 2x2", -1, {mode: "still", seats: [
            {name: "Ann", initial: "An"}, {name: "Amy", initial: "Am"}]})"""
    )
    letters = page.locator("svg tspan")
    await expect(letters).to_have_count(4)
    assert set(await letters.all_text_contents()) <= {"An", "Am"}
    # Each text has its own middle, so all of them begin and end inside their boxes.
    spans: list[list[float]] = await page.evaluate(
        """() => [...document.querySelectorAll("svg tspan")].map((span) => {
            const [one, other] = [span.getStartPositionOfChar(0), span.getEndPositionOfChar(1)];
            return [one.x, other.x, Number(span.getAttribute("x"))];
        })"""
    )
    for start, end, middle in spans:
        assert start - middle == pytest.approx(middle - end, abs=1)
        assert end - start < 90


async def test_a_part_shows_although_another_instance_has_loaded_it(mount: Mount) -> None:
    page = await mount("dots-and-boxes 2x2")
    shown: str = await page.evaluate(
        """async () => {
            const { later } = await import("/web/widgets/later.js");
            const { h, render } = await import("preact");
            const box = document.createElement("div");
            let finish;
            const Part = later(() => new Promise((done) => (finish = done)));
            const draw = (count) => render(Array.from({length: count}, () => h(Part)), box);
            const frame = () => new Promise((done) => setTimeout(done, 20));
            draw(1);
            while (!finish) await frame();
            draw(2);
            finish(() => "here ");
            for (let count = 0; count < 4; count += 1) await frame();
            return box.textContent;
        }"""
    )
    assert shown == "here here "
