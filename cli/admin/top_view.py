"""Draw the readings of a server for a terminal of at least 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from doublecross.cli.admin.top_readings import Reading, change, comparable, rate, refusing
from doublecross.cli.shared.times import duration
from doublecross.protocol.text import printable

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

_HEAD: Final = 7
"""The lines above the tables, and an empty one."""
_MOST_REFUSING: Final = 6
_LEAST: Final = 3
"""The fewest lines of a list, however low the terminal is."""
FULL: Final = 40
"""The height of the view without a terminal, in lines."""
_CELL: Final = 19
"""The columns of one figure; four fit beside each other in 80."""


def view(
    now: Reading, before: Reading | None, address: str, height: int, notice: str = ""
) -> Group:
    """Return the picture of a reading, in at most about `height` lines.

    `before` is the reading before it, and `notice` a sentence about what does not work.
    """
    from rich.console import Group
    from rich.text import Text

    counters = refusing(now, before)
    lines = max(height - _HEAD - 2, 0)
    refused = min(len(counters), _MOST_REFUSING, max(_LEAST, lines // 4))
    left = max(lines - (refused + 2 if refused else 0), 2 * (_LEAST + 2))
    # Each list has a line with its columns, and one below it.
    rooms = max(_LEAST, min(len(now.rooms), (left - 4 + 1) // 2))
    players = max(_LEAST, left - 4 - min(rooms, len(now.rooms)))
    parts: list[RenderableType] = [
        _line(_title(now, before, address), "bold"),
        _line(notice, "bold red"),
        _figures(now, before),
        _line(_queues(now)),
        Text(),
    ]
    if refused:
        parts += [_refusing(now, before, refused), Text()]
    parts += [_rooms(now, rooms), Text(), _players(now, players)]
    return Group(*parts)


def _line(text: str, style: str = "") -> RenderableType:
    from rich.text import Text

    return Text(text, style, no_wrap=True, overflow="ellipsis")


def _title(now: Reading, before: Reading | None, address: str) -> str:
    seen = now.overview
    parts = [f"Doublecross {seen['version']}", f"up {duration(seen['uptime_s'])}"]
    if seen.get("nodes"):  # not of an older server
        parts.append(_nodes(seen["nodes"]))
    if seen["draining"]:
        parts.append("draining: nothing new begins")
    if comparable(now, before) is None:
        parts.append("rates since its start")
    return ", ".join([*parts, address])


def _nodes(nodes: Sequence[Mapping[str, Any]]) -> str:
    """Return how many nodes there are, and their versions when these differ."""
    versions = sorted({node["version"] for node in nodes if "version" in node})
    if len(versions) < 2:
        return f"{len(nodes)} nodes"
    return f"{len(nodes)} nodes with versions {', '.join(versions[:-1])} and {versions[-1]}"


def _figures(now: Reading, before: Reading | None) -> Table:
    from rich.table import Table

    seen = now.overview

    def whole(label: str, name: str) -> str:
        return f"{label} {seen[name]:,}{_signed(change(name, now, before))}"

    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(4):
        table.add_column(width=_CELL, no_wrap=True, overflow="ellipsis")
    table.add_row(
        whole("Connected", "connections"),
        whole("Players", "players"),
        whole("Rooms", "rooms"),
        whole("In play", "games_in_play"),
    )
    table.add_row(
        f"Moves/s {rate('moves', now, before):,.1f}",
        f"Commits/s {rate('commits', now, before):,.1f}",
        whole("Tournaments", "tournaments_running"),
        whole("Bans", "bans"),
    )
    table.add_row(
        f"Commit {seen['commit_p50_ms']:,.1f} ms",
        f"99% {seen['commit_p99_ms']:,.1f} ms",
        f"Loop lag {seen['loop_lag_ms']:,.1f} ms",
        "",
    )
    return table


def _queues(now: Reading) -> str:
    waiting = ", ".join(f"{name} {count:,}" for name, count in now.overview["queues"].items())
    return f"Waiting: {waiting}" if waiting else ""


def _signed(number: int) -> str:
    return f" {number:+,}" if number else ""


def _refusing(now: Reading, before: Reading | None, most: int) -> Table:
    found = refusing(now, before)
    more = f" ({len(found) - most} more)" if len(found) > most else ""
    table = _table(f"Limits, refusals and drops{more}", 0, ("total", 12), ("change", 10))
    for each in found[:most]:
        name = printable(f"{each.kind}: {each.name.replace('_', ' ')}")
        style = "yellow" if each.change else ""
        table.add_row(
            name, f"{each.total:,}", f"{each.change:+,}" if each.change else "", style=style
        )
    return table


def _rooms(now: Reading, most: int) -> Table:
    table = _table(
        "Room",
        12,
        ("Game", 22),
        ("Status", 9),
        ("Players", 0),
        ("Move", 5),
        ("Watch", 6),
    )
    for each in now.rooms[:most]:
        names = " – ".join(name or "(free)" for name in each["players"])
        table.add_row(
            each["room"],
            printable(f"{each['game']} {each['size']}"),
            each["status"],
            printable(names),
            str(each["ply"]),
            str(each["spectators"]),
        )
    return table


def _players(now: Reading, most: int) -> Table:
    table = _table(
        "Player",
        0,
        ("Kind", 12),
        ("Address", 20),
        ("Here for", 13),
        ("Rooms", 5),
    )
    for each in now.players[:most]:
        kind = (each["engine"] or "bot") if each["kind"] == "bot" else "person"
        table.add_row(
            printable(each["name"]) + (" (admin)" if each["admin"] else ""),
            printable(kind),
            each["address"],
            duration(each["connected_s"]),
            str(len(each["rooms"])),
        )
    return table


_NUMBERS: Final = ("total", "change", "Move", "Watch", "Rooms")


def _table(first: str, width: int, *others: tuple[str, int]) -> Table:
    """Return a table with these columns and widths; one of width 0 takes what is left."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", expand=True)
    for name, columns in ((first, width), *others):
        table.add_column(
            name,
            width=columns or None,
            ratio=None if columns else 1,
            justify="right" if name in _NUMBERS else "left",
            no_wrap=True,
            overflow="ellipsis",
        )
    return table
