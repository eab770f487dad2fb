"""Write all settings down: as a TOML file with sources, and as tables of the documentation."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from doublecross.cli.settings.load import Loaded
from doublecross.cli.settings.sentences import limits, literal
from doublecross.protocol.text import escaped
from doublecross.server.shell.settings import HIDDEN, ServerSettings, about, default_of

_COMMENT_AT: Final = 40
"""The column of the comments behind short values."""


def toml_of(loaded: Loaded) -> str:
    """Return all settings as TOML; what is not set stands in a comment, passwords are hidden."""
    lines = ["# The settings of a Doublecross server, with the source of each value."]
    for name, field in ServerSettings.model_fields.items():
        if about(field).heading:
            lines += ["", f"# {about(field).heading}"]
        value = shown = getattr(loaded.settings, name)
        for secret in about(field).secrets:
            shown = re.sub(secret, rf"\1{HIDDEN}", shown)
        source = escaped(loaded.places[name])
        if shown != value:
            source += "; the password is hidden"
        text = f"# {name} is not set" if value is None else f"{name} = {literal(shown)}"
        if name == "page" and source == "default":
            text = f"# {text}"  # a folder of this version, which a newer one would not have
        lines.append(f"{text:{_COMMENT_AT}} # {source}")
    return "\n".join(lines) + "\n"


def with_tables(text: str) -> str:
    """Return the text of docs/hosting.md with the table of each group below its heading."""
    tables: dict[str, list[str]] = {}
    for name, field in ServerSettings.model_fields.items():
        if heading := about(field).heading:
            rows = tables[heading] = [
                "| setting | option | default | |",
                "| --- | --- | --- | --- |",
            ]
        flag = about(field).option.split(" ")[0].replace("/", "`, `")
        value = default_of(field)
        default = "" if value is None else f"`{literal(value)}`"
        cells = (f"`{name}`", f"`{flag}`" if flag else "", default, meaning(name))
        rows.append("".join(f"| {cell} " if cell else "| " for cell in cells) + "|")
    for heading, rows in tables.items():
        start = text.index(f"\n### {heading}\n")
        table = re.compile(r"(?:^\|.*\n)+", re.MULTILINE).search(text, start)
        assert table is not None
        text = text[: table.start()] + "\n".join(rows) + "\n" + text[table.end() :]
    return text


def meaning(name: str) -> str:
    """Return what a setting means, and the limits of its number if it has a largest one."""
    text = " ".join(_docstrings()[name].split())
    found = limits(name)
    return f"{text} {found.capitalize()}." if found.startswith("from") else text


@cache
def _docstrings() -> Mapping[str, str]:
    """Return what stands below the declaration of each setting.

    Pydantic could keep these texts as descriptions, but to find them takes it a twentieth of the
    start of a server, which does not need them.
    """
    (declared,) = ast.parse(inspect.getsource(ServerSettings)).body
    assert isinstance(declared, ast.ClassDef)
    return {
        field.target.id: str(text.value.value)
        for field, text in itertools.pairwise(declared.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }
