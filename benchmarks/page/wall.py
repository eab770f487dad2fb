"""Measure how smoothly the wall shows ten live boards: `python -m benchmarks.page.wall`.

Ten pairs play through a server of their own, each of them two moves a second. Chromium shows
their boards at `/watch` or `/watch/tv` with its processor slowed down four times, as on a cheap
phone. The first figure is the time between two frames that the page can draw
(`requestAnimationFrame`): 16.7 ms at 60 frames a second. A frame that comes later than two of
these was dropped. Other programs on the machine drop frames, too, so the last figure is the CPU
time of the page's main thread in the time of one frame, the slowing down included: below 16.7 ms
there is time to spare.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from benchmarks import command, machine
from benchmarks.figures import Figure, spread, summary
from benchmarks.page.browser import NO_CHROMIUM, OPTIONS, program
from benchmarks.page.playing import beside
from benchmarks.processes import ROOT, BenchmarkError
from tests.chaos.floods import Pairs

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

BOARDS: Final = 10
SLOWER: Final = 4
"""How many times slower the processor of the browser is."""
FRAME_MS: Final = 1000 / 60
PATHS: Final = {"wall": "/watch", "big screen": "/watch/tv"}
_GAPS: Final = """
(ms) => new Promise((done) => {
  const gaps = [];
  let moves = 0;
  const seen = new MutationObserver((changes) => { moves += changes.length > 0; });
  seen.observe(document.querySelector("main"), {subtree: true, childList: true, attributes: true});
  const began = performance.now();
  let last = began;
  const frame = (now) => {
    if (now > last) gaps.push(now - last);
    last = now;
    if (now - began < ms) requestAnimationFrame(frame);
    else done({gaps, changes: moves, boards: document.querySelectorAll(".board").length});
  };
  requestAnimationFrame(frame);
})
"""


async def measure(path: str, seconds: float, pause_s: float) -> dict[str, Any]:
    """Return the times between frames in milliseconds, and how many were dropped.

    Raises:
        BenchmarkError: there is no Chromium.
    """
    from playwright.async_api import async_playwright

    chromium = program()
    if chromium is None:
        raise BenchmarkError(NO_CHROMIUM)
    playing = Pairs(BOARDS, pause_s)
    async with beside(playing) as server, async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=OPTIONS, chromium_sandbox=False
        )
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        await page.goto(f"{server.http}{path}")
        await page.locator(".board").first.wait_for()
        await page.wait_for_timeout(2000)
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        await session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        await session.send("Performance.enable")
        playing.take()
        before_s = await _cpu_s(session)
        found = await page.evaluate(_GAPS, 1000 * seconds)
        cpu_s = await _cpu_s(session) - before_s
        moves = len(playing.take())
        await browser.close()
    gaps = found["gaps"]
    return {
        "frame_ms": summary(gaps),
        "frames_per_s": 1000 * len(gaps) / sum(gaps),
        "dropped": sum(gap > 2 * FRAME_MS for gap in gaps) / len(gaps),
        "cpu_ms": 1000 * cpu_s / (60 * seconds),
        "moves_per_s": moves / seconds,
        "boards": found["boards"],
    }


async def _cpu_s(session: CDPSession) -> float:
    """Return the CPU time that the tasks of the main thread have taken, in seconds."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the table."""
    found = []
    for name in PATHS:
        if (part := results.get(name)) is None:
            continue
        rate, dropped = part["frames_per_s"], part["dropped"]
        boards = f"{name}: {part['boards']} boards, {part['moves_per_s']:.0f} moves a second"
        found += [
            Figure(boards, f"{rate:.1f} frames a second", "60", rate > 59),
            Figure("between two frames", spread(part["frame_ms"], "ms", 1)),
            Figure("p95 of the same", f"{part['frame_ms']['p95']:.1f} ms"),
            Figure("frames dropped", f"{dropped:.1%}", "under 1%", dropped < 0.01),
            Figure(
                "CPU time for each of 60 frames a second",
                f"{part['cpu_ms']:.1f} ms",
                f"under {FRAME_MS:.1f} ms",
                part["cpu_ms"] < FRAME_MS,
            ),
        ]
    return found


def run(
    seconds: Annotated[float, typer.Option(help="Seconds of each part.")] = 20.0,
    pause: Annotated[float, typer.Option(help="Seconds between two moves on a board.")] = 0.5,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the frames of a page with ten boards in play on a slow processor."""
    command.measure(
        "wall",
        list(PATHS),
        lambda name: asyncio.run(measure(PATHS[name], seconds, pause)),
        machine.describe(None, ("playwright",)),
        lines,
        out,
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
