"""Tests that the command lines of the documents have arguments and options that there are."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doublecross.cli.main import _UsageError, prepare
from tests.cli.commands import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^ *```[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
END_OF_COMMAND = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>"}


def _lines(text: str) -> Iterator[list[str]]:
    """Yield the words after `doublecross` on each command line in the blocks of a document."""
    for block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if line.lstrip(" $").startswith("doublecross "):
                words = shlex.split(line, comments=True)
                words = words[words.index("doublecross") + 1 :]
                ends = (index for index, word in enumerate(words) if word in END_OF_COMMAND)
                yield words[: next(ends, len(words))]


def _parse(command: Any, words: list[str], name: str = "doublecross", parent: Any = None) -> None:
    """Let click read the words without running what they say."""
    context = command.make_context(name, list(words), parent=parent)
    rest = [*context._protected_args, *context.args]
    if hasattr(command, "resolve_command") and rest:
        name, child, rest = command.resolve_command(context, rest)
        _parse(child, rest, name, context)


def test_the_parser_refuses_what_there_is_not() -> None:
    (words,) = _lines("```sh\ndoublecross match a b --sizes 3x3 # no\n```")
    with pytest.raises(_UsageError, match="No such option"):
        _parse(prepare(), words)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_command_line_can_be_parsed(path: Path) -> None:
    wrong = []
    for words in _lines(path.read_text("utf-8")):
        try:
            _parse(prepare(), words)
        except _UsageError as error:
            wrong.append(f"{shlex.join(words)}: {error}")
    assert wrong == []


def test_each_document_is_in_the_navigation_of_the_site() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written - listed == {"docs/templates/protocol.md"}
    assert all((ROOT / name).exists() for name in listed)
