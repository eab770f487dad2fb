"""Describe the levels: the bots for people, in order of strength."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from doublecross.client.language import tr
from doublecross.protocol.common import PlayerInfo

_TITLES: Final = MappingProxyType(
    {
        "easy": tr("easy"),
        "medium": tr("medium"),
        "tricky": tr("tricky"),
        "hard": tr("hard"),
        "perfect": tr("perfect"),
    }
)


def level_title(name: str) -> str:
    """Return what people read for the level `name`."""
    return _TITLES.get(name, name)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels. `names` are the names of their engines, weakest first."""

    names: tuple[str, ...]

    def of(self, player: PlayerInfo) -> int | None:
        """Return the level of a player, from 1, or None if the player is not one of the levels."""
        if player.engine is None or player.engine.name not in self.names:
            return None
        return self.names.index(player.engine.name) + 1

    def line(self, level: int, *, word: bool = True) -> str:
        """Return ``level 1 of 5: easy``, without the name if `word` is false."""
        line = tr("level {level} of {count}", level=level, count=len(self.names))
        return f"{line}: {level_title(self.names[level - 1])}" if word else line

    def strength(self, player: PlayerInfo) -> str:
        """Return the level of a bot, or its engine if it has no level; empty for a person."""
        if player.engine is None:
            return ""
        level = self.of(player)
        engine = player.engine
        return f"{engine.name} {engine.version}" if level is None else self.line(level)
