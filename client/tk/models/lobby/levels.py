"""Levels: bots for people in order of strength, which the helpers of the window name."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.common import PlayerInfo


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels by the names of their engines, weakest first."""

    names: tuple[str, ...]

    def of(self, player: PlayerInfo) -> int | None:
        """Return the level of a bot that is one of these, from 1; None if it is none."""
        if player.engine is None or player.engine.name not in self.names:
            return None
        return self.names.index(player.engine.name) + 1

    def line(self, level: int, *, word: bool = True) -> str:
        """Return ``level 1 of 4: easy``, or the same without the word for it."""
        line = f"level {level} of {len(self.names)}"
        return f"{line}: {self.names[level - 1]}" if word else line

    def strength(self, player: PlayerInfo) -> str:
        """Return how strong a bot is, as far as one knows; nothing for a person."""
        if player.engine is None:
            return ""
        level = self.of(player)
        engine = player.engine
        return f"{engine.name} {engine.version}" if level is None else self.line(level)
