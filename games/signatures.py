"""Signatures in the text of records: where they stand, and what exactly they cover.

Theory of operation
-------------------
A signed record has two more headers::

    [SignedBy "0f3c2a9be1d47785"]
    [Signature "kC1x...=="]

The signature covers the record's *canonical form*: its other headers in their order, one a line,
and the words of the moves with single spaces between them. So line endings, empty lines, spaces at
the ends of lines and other breaks between the moves may change on the way, and nothing else may.
Readers of records keep the two headers as tags that they do not know.

This file knows the text only; `server/signing` signs and checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from doublecross.games.record import HEADER, RESULTS

SIGNED_BY: Final = "SignedBy"
SIGNATURE: Final = "Signature"
_BLANK: Final = " \t\r"


@dataclass(frozen=True, slots=True)
class SignedText:
    """A record as text: its canonical form, and the values of the headers of its signature.

    A header that occurs several times has several values.
    """

    canonical: str
    signed_by: tuple[str, ...]
    signatures: tuple[str, ...]


def read_signature(text: str) -> SignedText:
    """Return the canonical form of one record, and its signature."""
    headers: list[str] = []
    words: list[str] = []
    found: dict[str, list[str]] = {SIGNED_BY: [], SIGNATURE: []}
    for raw in text.removeprefix("\ufeff").split("\n"):
        line = raw.strip(_BLANK)
        name, value = _header(line)
        if words or not line.startswith("["):
            words += line.split()
        elif name in found:
            found[name].append(value)
        else:
            headers.append(line)
    canonical = "\n".join((*headers, "", " ".join(words), ""))
    return SignedText(canonical, tuple(found[SIGNED_BY]), tuple(found[SIGNATURE]))


def with_signature(text: str, signed_by: str, signature: str) -> str:
    """Return one record with these headers after its others, in place of an older signature."""
    lines = text.split("\n")
    moves = next((at for at, line in enumerate(lines) if not line.startswith("[")), len(lines))
    headers = [line for line in lines[:moves] if _header(line.strip(_BLANK))[0] not in _OWN]
    added = [f'[{SIGNED_BY} "{signed_by}"]', f'[{SIGNATURE} "{signature}"]']
    return "\n".join((*headers, *added, *lines[moves:]))


_OWN: Final = (SIGNED_BY, SIGNATURE)


def _header(line: str) -> tuple[str, str]:
    """Return the name and the value of a header as it is written; empty texts if it is none."""
    match = HEADER.fullmatch(line)
    return ("", "") if match is None else (match[1], match[2])


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text of each record in a file, and its first line, from 1.

    A record ends with its result, or where headers follow moves. Whether it is a record at all is
    for others to check.
    """
    start, lines = 1, list[str]()
    moves = False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        bare = line.strip(_BLANK)
        if bare.startswith("[") and moves:
            yield start, "\n".join((*lines, ""))
            lines, moves = [], False
        if not bare and not lines:
            continue
        if not lines:
            start = number
        lines.append(line)
        moves = moves or not (bare.startswith("[") or not bare)
        if moves and bare.split()[-1:] and bare.split()[-1] in RESULTS:
            yield start, "\n".join((*lines, ""))
            lines, moves = [], False
    if lines:
        yield start, "\n".join((*lines, ""))
