"""Choose names for bots as players: their own, with a number when that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

NAMES: Final = 99
"""The highest number that is appended to a taken name."""


def player_name(bot: str) -> str:
    """Return the default player name of the bot called `bot`, short enough to append a number."""
    return re.sub(r"[^\w.'+-]+", "-", bot).strip("-.'")[-28:].lstrip("-.'+") or "bot"


def numbered(name: str) -> Iterator[str]:
    """Yield `name`, and then the names to try when it is taken."""
    yield name
    for number in range(2, NAMES + 1):
        yield f"{name[:28]}-{number}"
