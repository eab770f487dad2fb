"""Compute what a large cluster needs, and what is full first: `python -m benchmarks.scaling`.

Each assumption is an option: `--processes 30 --connections 100000`. `--write` puts the tables into
docs/scaling.md; they have the default values.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path
from typing import Final

from benchmarks.scaling import report
from benchmarks.scaling.costs import read, values
from benchmarks.scaling.load import Load, meanings

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables of docs/scaling.md")
    said = meanings()
    for each in fields(Load):
        kind = int if isinstance(each.default, int) and each.name != "max_rooms" else float
        name = f"--{each.name.replace('_', '-')}"
        text = f"{said[each.name]} ({each.default})".replace("%", "%%")
        parser.add_argument(name, type=kind, default=each.default, help=text)
    options = vars(parser.parse_args(arguments))
    costs = read()
    if options.pop("write"):
        DOCUMENT.write_text(report.filled(DOCUMENT.read_text(), costs))
        return 0
    try:
        load = Load(**options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    plain = values(costs)
    for make in (report.traffic, report.parts, report.limits, report.storms):
        print(make(load, plain), end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
