"""Measure how long the page needs to draw a move on its board: `python -m benchmarks.page.redraw`.

Theory of operation
-------------------
Chromium shows the board alone, without a server or other widgets, and a script plays a random game
on it. For each move the figure is the CPU time of the page's main thread, from Chromium's trace:
the component and its changes of the document, and then style, layout and paint until the second
frame after the move. The second frame already belongs to the animation of the move. CPU time
hardly depends on what else the machine does. Drawing the pixels happens in another thread or in
the graphics card, and is not counted.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from random import Random
from typing import Any, Final

import typer

from benchmarks import command, machine
from benchmarks.figures import Figure, spread, summary
from benchmarks.page.browser import chromium
from benchmarks.processes import ROOT
from doublecross.games.registry import make_game
from doublecross.server.core.rooms.snapshot import board
from doublecross.server.shell.web.boards.catalogue import geometry_of

REDRAW_MS: Final = 8.0
"""The most milliseconds for drawing a move on 10x10."""
GAMES: Final = 3
_SCRIPT: Final = "FunctionCall"
_DRAWING: Final = ("UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
"""The events of a trace that belong to drawing."""
_PAGE: Final = """<!doctype html><meta charset="utf-8"><title>Redraw</title>
<link rel="stylesheet" href="/style/colours.css">
<link rel="stylesheet" href="/style/base.css"><link rel="stylesheet" href="/style/board.css">
<script type="importmap">{"imports": {"preact": "/vendor/preact.js", "htm": "/vendor/htm.js",
"preact/hooks": "/vendor/preact-hooks.js"}}</script>
<main class="page"></main>
<script type="module">
import { render } from "preact";
import { html } from "/html.js";
import { Board } from "/board/board.js";
const seats = [{name: "Ann", initial: "A"}, {name: "Bo", initial: "B"}];
const main = document.querySelector("main");
const draw = (game, ply) => render(html`<${Board} geometry=${game.geometry} seats=${seats}
  position=${game.positions[ply]} features=${game.features?.[ply]} seat=${null} label="Board" />`,
  main);
const frame = () => new Promise(requestAnimationFrame);
const rest = () => new Promise((done) => setTimeout(done, 30));
const channel = new MessageChannel();
const drawInTask = (game, ply) => new Promise((done) => {
  channel.port1.onmessage = () => { draw(game, ply); done(); };
  channel.port2.postMessage(0);
});
window.play = async (game) => {
  draw(game, 0);
  for (let ply = 1; ply < game.positions.length; ply += 1) {
    await rest();
    await frame();
    performance.mark("move");
    await drawInTask(game, ply);
    await frame();
    await frame();
    performance.mark("drawn");
  }
};
document.body.dataset.ready = "yes";
</script>"""


class _Handler(SimpleHTTPRequestHandler):
    """Answers with the files of the page, and with the page that shows the board alone."""

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        body = _PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def _site() -> Iterator[str]:
    handler = partial(_Handler, directory=str(ROOT / "client" / "web"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def random_game(size: str, seed: int, *, features: bool) -> dict[str, Any]:
    """Return what the page gets of a random game of Dots and Boxes."""
    game = make_game("dots-and-boxes", make_game("dots-and-boxes").parse_size(size))
    rng, state = Random(seed), game.initial_state()
    positions: list[dict[str, Any]] = []
    found: list[list[dict[str, Any]]] = []
    drawers: list[int] = []
    while True:
        moves = state.history()
        over = state.is_terminal()
        mover = None if over else state.current_player()
        shown = {"played": moves, "drawers": list(drawers), "last": moves[-1] if moves else None}
        positions.append({**board(state), **shown, "toMove": mover})
        found.append([asdict(feature) for feature in state.features()])
        if over:
            break
        drawers.append(state.current_player())
        state.apply(rng.choice(state.legal_actions()))
    more = {"features": found} if features else {}
    return {"geometry": geometry_of(game), "positions": positions, **more}


def measure(size: str, games: int, *, features: bool) -> dict[str, Any]:
    """Return the milliseconds of a move's script, and of script and drawing together.

    Raises:
        BenchmarkError: there is no Chromium.
    """
    scripts: list[float] = []
    whole: list[float] = []
    with _site() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 800, "height": 800})
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.evaluate("game => play(game)", random_game(size, 0, features=features))  # warm up
        for seed in range(1, games + 1):
            game = random_game(size, seed, features=features)
            browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing"])
            page.evaluate("game => play(game)", game)
            events = json.loads(browser.stop_tracing())["traceEvents"]
            for script, drawing in _moves(events):
                scripts.append(script)
                whole.append(script + drawing)
    return {"moves": len(whole), "script_ms": summary(scripts), "redraw_ms": summary(whole)}


def _moves(events: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """Return the milliseconds of script and of drawing for each move."""
    marks = sorted(
        (each["ts"], each["name"])
        for each in events
        if each["cat"] == "blink.user_timing" and each["name"] in ("move", "drawn")
    )
    work: list[tuple[int, str, float]] = []
    end = 0
    counted = [
        each
        for each in events
        if each.get("ph") == "X" and each["name"] in (_SCRIPT, *_DRAWING) and "tdur" in each
    ]
    for each in sorted(counted, key=lambda each: (each["ts"], -each["dur"])):
        if each["ts"] >= end:  # otherwise it is a part of the one before
            work.append((each["ts"], each["name"], each["tdur"] / 1000))
            end = each["ts"] + each["dur"]
    found = []
    for (begin, name), (drawn, _) in pairwise(marks):
        if name == "move":
            part = [(kind, took) for at, kind, took in work if begin <= at < drawn]
            script = sum(took for kind, took in part if kind == _SCRIPT)
            found.append((script, sum(took for _, took in part) - script))
    return found


def lines(results: dict[str, Any]) -> list[Figure]:
    """Return the lines of the table."""
    found = []
    for name, part in results.items():
        if name in ("at", "machine"):
            continue
        target = f"under {REDRAW_MS:g} ms"
        redraw, script = part["redraw_ms"], part["script_ms"]
        move = spread(redraw, "ms", 2)
        found.append(Figure(f"{name}: a move", move, target, redraw["median"] < REDRAW_MS))
        p95 = redraw["p95"]
        found.append(Figure("p95 of the same", f"{p95:.2f} ms", target, p95 < REDRAW_MS))
        found.append(Figure("of that in scripts", spread(script, "ms", 2)))
    return found


def run(
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure how long the page needs to draw a move."""
    games = 1 if quick else GAMES
    parts = {
        "5x5": partial(measure, "5x5", games, features=False),
        "10x10": partial(measure, "10x10", games, features=False),
        "10x10 with chains and loops": partial(measure, "10x10", games, features=True),
    }
    command.measure(
        "redraw",
        list(parts),
        lambda name: parts[name](),
        machine.describe(None, ("playwright",)),
        lambda results: lines(dict(results)),
        out,
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
