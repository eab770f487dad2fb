"""Open and leave pages again and again: nothing of them may remain."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from doublecross.games.registry import GAMES
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.harness.visitors import go
from tests.client.web.room.table import hosting, settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

COUNT = """
  window.counts = {};
  const add = (what, by) => (window.counts[what] = (window.counts[what] ?? 0) + by);
  for (const target of [window, document]) {
    const heard = new Set();
    const own = { add: target.addEventListener, remove: target.removeEventListener };
    const key = (name, listener, options) => {
      const capture = options === true || options?.capture === true;
      if (!listener.number) listener.number = String(Math.random());
      return `${name} ${capture} ${listener.number}`;
    };
    target.addEventListener = function (name, listener, options) {
      if (!heard.has(key(name, listener, options))) add("listeners", 1);
      heard.add(key(name, listener, options));
      own.add.call(target, name, listener, options);
    };
    target.removeEventListener = function (name, listener, options) {
      if (heard.delete(key(name, listener, options))) add("listeners", -1);
      own.remove.call(target, name, listener, options);
    };
  }
  const timers = new Set();
  const { setInterval: start, clearInterval: stop } = window;
  window.setInterval = (...all) => {
    const timer = start(...all);
    timers.add(timer);
    add("intervals", 1);
    return timer;
  };
  window.clearInterval = (timer) => {
    if (timers.delete(timer)) add("intervals", -1);
    stop(timer);
  };
  for (const name of ["ResizeObserver", "IntersectionObserver", "MutationObserver"]) {
    const Own = window[name];
    window[name] = class extends Own {
      observe(...all) {
        if (!this.counted) add(name, 1);
        this.counted = true;
        super.observe(...all);
      }
      disconnect() {
        if (this.counted) add(name, -1);
        this.counted = false;
        super.disconnect();
      }
    };
  }
"""


async def test_visits_of_a_room_leave_nothing_behind_and_may_be_repeated_at_once(
    serve: Serve, visit: Visit
) -> None:
    async with hosting(serve(), settings()) as bob, hosting(serve.latest, name="Cleo") as cleo:
        await cleo.client.join(bob.room, code=bob.code)
        page = await visit("/rules", name="Ann")
        await page.add_init_script(COUNT)
        await page.reload()
        counts = []
        for _ in range(6):
            await go(page, bob.path)
            await expect(page.locator(".room-board")).to_be_visible()
            await go(page, "/rules")
            await expect(page.locator(".room-board")).to_have_count(0)
            # Each game has a board to try, with an observer.
            await expect(page.locator(".board-face")).to_have_count(len(GAMES))
            counts.append(await page.evaluate("({...counts})"))
        assert counts[-1] == counts[1]
        assert counts[-1]["listeners"] > 0

        # Who goes back at once sees the room again.
        await go(page, bob.path)
        board = page.locator(".room-board")
        await expect(board).to_be_visible()
        await page.evaluate(
            """async () => {
              const go = (path) => {
                history.pushState(null, "", path);
                dispatchEvent(new PopStateEvent("popstate"));
              };
              const room = location.pathname + location.hash;
              go("/rules");
              await new Promise(requestAnimationFrame);
              await new Promise(requestAnimationFrame);
              go(room);
            }"""
        )
        await expect(board).to_be_visible()
        await cleo.client.move(bob.room, 0)
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(1)
