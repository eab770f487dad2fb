"""Turn the figures of the page into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.figures import Figure, spread

PAINT_MS: Final = 300
"""The most milliseconds from opening an address to the first paint."""
PLAYABLE_MS: Final = 1000
"""The most milliseconds until a board can be played."""
CLICK_MS: Final = 30
"""The most milliseconds from a click to the confirmed move."""
VISIT_KB: Final = 150
"""The most kilobytes of a first visit that leads to a board."""


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    found: list[Figure] = []
    if part := results.get("visit"):
        found += _times("first paint of the lobby, empty cache", part["lobby_ms"], PAINT_MS)
        found += _times("first paint of a room, empty cache", part["room_ms"], PAINT_MS)
        found += _times("board that can be played, empty cache", part["playable_ms"], PLAYABLE_MS)
        far = part["far_playable_ms"]
        found.append(Figure("the same with 100 ms for each request", spread(far, "ms", 1)))
        kb = part["kb"]
        found.append(
            Figure(
                "first visit of a room",
                spread(kb, "KB", 0),
                f"under {VISIT_KB} KB",
                kb["median"] < VISIT_KB,
            )
        )
        found.append(Figure("its requests", spread(part["requests"], "", 0)))
    if part := results.get("click"):
        found += _times("click to confirmed move, 10x10", part["click_ms"], CLICK_MS)
    return found


def _times(name: str, ms: Mapping[str, float], wanted: int) -> Iterator[Figure]:
    target = f"under {wanted} ms"
    yield Figure(name, spread(ms, "ms", 1), target, ms["median"] < wanted)
    yield Figure("p95 of the same", f"{ms['p95']:.1f} ms")
