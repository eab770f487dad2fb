"""Draw figures of matplotlib as SVG pictures that follow the reader's light or dark colours.

Theory of operation
-------------------
Nothing of matplotlib's global state is used but its parameters, and those only inside a context:
figures are made directly, without pyplot, and drawn by the SVG backend. Texts stay texts, so that
the reader's browser, which has more fonts, writes the names. Colours are marks (``#0101xx``) that
become CSS variables in the finished SVG, which brings their values for light and dark: one
picture for both. The same input gives the same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from doublecross.cli.shared.report.style import PALETTE, colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH_IN: Final = 5.2
_MARK: Final = re.compile(r"(fill|stroke|stop-color): #0101([0-9a-f]{2})")
_VARIABLES: Final = tuple(PALETTE)
_PARAMETERS: Final[Any] = {
    "svg.fonttype": "none",
    # A fixed salt, so that the ids in the picture are the same in every run.
    "svg.hashsalt": "doublecross",
    # A name with dollar signs is not a formula.
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "figure.dpi": 72,
}


def colour(name: str) -> str:
    """Return the placeholder that becomes the CSS variable of that name."""
    return f"#0101{_VARIABLES.index(name):02x}"


@contextmanager
def axes_of(rows: int, room: float = 0.0) -> Iterator[tuple[Figure, Axes]]:
    """Give a figure with its axes: space for so many rows, and `room` inches more."""
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.figure import Figure

    with rc_context(), warnings.catch_warnings():
        rcdefaults()  # the user's own settings would give other pictures
        rcParams.update(_PARAMETERS)
        # matplotlib measures with its own font, which may lack letters of some names.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        height = 0.7 + room + 0.27 * max(rows, 2)
        figure = Figure(figsize=(_WIDTH_IN, height), layout="constrained")
        axes = figure.add_subplot()
        figure.patch.set_visible(False)
        axes.patch.set_visible(False)
        for spine in axes.spines.values():
            spine.set_color(colour("rule"))
        axes.tick_params(color=colour("rule"), labelcolor=colour("ink"), length=3)
        axes.xaxis.label.set_color(colour("dim"))
        axes.yaxis.label.set_color(colour("dim"))
        yield figure, axes


def legend(figure: Figure, axes: Axes, columns: int) -> None:
    """Name the lines or bars above the axes, in so many columns."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside upper center",
        ncols=columns,
        frameon=False,
        labelcolor=colour("ink"),
        handlelength=1.6,
        columnspacing=1.2,
    )


def svg(figure: Figure) -> str:
    """Return the picture with the colours of both modes in it."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.BytesIO()
    # Dates and versions would make the same input give other bytes.
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure)
    figure.savefig(out, format="svg", metadata=nothing)
    text = out.getvalue().decode("utf-8")
    text = text[text.index("<svg") :]
    text = _MARK.sub(lambda found: f"{found[1]}: var(--{_VARIABLES[int(found[2], 16)]})", text)
    style = f"<style>{colours()}text{{font-family:var(--fonts)!important}}</style>"
    end = text.index(">") + 1
    return f"{text[:end]}\n{style}{text[end:]}"
