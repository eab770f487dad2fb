"""The tables of the model, as Markdown; `docs/scaling.md` has some of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from math import isinf
from typing import Final

from benchmarks.scaling import fit as measured
from benchmarks.scaling import model
from benchmarks.scaling.costs import Cost, Costs, values
from benchmarks.scaling.load import Load, meanings
from benchmarks.scaling.traffic import traffic as traffic_of

LARGE: Final = Load()
SIZES: Final = (3, 10, 30, 100)
EACH: Final = 10_000
"""Connections of each node in the table of sizes."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def number(value: float) -> str:
    """Return a number with two or three digits that count."""
    if isinf(value):
        return "never"
    if value == int(value) and value < 10_000:
        return f"{value:,.0f}"
    if value >= 10_000:
        digits = len(str(int(value))) - 3
        return f"{round(value, -digits):,.0f}"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}"


def percent(share: float) -> str:
    """Return a share in percent."""
    if share < 0.001:
        return "below 0.1%"
    return f"{number(100 * share)}%"


def seconds(value: float) -> str:
    """Return a time."""
    if value < 100:
        return f"{number(value)} s"
    return f"{number(value / 60)} min" if value < 6000 else f"{number(value / 3600)} h"


def limits(load: Load, costs: Costs) -> str:
    """Return what can be full, the fullest first, and at how many connections it is full."""
    rows = []
    for each in model.limits(load, costs):
        at = model.full_at(load, costs, each.name)
        used = f"{number(each.used)} of {number(each.most)} {each.unit}".rstrip()
        rows.append((each.name, used, percent(each.share), number(at)))
    return table(("what", "used", "full", "full at connections"), rows)


def parts(load: Load, costs: Costs) -> str:
    """Return the processor time of a node and of the leader by part."""
    rows = []
    for what, used in (("node", model.node(load, costs)), ("leader", model.leader(load, costs))):
        rows += [(f"{what}: {name}", percent(value)) for name, value in used.items()]
        rows.append((f"**{what}, in all**", f"**{percent(sum(used.values()))}**"))
    return table(("part", "of a core"), rows)


def traffic(load: Load, costs: Costs) -> str:
    """Return what happens in the cluster, and what NATS and PostgreSQL have to do."""
    found = traffic_of(load)
    over = model.links(load, found, costs)
    updates = model.lobby(load, found, costs)
    messages, size, nats = model.nats(load, costs)
    stored, wal, postgres = model.postgres(load, costs)
    rows = [
        ("rooms in play", number(found.rooms)),
        ("moves a second", number(found.moves)),
        ("copies of moves for spectators a second", number(found.copies)),
        ("matches that end in a second", number(found.matches)),
        ("logins a second", number(found.logins)),
        ("players whose room is at another node", percent(found.elsewhere)),
        ("pairs of nodes, one for each direction", number(over.pairs)),
        ("items about moves over links a second", number(over.items)),
        ("batches a second, and for a pair", f"{number(over.batches)}, {_each(over)}"),
        ("beats of idle links a second", number(over.beats)),
        ("NATS: messages a second", number(messages)),
        ("NATS: MB a second", number(size / 1e6)),
        ("NATS: cores", number(nats)),
        ("PostgreSQL: commits a second", number(stored)),
        ("PostgreSQL: WAL, MB a second", number(wal / 1e6)),
        ("PostgreSQL: cores", number(postgres)),
        ("an update of the lobby, KB a second for each who follows", number(updates.bytes / 1000)),
    ]
    return table(("in the whole cluster", ""), rows)


def _each(over: model.Links) -> str:
    return number(over.batches / over.pairs) if over.pairs else "0"


def storms(load: Load, costs: Costs) -> str:
    """Return how long things take after a death."""
    rows = [(name, seconds(value)) for name, value in model.storms(load, costs).items()]
    return table(("after a death", "takes"), rows)


def sizes(load: Load, costs: Costs) -> str:
    """Return the fullest parts of clusters of several sizes."""
    rows = []
    for processes in SIZES:
        small = replace(load, processes=processes, connections=processes * EACH)
        shares = {each.name: each.share for each in model.limits(small, costs)}
        over = model.links(small, traffic_of(small), costs)
        nobody = replace(small, connections=0)
        idle = model.links(nobody, traffic_of(nobody), costs)
        listed = ("processor of a node", "processor of the leader", "processors of NATS")
        stores = percent(shares["processors of PostgreSQL"])
        rows.append(
            (
                number(processes),
                number(small.connections),
                *(percent(shares[name]) for name in listed),
                stores,
                number(over.batches + over.beats),
                number(idle.beats),
            )
        )
    heads = ("nodes", "connections", "node", "leader", "NATS", "PostgreSQL")
    return table((*heads, "batches and beats a second", "the same if nobody plays"), rows)


def assumptions(load: Load) -> str:
    """Return the assumptions with their values."""
    said = meanings()
    rows = []
    for each in fields(load):
        value = getattr(load, each.name)
        shown = "-1" if value == -1 else number(value)
        rows.append((f"`--{each.name.replace('_', '-')}`", shown, said[each.name]))
    return table(("option", "value", "what"), rows)


def fit(found: measured.Fit, costs: Costs) -> str:
    """Return what three nodes used, and what the model says of it."""
    expected = measured.expected(found, costs)
    rows = []
    for name, what in measured.NAMES.items():
        value, wanted = found.used[name], expected[name]
        rows.append((what, number(value), number(wanted), f"{value / wanted:.2f}"))
    return table(("what", "measured", "model", "measured / model"), rows)


def fit_load(found: measured.Fit) -> str:
    """Return the load for which that holds."""
    rows = [
        ("rooms in play, one player of two at another node", number(found.rooms)),
        ("moves a second", number(found.moves)),
        ("logins by token a second, each with the lobby and a quick match", number(found.logins)),
        ("rooms opened a second", number(found.opened)),
        ("followers of the lobby", number(found.followers)),
        ("a commit takes, in ms", number(found.commit_ms)),
    ]
    return table(("three nodes", ""), rows)


def unit_costs(costs: Mapping[str, Cost]) -> str:
    """Return the table of unit costs with their sources."""
    rows = []
    for name, cost in costs.items():
        unit = "bytes" if "bytes" in name or "byte" in name else "us"
        mark = " (estimate)" if cost.estimate else ""
        rows.append((cost.what, f"{number(cost.value)} {unit}{mark}", cost.source))
    return table(("what", "cost", "source"), rows)


BLOCKS: Final[Mapping[str, Callable[[Mapping[str, Cost]], str]]] = {
    "limits": lambda costs: limits(LARGE, values(costs)),
    "parts": lambda costs: parts(LARGE, values(costs)),
    "traffic": lambda costs: traffic(LARGE, values(costs)),
    "storms": lambda costs: storms(LARGE, values(costs)),
    "sizes": lambda costs: sizes(LARGE, values(costs)),
    "assumptions": lambda _: assumptions(LARGE),
    "costs": unit_costs,
    "fit": lambda costs: fit(measured.read(), values(costs)),
    "load": lambda _: fit_load(measured.read()),
}
"""The tables that documents have, by name."""
_BLOCK: Final = re.compile(r"(<!-- model: (\w+) -->\n)(?:.*?\n)??(<!-- end -->)", re.DOTALL)


def filled(text: str, costs: Mapping[str, Cost]) -> str:
    """Return a document with its tables made anew.

    Raises:
        KeyError: it asks for a table that there is none of.
    """
    return _BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]](costs)}\n{found[3]}", text)
