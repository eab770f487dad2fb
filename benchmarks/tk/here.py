"""Measure "Play here", from the command to a playable board: `python -m benchmarks.tk.here`.

Theory of operation
-------------------
The command `doublecross play` runs in a process of its own with an empty home folder. That process
clicks the buttons of the window as soon as they can be clicked, so the figures contain the time of
the program and none of a person. The board counts as playable when it is drawn and this player may
move.

Afterwards the window asks for a hint, as players do. When no more processes begin or end, this
module counts the processes of the window. Their memory is their proportional set size (PSS): memory
that several processes share is divided among them, so the sum is what the window really needs. The
first run compiles the kernels if they are not in the cache; it is not counted.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from benchmarks import command, figures, machine
from benchmarks.processes import ROOT, BenchmarkError, Process
from benchmarks.tk.measure import software

if TYPE_CHECKING:
    import tkinter as tk

    from doublecross.client.tk.app import App

MOST_PLAYABLE_S: Final = 4.0
"""The most seconds from the command to a playable board."""
MOST_PROCESSES: Final = 6
MOST_CLICKS: Final = 2
MOST_PSS_MB: Final = 322.0
"""The most memory of all processes together, in MiB."""
_STEADY_S: Final = 5.0
"""For so many seconds no process may begin or end before they are counted."""
_CHECK_MS: Final = 5
_CLICKS: Final = "play_here,quick"
"""The names of the buttons that lead from the start to a match against a bot."""
_MODULE: Final = "benchmarks.tk.here"
_MODULES: Final = (
    "doublecross.processes.fork_server",
    "doublecross.cli.main",
    "doublecross.bots.hosting.resident",
    "doublecross.bots.workers.child",
    "doublecross.bots.advising.adviser",
)
"""What the processes run beside the window."""


def family(pid: int) -> list[int]:
    """Return the ids of a process and of all its descendants."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += family(int(child))
    return found


def memory_mb(pid: int) -> dict[str, float]:
    """Return the resident and the proportional set size of a process, in MiB."""
    found = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, *size = line.split()
        if name in ("Rss:", "Pss:"):
            found[name[:-1].lower()] = int(size[0]) / 1024
    if len(found) < 2:
        raise BenchmarkError(f"The process {pid} has no memory map.")
    return found


def cpu_s(pid: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def module_of(pid: int) -> str:
    """Return the module that a process runs; a fork has its name, others have it in an argument."""
    name = Path(f"/proc/{pid}/comm").read_text().strip()
    line = Path(f"/proc/{pid}/cmdline").read_text()
    found = re.search(r'"module": "([^"]+)"', line)
    if found is None:
        return "the window"
    return next((module for module in _MODULES if module.endswith(name)), found[1])


# -- inside the program ------------------------------------------------------------------------


class Clicker:
    """Clicks the buttons of the window of `app`, and reports to standard output what happens.

    `began` is when the command was started, by the monotonic clock.
    """

    def __init__(self, app: App, buttons: list[str], began: float) -> None:
        self._app = app
        self._buttons = buttons
        self._began = began
        self._times: dict[str, float] = {}
        self._look()

    def _look(self) -> None:
        if self._buttons:
            if self._click(self._buttons[0]):
                self._times[self._buttons.pop(0)] = self._passed
        elif "playable" not in self._times:
            if self._playable():
                self._app.root.update_idletasks()
                self._app.root.winfo_pointerx()  # the X server has drawn everything before
                self._times["playable"] = self._passed
        elif "hint" not in self._times:
            if self._click("hint"):
                self._times["hint"] = self._passed
        elif self._hinted():
            self._times["hinted"] = self._passed
            print(json.dumps(self._times), flush=True)
            return
        self._app.root.after(_CHECK_MS, self._look)

    @property
    def _passed(self) -> float:
        return time.monotonic() - self._began

    def _click(self, name: str) -> bool:
        button = _find(self._app.root, name)
        if button is None or "disabled" in button.state():
            return False
        button.invoke()
        return True

    def _playable(self) -> bool:
        from doublecross.client.tk.screens.room.screen import RoomScreen

        screen = self._app.navigator.screen
        if not isinstance(screen, RoomScreen) or screen.model is None:
            return False
        return screen.model.my_turn and screen.view is not None

    def _hinted(self) -> bool:
        hint = _find(self._app.root, "hint")
        return hint is not None and "disabled" not in hint.state()


def _find(parent: tk.Misc, name: str) -> Any:
    """Return the visible widget with this name, or None."""
    for child in parent.winfo_children():
        if child.winfo_name() == name and child.winfo_viewable():
            return child
        found = _find(child, name)
        if found is not None:
            return found
    return None


def inside() -> None:
    """Run `doublecross play`, and click in its window."""
    buttons, began = sys.argv[2].split(","), float(sys.argv[3])
    sys.argv[:] = ["doublecross", "play", "--name", "Ann"]
    import doublecross.client.tk.app as window
    from doublecross.cli.main import main

    original = window.App.run

    def run(self: App) -> int:
        Clicker(self, buttons, began)
        return original(self)

    window.App.run = run  # type: ignore[method-assign]
    main()


# -- the measurement ---------------------------------------------------------------------------


def _settled(pid: int) -> list[int]:
    """Return the family of a process once its members have stayed the same for a while."""
    found, since = family(pid), time.monotonic()
    while time.monotonic() - since < _STEADY_S:
        time.sleep(0.2)
        now = family(pid)
        if now != found:
            found, since = now, time.monotonic()
    return found


def once(clicks: str) -> dict[str, Any]:
    """Run the program once; return its times, its processes and their memory."""
    with tempfile.TemporaryDirectory() as folder:
        homes = {f"XDG_{name}_HOME": folder for name in ("CONFIG", "DATA", "STATE")}
        os.environ.update(homes)
        with Process(_MODULE, "inside", clicks, str(time.monotonic())) as program:
            times = program.read()
            members = [
                {"module": module_of(pid), "cpu_s": cpu_s(pid), **memory_mb(pid)}
                for pid in _settled(program.pid)
            ]
    return {
        "times": times,
        "clicks": len(clicks.split(",")),
        "processes": len(members),
        "each": members,
        **{name: sum(each[name] for each in members) for name in ("pss", "rss", "cpu_s")},
    }


def _lines(results: Mapping[str, Any]) -> list[figures.Figure]:
    runs = results["here"]["runs"]

    def spread(of: list[float]) -> dict[str, float]:
        return {"median": statistics.median(of), "least": min(of), "most": max(of)}

    def line(name: str, of: list[float], unit: str, digits: int, most: float) -> figures.Figure:
        value = spread(of)
        target = f"at most {most:g} {unit}".rstrip() if most else ""
        met = value["median"] <= most if most else None
        return figures.Figure(name, figures.spread(value, unit, digits), target, met)

    def times(name: str) -> list[float]:
        return [run["times"][name] for run in runs]

    first = next(iter(runs[0]["times"]))
    return [
        line("from the command to the first click", times(first), "s", 2, 0),
        line("... to a playable board", times("playable"), "s", 2, MOST_PLAYABLE_S),
        line("clicks", [run["clicks"] for run in runs], "", 0, MOST_CLICKS),
        line("processes after a hint", [run["processes"] for run in runs], "", 0, MOST_PROCESSES),
        line("their processor time", [run["cpu_s"] for run in runs], "s", 2, 0),
        line("their memory (RSS)", [run["rss"] for run in runs], "MiB", 0, 0),
        line("their memory (PSS)", [run["pss"] for run in runs], "MiB", 0, MOST_PSS_MB),
        *(
            line(f"... {module}", sizes, "MiB", 0, 0)
            for module in ("the window", *_MODULES)
            if (sizes := [e["pss"] for run in runs for e in run["each"] if e["module"] == module])
        ),
    ]


def run(
    rounds: Annotated[int, typer.Option(min=1, help="How often to measure.")] = 3,
    clicks: Annotated[str, typer.Option(help="The buttons to click, by name.")] = _CLICKS,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure "Play here": time to the first board, clicks, processes and memory.

    It needs a display, such as xvfb-run python -m benchmarks.tk.here. It starts the program once
    more than it counts, so that all kernels are compiled.
    """
    once(clicks)
    command.measure(
        "here",
        ["here"],
        lambda _: {"runs": [once(clicks) for _ in range(rounds)]},
        {**machine.describe(None, machine.TK_LIBRARIES), **software()},
        _lines,
        out,
        markdown,
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["inside"]:
        inside()
    else:
        typer.run(run)
