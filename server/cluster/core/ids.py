"""The ids of logs: four characters that nobody mistakes for each other, from a counter."""

from __future__ import annotations

from typing import Final

ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
LENGTH: Final = 4
"""How many characters the id of a log has. The id of a room begins with them."""


def log_id(number: int) -> str:
    """Return the id of the log with this number; ids repeat after a million numbers.

    The id of the hall is not among them, because ``l`` is not in the alphabet.
    """
    digits = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def log_of_room(room: str) -> str:
    """Return the id of the log that a room belongs to."""
    return room[:LENGTH]
