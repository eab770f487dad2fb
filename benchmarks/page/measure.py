"""Measure what a visitor waits for: the first paint, a board to play on, and a confirmed move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.figures import summary
from benchmarks.page.browser import bundle, chromium, context, join, play_bot, site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

Numbers = dict[str, Any]

BOT: Final = "easy"
PHONE: Final = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""A slow phone's network for Chromium: 150 ms for each request, 1.6 Mbit/s, in bytes a second."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure: first visits, and moves of a game."""

    visits: int = 30
    moves: int = 60


QUICK: Final = Plan(visits=5, moves=15)

_FIRST_PAINT: Final = """
() => performance.getEntriesByName("first-contentful-paint")[0].startTime
"""
_FREE_EDGE: Final = """
() => {
  const free = [...document.querySelectorAll(".board .edges line")].filter(
    (line) => line.getAttribute("class").split(" ").includes("free"));
  const box = free[Math.floor(free.length / 2)]?.getBoundingClientRect();
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}
"""


class Traffic:
    """Counts the requests of a page and their bytes as they travel, headers included."""

    def __init__(self, session: CDPSession) -> None:
        self.requests = 0
        self.bytes = 0
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._finished)

    def _finished(self, event: dict[str, Any]) -> None:
        self.requests += 1
        self.bytes += round(event["encodedDataLength"])


def bundled(plan: Plan) -> Numbers:
    """Measure first visits of the page that a wheel has."""
    with bundle() as page:
        return visit(plan, page)


def visit(plan: Plan, served: Path | None = None) -> Numbers:
    """Measure first visits of the lobby, and of the room of a running game, with empty caches.

    The page is the one in the folder `served`, or that of the checkout.
    """
    with site(BOT, page=served) as running, chromium() as browser:
        return visits(plan, running.url, browser)


def visits(plan: Plan, url: str, browser: Browser) -> Numbers:
    """Measure first visits of a server with the bot `BOT`."""
    lobby: list[float] = []
    near: list[_Visit] = []
    far: list[_Visit] = []
    player = context(browser)
    page = player.new_page()
    join(page, url, "Ann")
    play_bot(page, BOT, "5")
    address, state = page.url, player.storage_state()
    player.close()
    for _ in range(plan.visits):
        stranger = context(browser)
        page = stranger.new_page()
        page.goto(url)
        page.locator(".board .edges line").first.wait_for(state="attached")
        lobby.append(page.evaluate(_FIRST_PAINT))
        stranger.close()
        near.append(_visit_room(browser, state, address))
        far.append(_visit_room(browser, state, address, PHONE))
    return {
        "lobby_ms": summary(lobby),
        "room_ms": summary([each.paint_ms for each in near]),
        "playable_ms": summary([each.playable_ms for each in near]),
        "far_playable_ms": summary([each.playable_ms for each in far]),
        "kb": summary([each.traffic.bytes / 1000 for each in near]),
        "requests": summary([float(each.traffic.requests) for each in near]),
    }


@dataclass(frozen=True, slots=True)
class _Visit:
    """When a visitor of a room saw something and could play, and what travelled."""

    paint_ms: float
    playable_ms: float
    traffic: Traffic


def _visit_room(
    browser: Browser, state: Any, address: str, network: Mapping[str, float] | None = None
) -> _Visit:
    player = context(browser, state)
    page = player.new_page()
    session = player.new_cdp_session(page)
    traffic = Traffic(session)
    if network is not None:
        session.send("Network.emulateNetworkConditions", {"offline": False, **network})
    page.goto(address)
    page.evaluate("noted.until(() => noted.playable !== null)")
    times = page.evaluate("noted.playable"), page.evaluate(_FIRST_PAINT)
    page.wait_for_load_state("networkidle")
    player.close()
    return _Visit(times[1], times[0], traffic)


def click(plan: Plan) -> Numbers:
    """Measure the time from a click to the server's confirmation of the move, on 10x10."""
    with site(BOT) as running, chromium() as browser:
        return clicks(plan, running.url, browser)


def clicks(plan: Plan, url: str, browser: Browser) -> Numbers:
    """Measure the moves of a game on a server with the bot `BOT`."""
    page = context(browser).new_page()
    join(page, url, "Bob")
    play_bot(page, BOT, "10")
    for number in range(plan.moves):
        _move(page, number + 1)
    times: list[float] = page.evaluate("noted.confirmed")
    return {"click_ms": summary(times)}


def _move(page: Page, number: int) -> None:
    """Click a free edge and wait until the move is confirmed and it is this player's turn again."""
    # The line below the board follows the move within two frames.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.get_by_text("Your turn").first.wait_for()
    place = page.evaluate(_FREE_EDGE)
    page.mouse.click(*place)
    page.evaluate(f"noted.until(() => noted.confirmed.length === {number})")
