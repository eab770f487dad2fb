"""Turn the figures of the window into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.figures import Figure, spread

FIRST_S: Final = 0.1
"""The most seconds for the first drawing of a board."""
CLICK_S: Final = 0.016
"""The most seconds from a click to its edge: one frame of a screen with 60 frames a second."""
MOST_GROWTH: Final = 1.5
"""The most that a late click may cost, as a multiple of an early one."""


def lines(results: Mapping[str, Any], size: str) -> list[Figure]:
    """Return the lines of the parts that were measured on a board of this size."""
    found: list[Figure] = []
    for prefix, where in (("", ""), ("screen-", ", whole screen")):
        if part := results.get(f"{prefix}first"):
            found += _times(f"first draw of {size}{where}", part["seconds"], FIRST_S)
        if part := results.get(f"{prefix}click"):
            found += _clicks(part, f"{size}{where}")
    return found


def _clicks(part: Mapping[str, Any], what: str) -> Iterator[Figure]:
    yield from _times(f"click to its drawn edge, {what}", part["seconds"], CLICK_S)
    if "opponent" in part:
        yield from _times(
            f"the opponent's move to its drawn edge, {what}", part["opponent"], CLICK_S
        )
    growth = part["late"] / part["early"]
    yield Figure(
        f"last tenth of a game / first tenth of it, {what}",
        f"{growth:.2f}",
        f"at most {MOST_GROWTH}",
        growth <= MOST_GROWTH,
    )


def _times(name: str, seconds: Mapping[str, float], wanted: float) -> Iterator[Figure]:
    target = f"under {wanted * 1000:.0f} ms"
    in_ms = {key: value * 1000 for key, value in seconds.items()}
    yield Figure(name, spread(in_ms, "ms", 1), target, seconds["median"] < wanted)
    yield Figure("p95 of the same", f"{in_ms['p95']:.1f} ms", target, seconds["p95"] < wanted)
