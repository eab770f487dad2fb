"""Check the timers of the page in a real browser."""

from __future__ import annotations

import pytest

from doublecross.cli.settings.load import own_page
from tests.client.web.harness.fixtures import Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers send the files as they are, so that a test can import each of them."""
    monkeypatch.setenv("DOUBLECROSS_PAGE", str(own_page()))
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "true")


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
