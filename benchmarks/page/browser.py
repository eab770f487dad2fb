"""Run a server with one bot, and Chromium with pages of it.

The times are those of the browser's own clock: `performance.now()` counts from the start of the
navigation. Scripts that run before the page's own watch its document and note when things happen.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from benchmarks.processes import ROOT, BenchmarkError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
OPTIONS: Final = (
    *("--disable-background-networking", "--disable-component-update", "--disable-gpu"),
    *("--disable-quic", "--disable-sync", "--no-first-run"),
)
NO_CHROMIUM: Final = "There is no Chromium; on Debian: apt-get install chromium."
WINDOW: Final[ViewportSize] = {"width": 1024, "height": 768}
PATIENCE_MS: Final = 20_000
"""The most milliseconds for any step in a page."""

# Notes when the board can be played: it has edges, and the room says whose turn it is.
_WATCH: Final = """
window.noted = {playable: null, confirmed: [], clicked: null, waiting: []};
noted.until = (holds) => new Promise((done) => {
  if (holds()) done();
  else noted.waiting.push([holds, done]);
});
noted.look = () => noted.waiting.forEach(([holds, done]) => { if (holds()) done(); });
new MutationObserver((changes) => {
  const now = performance.now();
  if (noted.playable === null
      && document.querySelector('.board[data-mode="play"] .edges line'))
    requestAnimationFrame(() => { noted.playable ??= performance.now(); noted.look(); });
  for (const change of changes)
    if (change.attributeName === "class" && noted.clicked !== null
        && (change.oldValue ?? "").split(" ").includes("pending")
        && !change.target.classList.contains("pending")) {
      noted.confirmed.push(now - noted.clicked);
      noted.clicked = null;
      noted.look();
    }
}).observe(document, {subtree: true, childList: true, attributes: true,
                      attributeFilter: ["class"], attributeOldValue: true});
addEventListener("pointerup", () => { noted.clicked = performance.now(); }, true);
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running server; `url` is the address of its page."""

    url: str


@contextmanager
def bundle() -> Iterator[Path]:
    """Make the page as it is in a wheel, and return its folder.

    Raises:
        BenchmarkError: there is no esbuild.
    """
    with tempfile.TemporaryDirectory() as folder:
        build = ("setup.py", "--quiet", "build_py", "--build-lib", folder)
        subprocess.run([sys.executable, *build], cwd=ROOT, check=True)
        page = Path(folder, "doublecross/client/web")
        if (page / "libraries.json").exists():
            raise BenchmarkError("There is no esbuild to bundle the page: run make node.")
        yield page


@contextmanager
def site(*bots: str, page: Path | None = None) -> Iterator[Site]:
    """Run a server with these bots until the end of the block, with another page if there is one.

    Raises:
        BenchmarkError: the server does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-P", "-m", "doublecross.cli.main", "serve", "--json", "--port", "0"),
            *("--database", str(Path(folder) / "games.db"), "--bot-pause", "0"),
            *("--bots", ",".join(bots)),
        ]
        chosen = {} if page is None else {"DOUBLECROSS_PAGE": str(page)}
        env = {**os.environ, **chosen, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                ready = _line(server)
                for _ in bots:
                    _line(server)
                yield Site(ready["http"])
            finally:
                server.terminate()
                server.wait(15)


def _line(server: subprocess.Popen[str]) -> dict[str, Any]:
    assert server.stdout is not None
    line = server.stdout.readline()
    if not line:
        raise BenchmarkError("The server has ended before it was ready.")
    ready: dict[str, Any] = json.loads(line)
    return ready


def program() -> str | None:
    """Return where Chromium is, None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Chromium until the end of the block.

    Raises:
        BenchmarkError: there is none.
    """
    from playwright.sync_api import sync_playwright

    path = program()
    if path is None:
        raise BenchmarkError(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=OPTIONS, chromium_sandbox=False
        )
        try:
            yield browser
        finally:
            browser.close()


def context(browser: Browser, state: Any = None) -> BrowserContext:
    """Return a browser profile with an empty cache, and with the stored names of `state`."""
    made = browser.new_context(viewport=WINDOW, storage_state=state)
    made.set_default_timeout(PATIENCE_MS)
    made.add_init_script(_WATCH)
    return made


def join(page: Page, url: str, name: str) -> None:
    """Open the lobby as a new player."""
    page.goto(url)
    page.get_by_role("button", name="Play a friend").click()
    page.get_by_label("Your name", exact=True).fill(name)
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Invite a friend").wait_for()
    page.keyboard.press("Escape")


def play_bot(page: Page, bot: str, size: Literal["5", "10"]) -> None:
    """Begin a game of Dots and Boxes without a clock against a bot from the lobby."""
    page.get_by_role("button", name="Change what you play").click()
    for side in ("Rows", "Columns"):
        page.get_by_label(side).fill(size)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name=bot).first.click()
    page.wait_for_url("**/room/*")  # the lobby has a board too
    page.locator(".board .edges line").first.wait_for(state="attached")
