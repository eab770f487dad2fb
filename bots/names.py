"""Choose names for bots as players: their own, with a number when that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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


def distinct(specs: Iterable[str]) -> tuple[str, ...]:
    """Return the names under which commands show these bots: their specs, numbered if equal."""
    texts = tuple(specs)
    return tuple(
        f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text
        for at, text in enumerate(texts)
    )
