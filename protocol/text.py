"""Text that is safe to show: no control characters, none that change the direction of writing."""

from __future__ import annotations

import unicodedata
from typing import Final

OWN_WORDS: Final = "Value error, "
"""The beginning of pydantic's message about a check of ours."""


def one_line(text: str) -> str:
    """Return `text` as one line that is safe to show to other people, in files and on terminals.

    Control characters (C0, C1, line breaks) and invisible ones, such as those that change the
    direction of writing, become spaces. Runs of spaces become one space.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def printable(text: str) -> str:
    """Return `text` on one line, with a replacement for every character that does not print.

    These are control characters, changes of direction and lone surrogates. Without this a name
    could break or disguise a report.
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def escaped(text: str, keep: str = "") -> str:
    """Return `text` with escapes such as ``\\x9b`` for characters that do not print, except `keep`.

    In logs this shows what somebody sent, and harms no terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c in keep or c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def plain_name(name: str) -> str:
    """Return the name unless it could look the same as another name.

    The server refuses more in new names (`server/shell/identity/names.py`). Players of earlier
    versions keep theirs, so every name that was once allowed stays valid on the wire.

    Raises:
        ValueError: it contains full-width letters or other compatibility characters (which NFKC
            normalization changes, Unicode Annex 15), doubled spaces, or invisible characters that
            are no letters or marks.
    """
    if unicodedata.normalize("NFKC", name) != name or not name.isprintable() or "  " in name:
        raise ValueError("the name has characters that look like others, or doubled spaces")
    return name


def refused_because(kind: str, message: str) -> str:
    """Return why pydantic refused a value, without its regular expressions and its `OWN_WORDS`."""
    if kind == "string_pattern_mismatch":
        return "It has characters that are not allowed there"
    return message.removeprefix(OWN_WORDS)
