"""Draw the plots of a report as SVG with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.report import formatting, notes
from doublecross.cli.shared.report.style import SERIES
from doublecross.cli.shared.report.svg import axes_of, colour, legend, svg
from doublecross.stats.pairs import OUTCOMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from doublecross.stats.summary import Summary

MOST_RATINGS: Final = 40
"""The most players in a plot with a row for each; the strongest are shown."""
MOST_COURSES: Final = SERIES
"""The most lines that can be told apart in a plot of ratings over time."""
MOST_HEAT: Final = 100
"""The most players in a heat map."""

_NAME: Final = 20
_LABEL: Final = 44
_MARKERS: Final = "osD^vPX*"


def ratings_svg(summary: Summary) -> str:
    """Draw ratings with their intervals, the strongest on top; an open end is an arrow."""
    there = rated(summary)[:MOST_RATINGS]
    shown = [(n, rating) for n in there if (rating := summary.standings[n].rating)]
    ends = [e for _, r in shown for e in (r.interval.low, r.interval.high) if math.isfinite(e)]
    ends += [rating.elo for n, rating in shown if formatting.is_estimated(summary, n)]
    least, most = min(ends), max(ends)
    margin = max(20.0, 0.08 * (most - least))
    left, right = least - margin, most + margin
    with axes_of(len(there)) as (figure, axes):
        for row, (player, rating) in enumerate(shown):
            span = rating.interval
            low, high = max(span.low, left), min(span.high, right)
            axes.plot([low, high], [row, row], color=colour("accent"), lw=2, alpha=0.75)
            for end, edge, marker in ((span.low, left, "<"), (span.high, right, ">")):
                if math.isinf(end):
                    axes.plot([edge], [row], marker, color=colour("accent"), ms=6, clip_on=False)
                else:
                    axes.plot([end], [row], "|", color=colour("accent"), ms=7, mew=1.5)
            if formatting.is_estimated(summary, player):
                axes.plot([rating.elo], [row], "o", color=colour("ink"), ms=5)
        axes.axvline(0, color=colour("rule"), lw=1, zorder=0)
        axes.set_xlim(left, right)
        _rows(axes, summary, there)
        axes.set_xlabel(f"Elo ({formatting.short(notes.reference(summary), _LABEL)})")
        return svg(figure)


def rated(summary: Summary) -> list[int]:
    """Return the players with a rating or a bound, in the report's order."""
    return [n for n in summary.order if summary.standings[n].rating]


def coursed(summary: Summary) -> list[int]:
    """Return the players with ratings at two moments or more, in the report's order."""
    return [n for n in summary.order if sum(y is not None for y in summary.standings[n].course) > 1]


def course_svg(summary: Summary) -> str:
    """Draw ratings over time, after equal shares of the pairs."""
    from matplotlib.ticker import MaxNLocator

    there = coursed(summary)[:MOST_COURSES]
    names = formatting.shorts(formatting.names(summary), _NAME)
    with axes_of(7, room=0.3 + 0.1 * len(there)) as (figure, axes):
        for at, player in enumerate(there):
            course = summary.standings[player].course
            points = [(x, y) for x, y in zip(summary.moments, course, strict=True) if y is not None]
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour(f"series-{at}"),
                marker=_MARKERS[at],
                ms=4,
                lw=1.6,
                # matplotlib hides labels that begin with an underscore from the legend.
                label="\u200b" + names[player],
            )
        axes.grid(axis="y", color=colour("rule"), lw=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("Pairs played")
        axes.set_xlim(0, summary.moments[-1] * 1.02)
        axes.set_title(
            f"Elo: {formatting.short(notes.steady(summary), _LABEL + 8)}",
            fontsize=9,
            color=colour("dim"),
            loc="left",
        )
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))
        legend(figure, axes, 2)
        return svg(figure)


def llr_svg(course: Sequence[float], bounds: tuple[float, float]) -> str:
    """Draw the LLR of a sequential test after each pair, between its bounds."""
    with axes_of(7) as (figure, axes):
        for bound, name, where in zip(bounds, ("H0", "H1"), ("bottom", "top"), strict=True):
            axes.axhline(bound, color=colour("rule"), lw=1.2, ls="--")
            axes.annotate(name, (0, bound), color=colour("dim"), va=where)
        axes.axhline(0, color=colour("rule"), lw=0.6)
        axes.plot(range(len(course) + 1), (0.0, *course), color=colour("accent"), lw=1.6)
        axes.set_xlim(0, len(course) * 1.02)
        axes.set_xlabel("Pairs counted")
        axes.set_ylabel("LLR")
        return svg(figure)


def pairs_svg(summary: Summary) -> str:
    """Draw how each player's pairs were scored, from 0 to 2 points."""
    there = [n for n in summary.order if summary.standings[n].games][:MOST_RATINGS]
    tones = ("lost", "half-lost", "even", "half-won", "won")
    with axes_of(len(there), room=0.35) as (figure, axes):
        starts = [0.0] * len(there)
        for outcome, points in enumerate(OUTCOMES):
            shares = [
                100 * summary.standings[n].pairs.counts[outcome] / summary.standings[n].pairs.pairs
                for n in there
            ]
            axes.barh(
                range(len(there)),
                shares,
                left=starts,
                height=0.72,
                color=colour(tones[outcome]),
                label=formatting.halves(points),
            )
            starts = [a + b for a, b in zip(starts, shares, strict=True)]
        axes.set_xlim(0, 100)
        _rows(axes, summary, there)
        axes.set_xlabel("% of its pairs, by points in the pair")
        legend(figure, axes, len(OUTCOMES))
        return svg(figure)


def heat_svg(summary: Summary) -> str:
    """Draw what each player (row) scored against each other (column), for many players."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    there = rated(summary)[:MOST_HEAT]
    shares = np.full((len(there), len(there)), math.nan)
    for row, player in enumerate(there):
        for column, other in enumerate(there):
            if met := summary.cells.get((player, other)):
                shares[row, column] = met.pairs.score
    # Colours of pixels cannot follow the theme, so these suit a light and a dark background.
    heat = LinearSegmentedColormap.from_list("heat", ["#d9722e", "#c9c9c9", "#2f78bd"])
    with axes_of(14) as (figure, axes):
        shown = axes.imshow(shares, cmap=heat, vmin=0, vmax=1, interpolation="none")
        axes.set_xlabel("Opponent, by rank")
        axes.set_ylabel("Player, by rank")
        ticks = [at for at in range(len(there)) if at == 0 or (at + 1) % 10 == 0]
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_ticks(ticks, [str(at + 1) for at in ticks])
        bar = figure.colorbar(shown, ax=axes, shrink=0.6, format=lambda x, _: f"{100 * x:.0f} %")
        bar.outline.set_visible(False)
        bar.ax.tick_params(colors=colour("dim"), labelcolor=colour("ink"))
        return svg(figure)


def _rows(axes: Axes, summary: Summary, players: Sequence[int]) -> None:
    names = formatting.shorts(formatting.names(summary), _NAME)
    axes.set_yticks(range(len(players)), [names[n] for n in players])
    axes.set_ylim(len(players) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, pad=8)  # past the arrow of an open end
    axes.spines["left"].set_visible(False)
