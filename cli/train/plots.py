"""Draws how a training run went, with matplotlib, as PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from cli.report.style import LIGHT
from cli.train.progress import unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cli.train.progress import Progress

TITLES: Final = {
    "losses": "Losses of the learner",
    "best": "Positions with a best move",
    "lost": "Lost in a game against best play",
    "matches": "Score against other bots",
}
"""The plots and their titles."""
_MARKERS: Final = "osD^vPX*"


def plots(progress: Progress) -> dict[str, bytes]:
    """Return the plots that have data, as PNG, by name."""
    found = {}
    for name, draw in (
        ("losses", _losses), ("best", _best), ("lost", _lost), ("matches", _matches)
    ):  # fmt: skip
        picture = _picture(name, draw, progress)
        if picture is not None:
            found[name] = picture
    return found


def _picture(name: str, draw: Any, progress: Progress) -> bytes | None:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    parameters: Any = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}
    with matplotlib.rc_context(parameters):
        figure = Figure(figsize=(7.2, 3.8), dpi=144, layout="constrained", facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        if not draw(axes, progress):
            return None
        axes.set_title(TITLES[name], loc="left", color=LIGHT["ink"])
        axes.set_xlabel("Steps of the learner", color=LIGHT["dim"])
        axes.grid(axis="y", color=LIGHT["rule"], lw=0.7)
        axes.set_axisbelow(True)
        # Beside the axes, so that it hides no line.
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        file = io.BytesIO()
        # No date and no version, so that the same journal gives the same bytes.
        figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _line(axes: Axes, number: int, points: list[tuple[float, float]], label: str) -> None:
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=LIGHT[f"series-{number % 8}"],
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
    axes.set_ylabel("percent", color=LIGHT["dim"])
    return _truth(axes, progress, "best", 100.0)


def _lost(axes: Axes, progress: Progress) -> bool:
    drawn = _truth(axes, progress, "lost", 1.0)
    axes.set_ylim(bottom=0)
    for entry in progress.truths[:1]:
        axes.set_ylabel(unit_of(entry), color=LIGHT["dim"])
    return drawn


def _matches(axes: Axes, progress: Progress) -> bool:
    lines: dict[str, list[tuple[float, float]]] = {}
    for entry in progress.matches:
        label = f"{entry['against']} {entry['size']}"
        lines.setdefault(label, []).append((entry["step"], entry["score"]))
    for number, (label, points) in enumerate(lines.items()):
        _line(axes, number, points, label)
    axes.set_ylim(0, 102)
    axes.set_ylabel("percent", color=LIGHT["dim"])
    return bool(lines)
