"""The look of the page of a review: that of reports, and what reviews have besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublecross.cli.shared.report import style
from doublecross.server.pictures.colours import COLOURS, Theme

_COSTS: Final[Mapping[Theme, Mapping[str, str]]] = {
    "light": {"great": "#b3261e", "clear": "#9a4a00", "small": "#75600a"},
    "dark": {"great": "#ff8a80", "clear": "#ffb074", "small": "#e8d06a"},
}
"""The colours of costs; each is readable on the cards of the page."""


def sheet() -> str:
    """Return the whole style sheet."""
    light, dark = _colours("light"), _colours("dark")
    colours = f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f"{style.sheet()}{colours}{_RULES}"


def _colours(theme: Theme) -> str:
    look = COLOURS[theme]
    colours = {**_COSTS[theme], "better": look.better, "last": look.last}
    colours |= {f"seat-{seat}": look.strokes[seat] for seat in (0, 1)}
    return "".join(f"--{name}:{value};" for name, value in colours.items())


_RULES: Final = """
.values{display:block;width:100%;height:auto;font-size:13px}
.values text{fill:var(--dim)}
.axis{stroke:var(--rule);stroke-width:1.5}
.turning{stroke:var(--great);stroke-width:1.5;stroke-dasharray:5 4}
.curve{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round}
.band{fill:var(--shade);opacity:.35}
circle.seat-0{fill:var(--seat-0)}
circle.seat-1{fill:var(--seat-1)}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:20px}
.boards figure{min-width:0}
.boards svg{display:block;width:100%;height:auto;border-radius:8px}
.boards figcaption{margin-top:8px;color:var(--ink);font-size:.9375rem}
.boards figcaption p{margin:0 0 4px}
.key{display:inline-block;width:1.6em;height:.45em;border-radius:.3em;margin:0 .35em .1em 0}
.key.played{background:var(--last)}
.key.better{background:var(--better)}
.great,.clear,.small{font-weight:600}
.great{color:var(--great)}
.clear{color:var(--clear)}
td.small,.cost.small{color:var(--small)}
.moves td,.moves th{vertical-align:top}
.moves .why{text-align:left;white-space:normal;min-width:28ch}
.moves .seat{text-align:left}
.in-dark{display:none}
@media (prefers-color-scheme:dark){.in-dark{display:block}.in-light{display:none}}
@media print{.in-dark{display:none}.in-light{display:block}}
"""
