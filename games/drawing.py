"""Draws rows of signs for the ASCII boards of games with cells in rows."""

from __future__ import annotations

from collections.abc import Sequence


def sign_row(signs: Sequence[str], marked: int = -1) -> str:
    """Return signs of one character side by side, the one at index `marked` in brackets.

    Each sign has a column of two characters; nothing is marked where `marked` is no index.
    """
    parts = [
        ("[" if at == marked else "]" if at - 1 == marked >= 0 else " ") + sign
        for at, sign in enumerate(signs)
    ]
    return "".join(parts) + ("]" if marked == len(signs) - 1 >= 0 else "")


def letters(count: int) -> list[str]:
    """Return the first `count` small letters, the names of columns and heaps."""
    return [chr(ord("a") + index) for index in range(count)]
