"""Find the sentences that the server, the connection and the bots write for people.

They stand in code that has no language: the server answers all clients with the same English
sentence, and the client looks for its translation (`doublecross.client.language.texts.known`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCES: Final = (
    "server/cluster/edge",
    "server/core",
    "server/shell/accounts",
    "server/shell/addresses",
    "server/shell/admin",
    "server/shell/analysis",
    "server/shell/answers.py",
    "server/shell/arranging.py",
    "server/shell/connection.py",
    "server/shell/handlers",
    "server/shell/identity/names.py",
    "server/shell/identity/newcomers.py",
    "server/shell/identity/rights.py",
    "server/shell/identity/turns.py",
    "server/shell/peer.py",
    "server/shell/rooms",
    "server/shell/http/securing.py",
    "server/shell/tournaments.py",
    "server/shell/traffic.py",
    "server/shell/web/managing",
    "server/tournaments",
    "client/account.py",
    "client/core/address.py",
    "client/core/offers.py",
    "client/core/resend.py",
    "client/certificates.py",
    "client/connection.py",
    "client/handshake.py",
    "client/transport.py",
    "bots/advising/advice.py",
    "bots/advising/policy.py",
    "bots",
)
"""The files and folders whose sentences reach people."""

NOT_SENT: Final = ("server/core/cluster_storage.py",)
"""Files in `SOURCES` whose sentences reach no client."""

VALUES: Final = (
    "a person", "waiting", "playing", "finished", "closed",
    "connections", "logins", "passwords", "new names", "new rooms", "records", "new reviews",
    "pages", "requests", "The number of game pairs", "The patience", "The number of rounds",
    "your token has ended",
)  # fmt: skip
"""Words that such sentences have as values."""

_SENTENCE: Final = re.compile(r"(?:[A-Z]|\{\w+\} )[^\n]*[\w}][.?!](?: \{\w+\})?")
_NOT_SHOWN: Final = frozenset({"Field", "debug", "info", "warning", "error", "exception", "Option"})
_SUMMARY: Final = "summary"


def sentences_in(root: Path) -> Iterator[str]:
    """Yield the sentences of all sources under `root`, and the words in them."""
    yield from VALUES
    for source in SOURCES:
        place = root / source
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if file.relative_to(root).as_posix() in NOT_SENT:
                continue
            tree = ast.parse(file.read_text("utf-8"))
            yield from _summaries(tree) if source == "bots" else sentences(tree)


def _summaries(tree: ast.Module) -> Iterator[str]:
    """Yield what the bots of a module say about themselves."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == _SUMMARY
            and isinstance(node.value, ast.Constant)
        ):
            yield str(node.value.value)


def sentences(node: ast.AST) -> Iterator[str]:
    """Yield the sentences in the code below `node`; values become names in braces."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and _name(child.func) in _NOT_SHOWN:
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        text = _template(child)
        if text is None:
            yield from sentences(child)
        elif _SENTENCE.fullmatch(text) and " " in text:
            yield text


def _template(node: ast.AST) -> str | None:
    """Return a text of the code with names in braces for its values; None if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    text, used = "", set[str]()
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            name = _name(part.value) or "value"
            while name in used:
                name += "_"
            used.add(name)
            text += f"{{{name}}}"
    return text


def _name(node: ast.expr) -> str:
    """Return the last name of an expression, in small letters: ``terms.name`` is ``name``."""
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_").lower()
    return node.id.strip("_").lower() if isinstance(node, ast.Name) else ""
