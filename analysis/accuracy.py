"""Compute how well somebody played, as a percentage.

A turn that cost b boxes counts 2**-b: everything for a turn without a loss, half for a box, a
quarter for two. The accuracy is the mean over all turns in which the player had a choice. So one
blunder of five boxes weighs about as much as two losses of one box each.
"""

from __future__ import annotations

from collections.abc import Iterable


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the accuracy in percent, given the boxes that each turn lost; None without turns."""
    points = [2.0 ** -max(0.0, lost) for lost in losses]
    return 100 * sum(points) / len(points) if points else None
