"""Names of chains and loops in phrases."""

from __future__ import annotations

from doublecross.games.dots_and_boxes.structure import Chain, Loop


def named(region: Chain | Loop) -> tuple[str, int]:
    """Return what a region is called, ``chain`` or ``loop``, and how many boxes it has."""
    return ("loop" if isinstance(region, Loop) else "chain"), len(region)
