"""Measure the board in a real window: its first drawing, and the time from a click to its edge.

Theory of operation
-------------------
Everything happens in this process, as in the program: Tk delivers a click as an event, the model
plays the move, and the canvas changes. Tk only sends requests to the X server, which draws later.
So each measurement ends with a query to the X server, which answers when it has drawn everything
before. Nothing else happens in the window meanwhile, and animations end before the next click.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from benchmarks.processes import BenchmarkError
from doublecross.games.api import Game
from doublecross.games.registry import game_class

if TYPE_CHECKING:
    import tkinter

    from doublecross.client.tk.models.board.model import BoardModel
    from doublecross.client.tk.widgets.board.view import BoardView

SIDE: Final = 800
"""The width and the height of the window, in pixels."""
MOST_S: Final = 5.0
"""Longer than any animation, and the most time for a window to appear, in seconds."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure: the number of boards to draw, and of games to click through."""

    boards: int = 40
    games: int = 5
    size: str = "10x10"


QUICK: Final = Plan(boards=15, games=1)

Numbers = dict[str, Any]


def missing() -> str:
    """Return why the window cannot be measured, in one sentence; empty if it can."""
    try:
        import tkinter
    except ImportError:
        return (
            "Python has no tkinter, so the window is not measured; on Debian and Ubuntu install"
            " the package python3-tk."
        )
    try:
        tkinter.Tk().destroy()
    except tkinter.TclError:
        named = os.environ.get("DISPLAY")
        what = f"The display {named} cannot be used" if named else "There is no display"
        return f"{what}, so the window is not measured; with Xvfb: xvfb-run python -m benchmarks tk"
    return ""


def software() -> dict[str, str]:
    """Return the versions of Tk and of the X server, as name and text."""
    if missing():
        return {}
    import tkinter

    root = tkinter.Tk()
    try:
        tcl = root.tk.call
        return {"tk": f"{tcl('info', 'patchlevel')}, {root.winfo_server()}"}
    finally:
        root.destroy()


def first(plan: Plan) -> Numbers:
    """Time how long it takes to make, lay out and draw a board in an empty window."""
    from doublecross.client.tk.models.board.model import BoardModel
    from doublecross.client.tk.models.colours import make_colours
    from doublecross.client.tk.widgets.board.view import BoardView

    game = game_of(plan)
    times = []
    for _ in range(plan.boards):
        with window() as root:
            began = time.perf_counter()
            view = BoardView(
                root,
                BoardModel(game),
                make_colours("classic", dark=False),
                on_action=None,
                clock=time.monotonic,
            )
            view.pack(fill="both", expand=True)
            draw(root)
            times.append(time.perf_counter() - began)
    return {"seconds": spread(times), "rounds": times}


def click(plan: Plan) -> Numbers:
    """Time from a click on a free edge until it is drawn, for every edge of whole games.

    `early` and `late` are the medians of the first and the last tenth of the moves of a game.
    """
    game = game_of(plan)
    rounds = []
    for seed in range(plan.games):
        with window() as root:
            rounds.append(_one_game(root, game, Random(seed)))
    tenth = max(1, game.num_actions // 10)
    return {
        "seconds": spread([one for times in rounds for one in times]),
        "early": statistics.median(one for times in rounds for one in times[:tenth]),
        "late": statistics.median(one for times in rounds for one in times[-tenth:]),
        "rounds": rounds,
    }


def _one_game(root: tkinter.Tk, game: Game, rng: Random) -> list[float]:
    """Time clicks on all edges of a game, in random order."""
    from doublecross.client.tk.models.board.model import BoardModel
    from doublecross.client.tk.models.colours import make_colours
    from doublecross.client.tk.widgets.board.view import BoardView

    def play(action: int) -> None:
        changes = board.show((), (*board.moves, action))
        view.refresh(changes, initials=("A", "B"), pending=(action,))
        view.mover = board.state.current_player()

    board, colours = BoardModel(game), make_colours("classic", dark=False)
    view = BoardView(root, board, colours, on_action=play, clock=time.monotonic)
    view.pack(fill="both", expand=True)
    view.playable, view.mover = True, 0
    draw(root)
    actions = list(range(game.num_actions))
    rng.shuffle(actions)
    return [_one_click(root, view, board, action) for action in actions]


def _one_click(root: tkinter.Tk, view: BoardView, board: BoardModel, action: int) -> float:
    x, y = view.pixel_of(action)
    view.event_generate("<Motion>", x=x, y=y)
    for step in range(1, 50):
        view.tick(time.monotonic() + step * MOST_S / 50)
    draw(root)
    began = time.perf_counter()
    view.event_generate("<ButtonPress-1>", x=x, y=y)
    draw(root)
    took = time.perf_counter() - began
    if board.last != action:
        raise BenchmarkError(f"The click on edge {action} did not draw it.")
    return took


def game_of(plan: Plan) -> Game:
    """Return the game. Its geometry is computed now, so that no measurement includes it."""
    kind = game_class("dots-and-boxes")
    game = kind(kind.parse_size(plan.size))
    game.geometry()
    return game


@contextmanager
def window() -> Iterator[tkinter.Tk]:
    """Show an empty window inside this context."""
    if reason := missing():
        raise BenchmarkError(reason)
    import tkinter

    from doublecross.client.tk import theme
    from doublecross.client.tk.models.colours import make_colours

    root = tkinter.Tk()
    try:
        root.geometry(f"{SIDE}x{SIDE}")
        theme.apply(root, make_colours("classic", dark=False))
        _until(root, lambda: bool(root.winfo_viewable()) and root.winfo_width() == SIDE)
        yield root
    finally:
        root.destroy()


def _until(root: tkinter.Tk, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + MOST_S
    while not condition():
        if time.monotonic() > end:
            raise BenchmarkError(
                "The window does not appear. Check that the display works and no other window"
                " covers it."
            )
        draw(root)


def draw(root: tkinter.Tk) -> None:
    """Handle all events and draw; return when the X server has drawn everything.

    Any query would do; `winfo_pointerxy` is a cheap one.
    """
    root.update()
    root.winfo_pointerxy()


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th percentile and the extremes."""
    ordered = sorted(seconds)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))],
        "least": ordered[0],
        "most": ordered[-1],
    }
