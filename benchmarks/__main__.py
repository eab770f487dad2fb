"""`python -m benchmarks` measures the server, with the options of `python -m benchmarks.server`."""

from __future__ import annotations

import typer

from benchmarks.server.__main__ import run

if __name__ == "__main__":
    typer.run(run)
