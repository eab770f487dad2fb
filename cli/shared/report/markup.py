"""Build HTML from elements. It escapes all text that is not `Html`."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

from doublecross.cli.shared.tables import printable

_EMPTY: Final = frozenset(("meta", "img", "br"))


class Html(str):
    """A string of HTML, which is not escaped again."""

    __slots__ = ()


Node = str | Iterable["Node"]
"""Text to escape, HTML, or any nesting of both."""


def text_of(node: Node) -> str:
    """Return `node` as HTML."""
    if isinstance(node, Html):
        return str(node)
    if isinstance(node, str):
        return html.escape(node)
    return "".join(text_of(part) for part in node)


def tag(name: str, /, *children: Node, **attributes: str | bool | None) -> Html:
    """Return an element.

    In names of attributes a ``_`` at the end is dropped and others become ``-``. None and False
    leave an attribute out; True writes it without a value.
    """
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
    """Return a table of class `kind` with its caption.

    `head` has the texts or cells of the header row, and `rows` the cells of each row. A table that
    is too wide gets a scroll bar of its own.
    """
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
    """Return a section of the page with its heading."""
    return tag("section", tag("h2", title), children)


def note(*children: Node, kind: str = "note") -> Html:
    """Return a paragraph in small print."""
    return tag("p", children, class_=kind)


def cell(*children: Node, **attributes: str | bool | None) -> Html:
    """Return a cell of a table."""
    return tag("td", *children, **attributes)


def row_head(*children: Node, **attributes: str | bool | None) -> Html:
    """Return the header cell of a row."""
    return tag("th", *children, scope="row", **attributes)


def clean(text: str) -> str:
    """Return `text` without characters that do not print, except line ends."""
    return "\n".join(printable(line) for line in text.split("\n"))
