"""Turn the figures of the page into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.figures import Figure, spread

PAINT_MS: Final = 300
"""The most milliseconds from opening an address to the first paint."""
PLAYABLE_MS: Final = 1500
"""The most milliseconds until a board can be played, without a network."""
FAR_MS: Final = 2500
"""The most milliseconds until a board of the bundled page can be played at 1.6 Mbit/s."""
CLICK_MS: Final = 30
"""The most milliseconds from a click to the confirmed move."""
VISIT_KB: Final = 150
"""The most kilobytes of a first visit that leads to a board."""


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    found: list[Figure] = []
    for name in ("checkout", "bundle"):
        if part := results.get(name):
            found += _visits(name, part)
    if part := results.get("click"):
        found += _times("click to confirmed move, 10x10", part["click_ms"], CLICK_MS)
    return found


def _visits(name: str, part: Mapping[str, Any]) -> Iterator[Figure]:
    """Yield the lines of first visits. Only a bundled page has to be fast in a slow network."""
    yield from _times(f"{name}: first paint of the lobby, empty cache", part["lobby_ms"], PAINT_MS)
    yield from _times(f"{name}: first paint of a room, empty cache", part["room_ms"], PAINT_MS)
    yield from _times(
        f"{name}: board that can be played, empty cache", part["playable_ms"], PLAYABLE_MS
    )
    far, kb = part["far_playable_ms"], part["kb"]
    far_name, kb_name = "the same at 1.6 Mbit/s, 150 ms a request", f"{name}: first visit of a room"
    if name == "bundle":
        yield from _times(far_name, far, FAR_MS)
        met = kb["median"] < VISIT_KB
        yield Figure(kb_name, spread(kb, "KB", 0), f"under {VISIT_KB} KB", met)
    else:
        yield Figure(far_name, spread(far, "ms", 1))
        yield Figure(kb_name, spread(kb, "KB", 0))
    yield Figure("its requests", spread(part["requests"], "", 0))


def _times(name: str, ms: Mapping[str, float], wanted: int) -> Iterator[Figure]:
    target = f"under {wanted} ms"
    yield Figure(name, spread(ms, "ms", 1), target, ms["median"] < wanted)
    yield Figure("p95 of the same", f"{ms['p95']:.1f} ms")
