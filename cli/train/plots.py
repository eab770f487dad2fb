"""Draw how a training run went, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.report.svg import axes_of, colour, legend, svg
from doublecross.cli.train.progress import unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from doublecross.cli.train.progress import Progress

TITLES: Final = {
    "losses": "Losses of the learner",
    "best": "Positions with a best move",
    "lost": "Lost in a game against best play",
    "matches": "Score against other bots",
}
"""The plots and their titles."""
_MARKERS: Final = "osD^vPX*"
_ROWS: Final = 9
_LEGEND_IN: Final = 0.4


def plots(progress: Progress) -> dict[str, str]:
    """Return the plots that have data, as SVG without titles, by name."""
    found = {}
    for name, draw in (
        ("losses", _losses), ("best", _best), ("lost", _lost), ("matches", _matches)
    ):  # fmt: skip
        with axes_of(_ROWS, _LEGEND_IN) as (figure, axes):
            if draw(axes, progress):
                axes.set_xlabel("Steps of the learner")
                axes.grid(axis="y", color=colour("rule"), lw=0.6)
                axes.set_axisbelow(True)
                legend(figure, axes, 3)
                found[name] = svg(figure)
    return found


def _line(axes: Axes, number: int, points: list[tuple[float, float]], label: str) -> None:
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=colour(f"series-{number % 8}"),
        marker=_MARKERS[number % 8] if len(points) < 40 else None,
        ms=4,
        lw=1.6,
        label=label,
    )


def _losses(axes: Axes, progress: Progress) -> bool:
    for number, name in enumerate(("policy", "score", "mean", "ownership")):
        if any(e[name] for e in progress.losses):
            _line(axes, number, [(e["step"], e[name]) for e in progress.losses], name)
    axes.set_ylim(bottom=0)
    return bool(progress.losses)


def _truth(axes: Axes, progress: Progress, key: str, factor: float) -> bool:
    for number, size in enumerate(progress.sizes):
        rows = [entry for entry in progress.truths if entry["size"] == size]
        _line(axes, number, [(e["step"], factor * e[key]) for e in rows], size)
    return bool(progress.truths)


def _best(axes: Axes, progress: Progress) -> bool:
    axes.set_ylabel("percent")
    return _truth(axes, progress, "best", 100.0)


def _lost(axes: Axes, progress: Progress) -> bool:
    drawn = _truth(axes, progress, "lost", 1.0)
    axes.set_ylim(bottom=0)
    for entry in progress.truths[:1]:
        axes.set_ylabel(unit_of(entry))
    return drawn


def _matches(axes: Axes, progress: Progress) -> bool:
    lines: dict[str, list[tuple[float, float]]] = {}
    for entry in progress.matches:
        label = f"{entry['against']} {entry['size']}"
        lines.setdefault(label, []).append((entry["step"], entry["score"]))
    for number, (label, points) in enumerate(lines.items()):
        _line(axes, number, points, label)
    axes.set_ylim(0, 102)
    axes.set_ylabel("percent")
    return bool(lines)
