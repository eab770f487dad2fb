"""Write a manual page for each command: ``python -m doublecross.cli.man FOLDER VERSION``.

setup.py runs this for a wheel, and `make man` for a look.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from doublecross.cli.main import prepare

_BARE = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
"""What troff would take for something else."""

_DEFAULT = re.compile(r"(\[default: )\((.*)\)(?=\])")
"""A default in words, which typer puts into parentheses."""


def write(folder: Path, version: str) -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for context in _contexts(prepare(), None, "doublecross"):
        lines = _page(context, version)
        (folder / f"{_name(context)}.1").write_text("".join(f"{each}\n" for each in lines), "utf-8")


def _contexts(command: Any, parent: Any, name: str) -> Iterator[Any]:
    """Yield the context of a command, and those of all commands below it."""
    whole = getattr(command, "whole", lambda: command)()
    context = whole.make_context(name, [], parent=parent, resilient_parsing=True)
    yield context
    for below, child in _children(context):
        yield from _contexts(child, context, below)


def _children(context: Any) -> list[tuple[str, Any]]:
    """Return the commands below one, by name, but for the hidden ones."""
    group = context.command
    names = group.list_commands(context) if hasattr(group, "list_commands") else ()
    found = [(name, group.get_command(context, name)) for name in names]
    return [(name, child) for name, child in found if not child.hidden]


def _name(context: Any) -> str:
    return str(context.command_path).replace(" ", "-")


def _page(context: Any, version: str) -> Iterator[str]:
    command = context.command
    summary, *paragraphs = (command.help or "").split("\n\n")
    examples = [each for each in paragraphs if each.startswith("Example: ")]
    yield f'.TH "{_name(context).upper()}" 1 "" "doublecross {version}" "User Commands"'
    yield from (".SH NAME", f"{_text(_name(context))} \\- {_text(summary)}", ".SH SYNOPSIS")
    yield f".B {_text(context.command_path)}"
    yield _text(" ".join(command.collect_usage_pieces(context)))
    rest = [each for each in paragraphs if each not in examples]
    if rest:
        yield ".SH DESCRIPTION"
        yield from (line for each in rest for line in (".PP", _text(each)))
    records = [each.get_help_record(context) for each in command.params]
    if shown := [record for record in records if record]:
        yield ".SH OPTIONS"
        for name, text in shown:
            yield from (".TP", f".B {_text(name)}", _text(_DEFAULT.sub(r"\1\2", text)))
    if children := _children(context):
        yield ".SH COMMANDS"
        for name, child in children:
            yield from (".TP", f".BR {_text(_name(context))}\\-{_text(name)} (1)")
            yield _text((child.help or "").partition("\n\n")[0])
    if examples:
        yield ".SH EXAMPLE"
        yield from (line for each in examples for line in (".PP", _text(each[len("Example: ") :])))
    if context.parent is not None:
        yield from (".SH SEE ALSO", f".BR {_text(_name(context.parent))} (1)")


def _text(text: str) -> str:
    """Return a text on one line that troff prints as it is."""
    line = "".join(_BARE.get(letter, letter) for letter in " ".join(text.split()))
    return f"\\&{line}" if line.startswith(".") else line


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
