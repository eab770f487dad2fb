"""Write any text between quotes in a header of a record, and read it back."""

from __future__ import annotations

import re
from typing import Final

from doublecross.games.api import BadRecord

_ESCAPE: Final = re.compile(r"\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.ASCII)
_PLAIN_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
_PLAIN_MEANINGS: Final = {"\\": "\\", '"': '"', "n": "\n"}


def quote(value: str) -> str:
    """Return `value` with every quote, backslash and unprintable character escaped."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return value
    return "".join(_PLAIN_ESCAPES.get(c) or (c if c.isprintable() else _code(c)) for c in value)


def _code(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def unquote(text: str) -> str:
    """Return the value that `quote` wrote as `text`.

    Raises:
        BadRecord: the text has an escape that `quote` does not write.
    """
    if "\\" not in text:
        return text

    def meaning(match: re.Match[str]) -> str:
        escape = match[1]
        if escape in _PLAIN_MEANINGS:
            return _PLAIN_MEANINGS[escape]
        # An unknown escape of one character gets a value beyond the last code point.
        point = int(escape[1:], 16) if len(escape) > 1 else 0x110000
        if point > 0x10FFFF:
            raise BadRecord(f"{match[0]!r} is not a valid escape.")
        return chr(point)

    return _ESCAPE.sub(meaning, text)
