"""The ids of logs: four characters that people do not confuse, made from a counter.

The id of a room in a cluster begins with that of its log. Rooms that a single server has opened
have shorter ids without a log, and keep them when the server becomes a cluster, because clients and
links name them. All of them belong to one log, which has an id that no counter makes.
"""

from __future__ import annotations

from typing import Final

from doublecross.server.core.lobby.lobby import ID_LENGTH

ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
LENGTH: Final = 4
"""How many characters the id of a log has. The id of a room begins with them."""
SINGLE: Final = "solo"
"""The log of the rooms that a single server has opened; ``l`` and ``o`` are not in the alphabet."""


def log_id(number: int) -> str:
    """Return the id of the log with this number; ids repeat after a million numbers.

    The id of the leader is not among them, because ``l`` is not in the alphabet.
    """
    digits = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def log_of_room(room: str) -> str:
    """Return the id of the log that a room belongs to."""
    return SINGLE if len(room) == ID_LENGTH else room[:LENGTH]
