"""Check the link in a real browser with a real server: restarts and timers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page

from tests.client.web.harness.browser import PATIENCE_MS, PageProblems
from tests.client.web.harness.fixtures import Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers send the files as they are, so that a test can import each of them."""
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "true")


LINK = """
    async (name) => {
        const web = `/web/${document.querySelector('meta[name="page"]').content}/net`;
        const { Link } = await import(`${web}/link.js`);
        const { Identity } = await import(`${web}/identity.js`);
        const { Storage } = await import(`${web}/../app/storage.js`);
        window.states = [];
        window.link = new Link({
            url: `ws://${location.host}/socket`,
            identity: new Identity(new Storage(() => localStorage)),
            onUpdates: () => window.states.push(window.link?.state),
        });
        link.start();
        if (name !== null) await link.signIn(name);
    }
"""
"""Make a link of the test's own in the page."""
PLAY = """
    async (action) => {
        const [mirror] = link.session.rooms.values();
        const { room, match, moves } = mirror;
        const move = { type: "move", room, match, ply: moves.length, action };
        return (await link.request(move)).action;
    }
"""
CREATE = """
    async () => {
        const settings = { game: "dots-and-boxes", params: { rows: 2, cols: 2 } };
        const { room } = await link.request({ type: "create_room", key: "k1", settings, seat: 0 });
        return room;
    }
"""


async def until(page: Page, expression: str) -> None:
    # Playwright's own way of waiting evaluates texts, which the page's CSP forbids.
    pause = "await new Promise((resolve) => setTimeout(resolve, 10))"
    async with asyncio.timeout(PATIENCE_MS / 1000):
        await page.evaluate(f"async () => {{ while (!({expression})) {pause}; }}")


async def linked(page: Page, name: str | None = None) -> Page:
    """Give the page a link, and wait until it is connected."""
    await page.evaluate(LINK, name)
    await until(page, "link.state === 'connected'")
    return page


async def test_a_game_goes_on_after_the_server_was_killed(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(r"WebSocket connection to .* failed")
    server = serve()
    ann = await linked(await visit("/ratings"), "Ann")
    bob = await linked(await visit("/ratings"), "Bob")
    room = await ann.evaluate(CREATE)
    await bob.evaluate("(room) => link.request({ type: 'join_room', room })", room)
    await until(ann, "[...link.session.rooms.values()][0].match === 1")
    assert await ann.evaluate(PLAY, 3) == 3
    server.kill()
    await until(ann, "link.state !== 'connected'")
    sentence: Any = await ann.evaluate("link.sentence")
    assert sentence == "The connection to the server was lost."
    waiting = "window.answer = link.request({ type: 'get_record', game_id: 'none' })"
    await ann.evaluate(f"{waiting}.catch((error) => error.code), null")
    server.start()
    assert await ann.evaluate("window.answer.catch((error) => error.code)") == "unknown_record"
    await until(bob, "link.state === 'connected'")
    await until(bob, "[...link.session.rooms.values()][0].myTurn")
    assert await bob.evaluate(PLAY, 4) == 4
    await until(ann, "[...link.session.rooms.values()][0].moves.length === 2")
    assert await ann.evaluate("[...link.session.rooms.values()][0].moves") == [3, 4]


async def test_a_worker_keeps_the_time(serve: Serve, visit: Visit) -> None:
    serve()
    page = await visit("/ratings")
    rung = await page.evaluate("""
        async () => {
            const web = `/web/${document.querySelector('meta[name="page"]').content}/net`;
            const { BrowserTimers } = await import(`${web}/timers.js`);
            const timers = new BrowserTimers();
            await new Promise((resolve) => timers.after(0.01, resolve));
            let left = 3;
            await new Promise((resolve) => {
                const stop = timers.every(0.01, () => { if (--left === 0) { stop(); resolve(); } });
            });
            return left;
        }
    """)
    assert rung == 0
    assert page.workers, "a worker that fails is ended"
