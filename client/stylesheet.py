"""Write the page's `style/colours.css`: the colours of all themes and palettes as variables.

The command is ``python -m doublecross.client.stylesheet``. A test checks that nobody forgot it.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Final

from doublecross.games.colours import THEMES, Palette, Theme, colours_of

PATH: Final = Path(__file__).parent / "web" / "style" / "colours.css"
_HEAD: Final = "/* Written by python -m doublecross.client.stylesheet from games/colours.py. */\n"


def stylesheet() -> str:
    """Return the rules for every theme and palette. Paper is always light."""
    rules = [_rule(":root", "light", "classic", themed=True)]
    rules.append(_rule(':root[data-palette="safe"]', "light", "safe"))
    others = []
    for theme in THEMES:
        if theme != "light":
            others.append(_rule(f':root[data-theme="{theme}"]', theme, "classic", themed=True))
            others.append(_rule(f':root[data-theme="{theme}"][data-palette="safe"]', theme, "safe"))
    return _HEAD + "\n".join(rules) + "\n@media screen {\n" + "\n".join(others) + "}\n"


def _rule(selector: str, theme: Theme, palette: Palette, *, themed: bool = False) -> str:
    """Return a rule with the seats' colours, and those of the theme if `themed`."""
    colours = colours_of(palette, theme)
    values = {}
    for seat in (0, 1):
        values[f"colour{seat}"] = colours.strokes[seat]
        values[f"colour{seat}-soft"] = colours.fills[seat]
    lines = [f"--{name}: {value};" for name, value in values.items()]
    if themed:
        lines.insert(0, f"color-scheme: {'light' if theme == 'light' else 'dark'};")
        named = {**THEMES[theme], "tray": colours.tray}
        lines += [f"--{name.replace('_', '-')}: {value};" for name, value in named.items()]
    body = fill(" ".join(lines), 110, initial_indent="  ", subsequent_indent="  ")
    return f"{selector} {{\n{body}\n}}\n"


if __name__ == "__main__":
    PATH.write_text(stylesheet(), encoding="utf-8")
