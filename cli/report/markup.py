"""HTML built from elements, so that text is always escaped: only `Html` goes in as it is."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

from cli.report.formatting import printable

_EMPTY: Final = frozenset(("meta", "img", "br"))


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Node = str | Iterable["Node"]
"""Text, which is escaped, HTML, or any nesting of both."""


def text_of(node: Node) -> str:
    """`node` as HTML."""
    if isinstance(node, Html):
        return str(node)
    if isinstance(node, str):
        return html.escape(node)
    return "".join(text_of(part) for part in node)


def tag(name: str, /, *children: Node, **attributes: str | bool | None) -> Html:
    """An element. Of an attribute's name a ``_`` at its end is dropped and others become ``-``;
    None and False leave it out, True writes no value."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{text_of(children)}</{name}>")


def table(caption: str, head: Iterable[Node], rows: Iterable[Iterable[Html]], kind: str) -> Html:
    """A table of class `kind` with its caption: `head` are the texts of the header row (or its
    cells), `rows` have their cells. It scrolls by itself where it is too wide."""
    header = [cell if isinstance(cell, Html) else tag("th", cell, scope="col") for cell in head]
    body = [tag("tr", row, Html("\n")) for row in rows]
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption),
            tag("thead", tag("tr", header)),
            Html("\n"),
            tag("tbody", body),
            class_=kind,
        ),
        class_="scroll",
        role="region",
        aria_label=caption,
        tabindex="0",
    )


def section(title: str, *children: Node) -> Html:
    """A part of the page, with its heading."""
    return tag("section", tag("h2", title), children)


def note(*children: Node, kind: str = "note") -> Html:
    """A sentence of less weight."""
    return tag("p", children, class_=kind)


def cell(*children: Node, **attributes: str | bool | None) -> Html:
    """A cell of a table."""
    return tag("td", *children, **attributes)


def row_head(*children: Node, **attributes: str | bool | None) -> Html:
    """The cell that names its row."""
    return tag("th", *children, scope="row", **attributes)


def clean(text: str) -> str:
    """Text of many lines without characters that do not print, line ends excepted."""
    return "\n".join(printable(line) for line in text.split("\n"))
