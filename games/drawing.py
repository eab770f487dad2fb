"""Draw rows of signs for the ASCII boards of games with cells in rows."""

from __future__ import annotations

from collections.abc import Sequence


def sign_row(signs: Sequence[str], marked: int = -1) -> str:
    """Join signs of one character to a row, with the sign at index `marked` in brackets.

    Each sign takes two characters. When `marked` is not an index, no sign has brackets.
    """
    parts = [
        ("[" if at == marked else "]" if at - 1 == marked >= 0 else " ") + sign
        for at, sign in enumerate(signs)
    ]
    return "".join(parts) + ("]" if marked == len(signs) - 1 >= 0 else "")


def letters(count: int) -> list[str]:
    """Return the first `count` lower-case letters, which name columns and heaps."""
    return [chr(ord("a") + index) for index in range(count)]
