"""Exceptions of bots in the words in which they travel from a worker to its parent."""

from __future__ import annotations

from typing import Final

TEXT_MAX: Final = 300
"""Longest text of an exception that is passed on, in characters."""
TRACE_MAX: Final = 4000
"""Longest traceback that is passed on, in characters."""


def describe(error: BaseException) -> str:
    """Return an exception as one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name
