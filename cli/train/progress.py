"""Sort the entries of a run's journal, and write them as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

Entry = dict[str, Any]

LOSSES: Final = ("step", "seconds", "policy", "score", "mean", "ownership")
RATINGS: Final = (
    "step", "seconds", "kind", "size", "best", "loss", "lost", "free", "unit", "against", "score",
    "accepted", "pairs", "verdict",
)  # fmt: skip


class Progress:
    """The entries of a journal by kind, in order."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.losses: list[Entry] = []
        self.truths: list[Entry] = []
        self.gates: list[Entry] = []
        self.matches: list[Entry] = []
        self.samples: dict[str, int] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add an entry; unknown kinds are left out."""
        match entry.get("kind"):
            case "learn":
                self.losses.append(entry)
            case "truth":
                self.truths.append(entry)
            case "gate":
                self.gates.append(entry)
            case "match":
                self.matches.append(entry)
            case "labels" | "self-play":
                key = f"{entry['size']} {entry['kind']}"
                self.samples[key] = self.samples.get(key, 0) + entry["samples"]

    @property
    def sizes(self) -> list[str]:
        """The sizes that were tested."""
        return list(dict.fromkeys(entry["size"] for entry in self.truths))

    def newest_truth(self) -> dict[str, Entry]:
        """Return the newest test against the truth of each size."""
        return {entry["size"]: entry for entry in self.truths}

    def losses_csv(self) -> str:
        """Return the losses as CSV."""
        return _csv(LOSSES, self.losses)

    def ratings_csv(self) -> str:
        """Return all tests, gates and matches as CSV."""
        rows = [
            {**entry, "pairs": sum(entry["counts"])} if "counts" in entry else entry
            for entry in (*self.truths, *self.gates, *self.matches)
        ]
        return _csv(RATINGS, sorted(rows, key=lambda row: row["step"]))


def unit_of(entry: Entry) -> str:
    """Return what a test against the truth counts."""
    return str(entry.get("unit", "boxes"))


def _csv(names: Sequence[str], rows: Iterable[Entry]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
