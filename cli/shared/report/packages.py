"""Check before anything is played that the packages for a report are installed."""

from __future__ import annotations

import importlib.util
from typing import Final

from doublecross.cli.shared.console import Problem
from doublecross.processes.installation import how_to_add

RATINGS: Final = ("numpy",)
PLOTS: Final = ("matplotlib", *RATINGS)


def need_ratings() -> None:
    """Refuse to go on if the packages for ratings are not installed."""
    _need("Ratings need", RATINGS, "ratings")


def need_plots() -> None:
    """Refuse to go on if the packages for the page are not installed."""
    _need("A report with plots needs", PLOTS, "reports")


def _need(what: str, packages: tuple[str, ...], extra: str) -> None:
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise Problem(
            f"{what} packages that are not installed ({', '.join(missing)}): {how_to_add(extra)}"
        )
