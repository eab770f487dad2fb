"""Compute what a large cluster needs, and what is full first: `python -m benchmarks.scaling`.

Each assumption is an option: `--processes 30 --connections 100000`. `--write` puts the tables into
docs/scaling.md; they have the default values. `python -m benchmarks.scaling fit` compares the model
with three real nodes, and `fit --keep` keeps what it measures for the table there.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from benchmarks.scaling import fit, report
from benchmarks.scaling.costs import read, values
from benchmarks.scaling.load import Load, meanings

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["fit"]:
        return _fit(given[1:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables of docs/scaling.md")
    said = meanings()
    for each in fields(Load):
        kind = int if isinstance(each.default, int) and each.name != "max_rooms" else float
        name = f"--{each.name.replace('_', '-')}"
        text = f"{said[each.name]} ({each.default})".replace("%", "%%")
        parser.add_argument(name, type=kind, default=each.default, help=text)
    options = vars(parser.parse_args(given))
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
    print("Three real nodes, as they were measured last:\n")
    print(report.fit_load(fit.read()), end="\n\n")
    print(report.fit(fit.read(), plain))
    return 0


def _fit(arguments: list[str]) -> int:
    """Measure three real nodes, and print the comparison; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scaling fit", description=fit.__doc__
    )
    parser.add_argument("--keep", action="store_true", help="keep it for docs/scaling.md")
    plan = fit.Plan()
    parser.add_argument("--rate", type=float, default=plan.rate, help="moves a second")
    parser.add_argument("--pairs", type=float, default=plan.pairs, help="pairs of visitors")
    parser.add_argument("--seconds", type=float, default=plan.seconds, help="of the measurement")
    parser.add_argument("--no-play", action="store_true", help="visitors look at the lobby only")
    options = parser.parse_args(arguments)
    chosen = {"rate": options.rate, "pairs": options.pairs, "seconds": options.seconds}
    found = fit.measured(replace(plan, **chosen, play=not options.no_play))
    if options.keep:
        fit.FILE.write_text(fit.text(found))
    print(report.fit(found, values(read())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
