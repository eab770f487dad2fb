"""Turn the results of the cluster's benchmark into the lines of its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.figures import Figure, spread


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return one line for each figure."""
    found: list[Figure] = []
    for name, what in (("forward", "elsewhere"), ("apart", "apart")):
        if (part := results.get(name)) is not None:
            found += _compared(part, what)
    if (part := results.get("watch")) is not None:
        found.append(_most("1,000 spectators over three nodes / at one", part["ratio"], 1.15, 2))
        found += [
            Figure(f"a copy to a spectator, {where}", spread(part[key]["all"], "us", 2))
            for key, where in (("one", "one node"), ("three", "three nodes"))
        ]
    if (part := results.get("kill")) is not None:
        title = f"kill -9 of the node of {part['rooms']:,} rooms: all answer after"
        found.append(_most(title, part["all_s"], 4.0, 2, "s"))
    if (part := results.get("drain")) is not None:
        title = f"planned end of the node of {part['rooms']:,} rooms: longest wait for a move"
        found.append(_most(title, part["longest_s"], 0.3, 2, "s"))
    return found


def _compared(part: Mapping[str, Any], what: str) -> list[Figure]:
    found = [
        _most(f"CPU of a move {what} / here", part["ratio"], 1.3, 2),
        _most(f"added p50 of a move {what}", part["added_p50_ms"], 1.0, 2, "ms"),
    ]
    for where in ("here", what):
        rows = part[where]
        places = [place for place in rows if place.startswith("node ")] + ["nats", "postgresql"]
        each = ", ".join(f"{place} {rows[place]['median']:.1f}" for place in places)
        found.append(Figure(f"a move {where}", f"{spread(rows['all'], 'us', 1)}: {each}"))
        found.append(Figure(f"p50 of a move {where}", spread(rows["p50_ms"], "ms", 2)))
    return found


def _most(
    name: str, figure: Mapping[str, float], wanted: float, digits: int, unit: str = ""
) -> Figure:
    """Return a line for a figure that may be at most `wanted`."""
    target = f"at most {wanted:g} {unit}".rstrip()
    return Figure(name, spread(figure, unit, digits), target, figure["median"] <= wanted)
