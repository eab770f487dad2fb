"""The terms that lessons explain, and how a text marks them.

A text marks a term where it appears by brackets: ``[chain]``. Other words can stand for it:
``[chain|two chains]`` shows *two chains* and explains *chain*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_MARK: Final = re.compile(r"\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text; `term` is the term that it names, or empty."""

    text: str
    term: str = ""


def parts(text: str) -> tuple[Part, ...]:
    """Return the pieces of a text, with the terms that it marks."""
    found: list[Part] = []
    at = 0
    for mark in _MARK.finditer(text):
        if mark.start() > at:
            found.append(Part(text[at : mark.start()]))
        found.append(Part(mark[2] or mark[1], mark[1]))
        at = mark.end()
    if at < len(text):
        found.append(Part(text[at:]))
    return tuple(found)


def plain(text: str) -> str:
    """Return a text without its marks."""
    return "".join(part.text for part in parts(text))


def read_terms(text: str) -> Mapping[str, str]:
    """Return the terms of a glossary file and their explanations.

    Raises:
        ValueError: the text is no JSON object of sentences by terms.
    """
    found = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(about, str) for about in found.values()):
        raise ValueError("A glossary is a JSON object with a sentence for each term.")
    return found
