"""Check in Chromium how the board moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page

from tests.client.web.board.conftest import Mount
from tests.client.web.board.steps import place, played

pytestmark = pytest.mark.asyncio(loop_scope="session")

# All edges but those between the first four boxes of the first row, and then these too.
CHAIN = """
() => {
    const {geometry} = test.props;
    const inner = [0, 1, 2, 3].map(cell =>
        geometry.cells[cell].segments.find(a => geometry.cells[cell + 1].segments.includes(a)));
    const before = geometry.segments.map(s => s.action).filter(a => !inner.includes(a));
    const legal = (played) => geometry.names.map((_, a) => played.includes(a) ? "0" : "1").join("");
    const at = (played, cells) => ({cells, legal: legal(played), winning: [], played,
        drawers: played.map(() => 0), last: played.at(-1), toMove: 0});
    const none = ".".repeat(geometry.cells.length);
    const after = at([...before, ...inner], "0000" + none.slice(4));
    test.chain = {inner, before: at(before, none), after};
    test.set({position: test.chain.before});
}
"""


async def animations(page: Page) -> list[dict[str, Any]]:
    """Return the cells that are filling, with their delay and their end, in milliseconds."""
    found: list[dict[str, Any]] = await page.evaluate(
        """() => [...document.querySelectorAll(".ground")].flatMap((ground, cell) =>
            ground.getAnimations().map(each => {
                const {delay, endTime} = each.effect.getComputedTiming();
                return {cell, delay, end: endTime};
            }))"""
    )
    return found


async def test_captures_run_along_the_chain_and_end_soon(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5", 0)
    await page.evaluate(CHAIN)
    await page.evaluate("test.set({position: test.chain.after})")
    found = await animations(page)
    order = [each["cell"] for each in sorted(found, key=lambda each: each["delay"])]
    assert order == [0, 1, 2, 3]
    assert len({each["delay"] for each in found}) == 4
    assert max(each["end"] for each in found) <= 600


async def test_captures_run_from_the_other_end_too(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5", 0)
    await page.evaluate(CHAIN)
    await page.evaluate(
        """() => {
            const {before, after, inner} = test.chain;
            const played = [...before.played, ...inner.toReversed()];
            test.set({position: {...after, played}});
        }"""
    )
    found = sorted(await animations(page), key=lambda each: each["delay"])
    assert [each["cell"] for each in found] == [3, 2, 1, 0]


async def test_a_move_is_played_while_captures_run(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5", 0)
    await page.evaluate(CHAIN)
    await page.evaluate("test.set({position: {...test.chain.after, legal: '1'.repeat(60)}})")
    assert await animations(page)
    await page.mouse.click(*await place(page, 20))
    assert await played(page) == [20]


async def test_earlier_positions_and_reduced_motion_are_not_animated(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5", 0)
    await page.evaluate(CHAIN)
    await page.evaluate("test.set({position: test.chain.after})")
    await page.evaluate("test.set({position: test.chain.before})")
    assert await animations(page) == []
    await page.emulate_media(reduced_motion="reduce")
    await page.evaluate("test.set({position: test.chain.after})")
    assert await animations(page) == []


async def test_a_disc_falls_and_an_edge_grows(mount: Mount) -> None:
    page = await mount("connect-four 6x7x4", 0)
    running = (
        "() => document.querySelector('.board-svg').getAnimations({subtree: true})"
        ".map(each => each.effect.getKeyframes().map(f => f.transform ?? f.strokeDasharray))"
    )
    await page.evaluate("test.set({position: test.samples['connect-four 6x7x4'].positions[1]})")
    ((start, end),) = await page.evaluate(running)
    assert start.startswith("translateY(-")
    assert end == "none"
    await page.evaluate("test.show('dots-and-boxes 2x2', 0)")
    await page.evaluate("test.set({position: test.samples['dots-and-boxes 2x2'].positions[1]})")
    assert len(await page.evaluate(running)) == 1


async def test_an_edge_grows_from_where_it_was_touched(mount: Mount) -> None:
    page = await mount("dots-and-boxes 5x5", 0)
    x, y = await place(page, 7)
    end = await page.evaluate("document.querySelectorAll('.edge')[7].getBoundingClientRect().right")
    await page.mouse.click(x + 0.8 * (end - x), y)
    assert await played(page) == [7]
    await page.evaluate(
        """() => {
            const {position} = test.props;
            const legal = position.legal.split("").map((free, a) => a === 7 ? "0" : free).join("");
            const shown = {...position, legal, played: [7], drawers: [0], last: 7, toMove: 1};
            test.set({position: shown});
        }"""
    )
    start: str = await page.evaluate(
        "document.querySelectorAll('.edge')[7].getAnimations()[0].effect.getKeyframes()[0].strokeDasharray"
    )
    assert 0.8 < float(start.replace(",", "").split()[1].removesuffix("px")) < 1
