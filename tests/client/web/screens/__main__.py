"""Take a picture of every screen of the page, in four sizes, light and dark.

    python -m tests.client.web.screens FOLDER [SCREEN ...] [--sizes 360x640] [--themes light]

The pictures lie in FOLDER as `room-360x640-dark.png`. Look at them one by one. Each shows what is
visible without scrolling; `--whole` shows the page down to its end. Each line also says what
axe-core finds, how far things jumped while the screen loaded (more than 0.05 is a fault), and
whether it is wider than the window. The exit code is 1 if something was found.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from playwright.async_api import Browser, Page, TimeoutError, async_playwright  # noqa: A004

from doublecross.server.shell.identity.admins import register_admin
from doublecross.server.store.sql import SqlStore, database_url
from tests.client.tk.harness.serving import RealServer
from tests.client.web.harness.axe import violations
from tests.client.web.harness.browser import launch
from tests.client.web.harness.visitors import IDENTITY, address_of
from tests.client.web.screens.scenes import SCREENS, Screen, World, world

SIZES = ("360x640", "768x1024", "1440x900", "2560x1440")
THEMES = ("light", "dark")
_QUIET_MS = 3_000
_MOST_SHIFT = 0.05
"""The most cumulative layout shift of a screen."""
_SHIFTS = """window.shifted = 0;
window.jumped = new Set();
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    if (each.hadRecentInput) continue;
    window.shifted += each.value;
    for (const { node } of each.sources) window.jumped.add(node?.className || node?.nodeName);
  }
}).observe({ type: "layout-shift", buffered: true });"""


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    screens: Annotated[
        list[str] | None, typer.Argument(help=f"Of {', '.join(SCREENS)}; all by default.")
    ] = None,
    sizes: Annotated[list[str], typer.Option(help="Width x height in pixels.")] = [*SIZES],  # noqa: B006
    themes: Annotated[list[str], typer.Option(help="light, dark or contrast.")] = [*THEMES],  # noqa: B006
    whole: Annotated[bool, typer.Option(help="Show what lies below the window, too.")] = False,
) -> None:
    """Take pictures of the screens."""
    for name in screens or ():
        if name not in SCREENS:
            raise typer.BadParameter(f"there is no screen {name}; there are {', '.join(SCREENS)}")
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {name: SCREENS[name] for name in screens or SCREENS}
    if asyncio.run(_take_all(folder.resolve(), chosen, sizes, themes, whole=whole)):
        raise typer.Exit(1)


async def _take_all(
    folder: Path, screens: dict[str, Screen], sizes: list[str], themes: list[str], *, whole: bool
) -> int:
    """Take the pictures; return how many screens have faults."""
    faulty = 0
    with tempfile.TemporaryDirectory() as data:
        server = RealServer(Path(data), ("easy", "medium"), pause_s=0)
        server.start()
        try:
            server.stop()
            admin = await _admin(Path(data) / "games.db")
            server.start()
            async with async_playwright() as playwright, world(server, admin) as there:
                browser = await launch(playwright.chromium)
                for size in sizes:
                    for theme in themes:
                        for name, screen in screens.items():
                            path = folder / f"{name}-{size}-{theme}.png"
                            found = await _take(
                                browser, there, screen, size, theme, path, whole=whole
                            )
                            faulty += bool(found)
                            print(path, *(f"\n    {each}" for each in found), flush=True)  # noqa: T201
                await browser.close()
        finally:
            server.close()
    return faulty


async def _admin(database: Path) -> str:
    """Make an admin in the database of a server that is stopped; return the token."""
    store = await SqlStore.open(database_url(str(database)))
    try:
        return await register_admin(store, "Boss", int(time.time() * 1000))
    finally:
        await store.close()


async def _take(
    browser: Browser,
    there: World,
    screen: Screen,
    size: str,
    theme: str,
    path: Path,
    *,
    whole: bool,
) -> list[str]:
    width, height = map(int, size.split("x"))
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        contrast="more" if theme == "contrast" else "no-preference",
        has_touch=width < 1000,
        reduced_motion="reduce",
    )
    page = await context.new_page()
    await page.add_init_script(_SHIFTS)
    try:
        await _visit(page, there, screen)
        await page.screenshot(path=path, full_page=whole)
        return await _faults(page)
    finally:
        await context.close()


async def _faults(page: Page) -> list[str]:
    """Return what is wrong with a screen, in sentences."""
    found = [each[:160] for each in await violations(page)]
    shift, jumped, wide = await page.evaluate(
        """() => [
            window.shifted, [...window.jumped].join(", "),
            document.documentElement.scrollWidth - innerWidth]"""
    )
    if shift > _MOST_SHIFT:
        found.append(f"things jumped by {shift:.3f}: {jumped}")
    if wide > 0:
        found.append(f"{wide} px wider than the window")
    return found


async def _visit(page: Page, there: World, screen: Screen) -> None:
    who = there.visitors.get(screen.visitor)
    if who is not None:
        await page.add_init_script(f"localStorage['{IDENTITY}'] ??= {who!r}")
    await page.goto(address_of(there.server, screen.path(there)))
    # Some screens ask again and again, such as the one of a tournament.
    with contextlib.suppress(TimeoutError):
        await page.wait_for_load_state("networkidle", timeout=_QUIET_MS)
    await screen.act(page, there)
    await page.wait_for_timeout(300)


if __name__ == "__main__":
    typer.run(main)
