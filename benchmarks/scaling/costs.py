"""Read the table of unit costs, `costs.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("costs.toml")


@dataclass(frozen=True, slots=True)
class Cost:
    """One figure: its value in the unit of its name, what it is, and where it is from."""

    value: float
    what: str
    source: str
    estimate: bool = False


Costs = Mapping[str, float]
"""The values alone, by name."""


def read(path: Path = FILE) -> dict[str, Cost]:
    """Return the costs of a file.

    Raises:
        ValueError: a value is negative.
        TypeError: an entry has other fields.
    """
    found = {name: Cost(**fields) for name, fields in tomllib.loads(path.read_text()).items()}
    for name, cost in found.items():
        if cost.value < 0:
            raise ValueError(f"{path.name}: {name} is negative")
    return found


def values(costs: Mapping[str, Cost]) -> Costs:
    """Return the values alone."""
    return {name: cost.value for name, cost in costs.items()}
