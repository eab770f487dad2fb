"""Define the look of the page: light and dark colours for page and plots, and the style sheet.

The series are those of Okabe and Ito (2008), made lighter or darker so that each stands out from
its ground; a plot tells them apart by markers too. Heat runs from vermilion over the ground to
blue, which people with any of the common kinds of colour blindness tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FONTS: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
HEATS: Final = 11
"""The number of shades of a heat map, from no points to all."""
SERIES: Final = 8

LIGHT: Final[Mapping[str, str]] = {
    "ground": "#fafafa",
    "card": "#ffffff",
    "ink": "#1c1c1c",
    "dim": "#5f5f5f",
    "rule": "#dedede",
    "accent": "#1d5bbf",
    "warning": "#8a4b00",
    "shade": "#b4b4b4",
    "lost": "#d9722e",
    "half-lost": "#f0b78f",
    "even": "#d4d4d4",
    "half-won": "#93bfe6",
    "won": "#2f78bd",
    "series-0": "#0069a6",
    "series-1": "#c95800",
    "series-2": "#00805e",
    "series-3": "#a83f7d",
    "series-4": "#8a6d00",
    "series-5": "#2b8fc4",
    "series-6": "#5b4bb3",
    "series-7": "#444444",
}
DARK: Final[Mapping[str, str]] = {
    "ground": "#1c1c1c",
    "card": "#262626",
    "ink": "#f2f2f2",
    "dim": "#a9a9a9",
    "rule": "#3d3d3d",
    "accent": "#86b6ff",
    "warning": "#ffc37a",
    "shade": "#5c5c5c",
    "lost": "#e07b3a",
    "half-lost": "#8f5634",
    "even": "#5a5a5a",
    "half-won": "#3f668c",
    "won": "#5aa5ea",
    "series-0": "#56b4e9",
    "series-1": "#ffa04d",
    "series-2": "#3fcf9f",
    "series-3": "#e893c4",
    "series-4": "#f0e442",
    "series-5": "#9ad1f5",
    "series-6": "#b3a6ff",
    "series-7": "#d0d0d0",
}


def colours() -> str:
    """Return the colours as CSS variables, light or dark as the reader prefers."""

    def block(palette: Mapping[str, str]) -> str:
        return ":root{" + "".join(f"--{name}:{value};" for name, value in palette.items()) + "}"

    return f"{block(LIGHT)}\n@media (prefers-color-scheme:dark){{{block(DARK)}}}\n"


def mix(colour: str, ground: str, share: float) -> str:
    """Mix `share` of `colour`, from 0 to 1, with `ground`; colours are ``#rrggbb``."""
    parts = (
        round(int(colour[at : at + 2], 16) * share + int(ground[at : at + 2], 16) * (1 - share))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)


def heat(share: float) -> str:
    """Return the CSS class of a cell with this share of the points, from 0 to 1."""
    return f"heat-{round(share * (HEATS - 1))}"


def _heats(palette: Mapping[str, str], most: float) -> str:
    """Return shades with at most so much of a colour, so that text on them stays readable."""
    middle = (HEATS - 1) / 2
    steps = []
    for at in range(HEATS):
        far = abs(at - middle) / middle
        colour = palette["won" if at > middle else "lost"]
        steps.append(f".heat-{at}{{background:{mix(colour, palette['card'], most * far)}}}")
    return "".join(steps)


def sheet() -> str:
    """Return the whole style sheet of the page."""
    dark = f"@media (prefers-color-scheme:dark){{{_heats(DARK, 0.5)}}}"
    return f"{colours()}{_RULES.replace('FONTS', FONTS)}{_heats(LIGHT, 0.62)}\n{dark}\n"


_RULES: Final = """
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 FONTS}
main{max-width:1160px;margin:0 auto;padding:24px 20px 48px}
h1{font-size:1.9rem;line-height:1.2;margin:8px 0 4px;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:0 0 12px}
p{margin:0 0 8px}
a{color:var(--accent)}
.about,.note,figcaption,footer{color:var(--dim)}
.about{margin-bottom:20px;overflow-wrap:anywhere}
.note,figcaption{font-size:.875rem}
.note{margin:10px 0 0;max-width:75ch}
.warning{color:var(--warning);margin:0 0 4px}
.warning:last-child{margin-bottom:16px}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;
padding:18px 20px;margin:0 0 16px;min-width:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;
margin:0 0 16px}
.tiles div{background:var(--card);border:1px solid var(--rule);border-radius:10px;
padding:12px 16px}
.tiles dt{color:var(--dim);font-size:.875rem}
.tiles dd{margin:0;font-size:1.35rem;font-weight:600;line-height:1.3}
.tiles small{display:block;font-size:.8rem;font-weight:400;color:var(--dim)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:0 16px;
align-items:start}
.plots>section:last-child:nth-child(odd){grid-column:1/-1}
figure{margin:0}
figure img{display:block;width:100%;max-width:560px;height:auto;margin:0 auto}
.scroll{overflow-x:auto;margin-right:-20px;padding-right:20px;
background:linear-gradient(90deg,var(--card) 40%,transparent) 0 0/48px 100% no-repeat local,
linear-gradient(270deg,var(--card) 40%,transparent) 100% 0/48px 100% no-repeat local,
linear-gradient(90deg,var(--shade),transparent) 0 0/18px 100% no-repeat scroll,
linear-gradient(270deg,var(--shade),transparent) 100% 0/18px 100% no-repeat scroll}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:separate;border-spacing:0;font-size:.9375rem;font-variant-numeric:tabular-nums}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
th,td{padding:6px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule);
vertical-align:baseline}
tbody tr:last-child>*{border-bottom:0}
thead th{font-size:.8125rem;font-weight:600;color:var(--dim);vertical-align:bottom}
tbody th{font-weight:600}
.name{text-align:left;min-width:15ch;max-width:26ch;white-space:normal;overflow-wrap:anywhere}
th.name{position:sticky;left:0;background:var(--card);background-clip:padding-box}
th.left,.left{text-align:left}
.name small{display:block;font-weight:400;color:var(--dim)}
.points small{display:block;margin-left:auto;min-width:10ch;max-width:13ch;
white-space:normal;text-wrap:balance;line-height:1.3;
color:var(--dim)}
.wide{width:100%}
.cross td{text-align:center;min-width:58px;border:2px solid var(--card);border-radius:6px;
padding:5px 8px;line-height:1.25}
.cross td small{display:block;font-size:.72rem;opacity:.85}
.cross thead th{text-align:center}
.cross tbody th{border:0}
.cross .self{color:var(--dim)}
th:has(>.rank){padding-left:calc(12px + 2em);text-indent:-2em}
th:has(>.rank)>*{text-indent:0}
.rank{color:var(--dim);font-weight:400;display:inline-block;min-width:2em;white-space:pre}
td.weak,.weak td,.weak th{color:var(--dim)}
details summary{cursor:pointer;font-weight:600}
.note+details,details+details{margin-top:12px}
details[open]>summary{margin-bottom:10px}
.record{border-top:1px solid var(--rule);padding:10px 0 2px}
.record h3{font-size:.9375rem;margin:0}
.record pre{margin:6px 0;font-size:.8125rem;line-height:1.4;white-space:pre-wrap;
overflow-wrap:anywhere}
.record:target{outline:2px solid var(--accent);outline-offset:4px;border-radius:4px}
.terms{margin:0;display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;font-size:.9rem}
.terms dt{font-weight:600}
.terms dd{margin:0;color:var(--dim);max-width:80ch}
footer{font-size:.8125rem;text-align:center}
@media (max-width:560px){
main{padding:14px 10px 32px}
section{padding:14px}
.scroll{margin-right:-14px;padding-right:14px}
th,td{padding:6px 8px}
th:has(>.rank){padding-left:calc(8px + 2em)}
.tiles{grid-template-columns:1fr 1fr}
.tiles div{padding:10px 12px}
.name{max-width:17ch}
.terms{grid-template-columns:1fr;gap:0}
.terms dd{margin-bottom:8px}
}
@media print{section,.tiles div{break-inside:avoid}.scroll{overflow:visible}}
"""
