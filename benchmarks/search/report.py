"""Turn the figures of the searches into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from benchmarks.figures import Figure, spread


class BoardTarget(NamedTuple):
    """The most that solving an empty board may take: seconds, and millions of bytes of memory."""

    seconds: float
    megabytes: float | None = None


BOARDS: Final[Mapping[str, BoardTarget]] = {
    "3x3": BoardTarget(0.5),
    "3x4": BoardTarget(5, 300),
    "4x4": BoardTarget(720, 1200),
}
POSITIONS: Final[Mapping[str, float]] = {
    "5x5 with 36 free edges": 0.01,
    "5x5 with 38 free edges": 0.1,
    "5x5 with 40 free edges": 0.8,
}
"""The most seconds for the median position."""
MIN_BUSY: Final = 0.9
"""Below this share of a core other programs have slowed the searches down."""


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    parts = {
        "boards": _boards,
        "positions": _positions,
        "textbook": _textbook,
        "against": _against,
        "mcts": _mcts,
    }
    found = [line for name, of in parts.items() if name in results for line in of(results[name])]
    share = min(_shares(results), default=None)
    if share is not None:
        met = share >= MIN_BUSY
        found.append(
            Figure(
                "least share of a core while timed", f"{share:.0%}", f"at least {MIN_BUSY:.0%}", met
            )
        )
    return found


def _boards(part: Mapping[str, Any]) -> Iterator[Figure]:
    for size, row in part.items():
        target = BOARDS.get(size)
        wanted, met, most, fits = "", None, None, None
        if target is not None:
            wanted = f"under {_time(target.seconds)}"
            met = row["seconds"]["median"] < target.seconds
            most = target.megabytes
        peak = row["peak_bytes"] / 1e6
        if most is not None:
            fits = peak <= most
        yield Figure(
            f"solving {size}: value {row['value']:+d}", _times(row["seconds"]), wanted, met
        )
        yield Figure(
            f"memory of that process, table of {row['memory_mb']} MiB",
            f"{peak:,.0f} MB",
            "" if most is None else f"at most {most:,.0f} MB",
            fits,
        )
        yield Figure(f"nodes of {size}", f"{row['nodes']:,}")
        yield Figure(f"nodes a second, {size}", spread(row["per_s"], "", 0))


def _positions(part: Mapping[str, Any]) -> Iterator[Figure]:
    for name, row in part.items():
        target = POSITIONS.get(name)
        met = None if target is None else row["seconds"]["median"] < target
        wanted = "" if target is None else f"under {_time(target)}"
        label = f"solving {name}, {row['count']} of them"
        yield Figure(label, _times(row["seconds"]), wanted, met)
        yield Figure(f"nodes of {name}", spread(row["nodes"], "", 0))
        yield Figure(f"nodes a second, {name}", f"{row['per_s']:,.0f}")


def _textbook(part: Mapping[str, Any]) -> Iterator[Figure]:
    for row in part["searches"]:
        how = "with table" if row["table"] else "without table"
        label = f"textbook alpha-beta {how}, {part['size']} to depth {row['depth']}"
        yield Figure(label, f"{_times(row['seconds'])}, {row['nodes']:,} nodes")


def _against(part: Mapping[str, Any]) -> Iterator[Figure]:
    for name, row in part.items():
        label = "textbook alpha-beta with table / exact solver"
        yield Figure(f"{label}, time, {name}", spread(row["time_ratio"], "", 0))
        yield Figure(f"{label}, nodes, {name}", spread(row["node_ratio"], "", 0))


def _mcts(part: Mapping[str, Any]) -> Iterator[Figure]:
    for name, row in part.items():
        yield Figure(f"simulations a second, mcts, {name}", spread(row["per_s"], "", 0))


def _shares(results: Mapping[str, Any]) -> Iterator[float]:
    """Find all figures named ``busy``, at any depth."""
    for name, value in results.items():
        if name == "busy":
            yield value
        elif isinstance(value, dict):
            yield from _shares(value)


def _unit(seconds: float) -> tuple[float, str]:
    """Return the unit that suits a time: how many of it make a second, and its name."""
    return (1000.0, "ms") if seconds < 1 else (1.0, "s")


def _time(seconds: float) -> str:
    factor, unit = _unit(seconds)
    return f"{seconds * factor:g} {unit}"


def _times(figure: Mapping[str, float]) -> str:
    factor, unit = _unit(figure["median"])
    scaled = {key: value * factor for key, value in figure.items()}
    return spread(scaled, unit, 0 if scaled["median"] >= 100 else 2)
