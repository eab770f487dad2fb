"""Measure how long a server takes to start: `python -m benchmarks.start`.

`doublecross serve` starts on an empty database, again and again, until it says that it is ready.
With `--root` the starts alternate between this source tree and another one. The CPU is that of all
threads of the process, the start of the interpreter included; it says more than the time when other
programs use the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from benchmarks import command, figures
from benchmarks.command import Markdown, Out
from benchmarks.machine import describe
from benchmarks.processes import ROOT, BenchmarkError, environment
from benchmarks.server.meter import cpu_s

MOST_S: Final = 0.8
HERE: Final = "here"
THERE: Final = "the other tree"


def start(root: Path) -> tuple[float, float]:
    """Return the time and the CPU until the server of a source tree is ready, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        own = {**environment(folder, root), "HOME": folder}
        # Otherwise every start compiles the modules that have changed.
        own.pop("PYTHONDONTWRITEBYTECODE", None)
        began = time.perf_counter()
        server = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "doublecross", "serve", "--json", "--port", "0"),
                *("--database", f"{folder}/games.db"),
            ],
            env=own,
            stdout=subprocess.PIPE,
        )
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            took_s, used_s = time.perf_counter() - began, cpu_s(server.pid)
        finally:
            server.terminate()
            server.communicate()
        if not line or json.loads(line)["what"] != "ready":
            raise BenchmarkError(f"The server in {root} does not start.")
        return took_s, used_s


def measure(trees: Mapping[str, Path], rounds: int) -> dict[str, dict[str, float]]:
    """Return all figures of starts that alternate between the trees, by their names."""
    found: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        for name, root in trees.items():
            took_s, used_s = start(root)
            if number:  # the first start may compile modules
                found.setdefault(f"ready, {name}", []).append(took_s)
                found.setdefault(f"CPU, {name}", []).append(used_s)
    return {name: figures.summary(values) for name, values in found.items()}


def _lines(results: Mapping[str, Any]) -> list[figures.Figure]:
    lines = []
    for name, values in results["start"].items():
        text = figures.spread(values, "s", 2)
        if name == f"ready, {HERE}":
            met = values["median"] <= MOST_S
            lines.append(figures.Figure(name, text, f"at most {MOST_S:g} s", met))
        else:
            lines.append(figures.Figure(name, text))
    return lines


def main(
    rounds: Annotated[int, typer.Option(min=1, help="Number of starts of each tree.")] = 12,
    root: Annotated[Path | None, typer.Option(help="Another source tree to compare with.")] = None,
    out: Out = Path("var/benchmarks"),
    markdown: Markdown = False,
) -> None:
    """Measure how long a server takes to start on an empty database."""
    trees = {HERE: ROOT} if root is None else {HERE: ROOT, THERE: root.resolve()}
    machine = describe(out)
    command.measure(
        "Start", ["start"], lambda _: measure(trees, rounds), machine, _lines, out, markdown
    )


if __name__ == "__main__":
    typer.run(main)
