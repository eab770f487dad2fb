"""Collect times in little memory and find their percentiles."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final, Self

_STEP: Final = 0.01
"""The width of a bucket: each value is at most this share too high."""
_LEAST_S: Final = 1e-6


class Latencies:
    """Counts times in buckets that are 1% wide, so any number of them needs a few kilobytes."""

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self.most_s = 0.0

    def __len__(self) -> int:
        return self._buckets.total()

    def add(self, seconds: float) -> None:
        """Count one time."""
        self.most_s = max(self.most_s, seconds)
        self._buckets[math.ceil(math.log(max(seconds, _LEAST_S) / _LEAST_S) / _STEP)] += 1

    def merge(self, other: Latencies) -> None:
        """Count all times of `other` too."""
        self._buckets += other._buckets
        self.most_s = max(self.most_s, other.most_s)

    def percentile_s(self, share: float) -> float | None:
        """Return the time that `share` (0 to 1) of the times do not exceed; None without times."""
        wanted = math.ceil(share * len(self))
        seen = 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= wanted:
                return min(_LEAST_S * math.exp(bucket * _STEP), self.most_s)
        return None

    def pack(self) -> dict[str, float]:
        """Return everything as JSON can carry it; `unpack` reads it."""
        return {"most_s": self.most_s, **{str(key): n for key, n in self._buckets.items()}}

    @classmethod
    def unpack(cls, packed: dict[str, float]) -> Self:
        """Return what `pack` wrote."""
        found = cls()
        found.most_s = packed["most_s"]
        found._buckets.update({int(k): int(n) for k, n in packed.items() if k != "most_s"})
        return found
