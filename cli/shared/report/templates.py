"""Write HTML pages from the templates in `cli/templates`, which escape every text."""

from __future__ import annotations

import base64
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from doublecross.cli.shared.report.style import colours
from doublecross.protocol.text import printable

_TEMPLATES: Final = Environment(
    loader=PackageLoader("doublecross.cli"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.filters |= {
    "printable": printable,
    "grouped": lambda number: f"{number:,}",
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
}


def render(template: str, **values: Any) -> str:
    """Return the template filled with `values`; a policy in a page forbids scripts and loading."""
    return _TEMPLATES.get_template(template).render({"colours": colours(), **values})
