"""Choose the bot for the primary button of the lobby while nobody else is there.

A person who is alone would wait for an opponent in vain. The button then begins a casual game
without a clock against one of the levels.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.snapshots import LobbySnapshot

LEVEL_KEY: Final = "level:"
"""The beginning of a level's key, among the bots to play against."""


@dataclass(frozen=True, slots=True)
class LevelOpponent:
    """A level to play against; `player` is its name if it is online, otherwise None."""

    level: str
    player: str | None


def level_opponent(
    lobby: LobbySnapshot | None, me: str, levels: Levels, usual: str, coming: Collection[str]
) -> LevelOpponent | None:
    """Return the level to play against; None if a person is there, or no level is.

    `usual` is the key of the bot that the person chose last, if any. Without it the weakest level
    is chosen. `coming` has the levels that join without being asked.
    """
    if lobby is None or any(
        player.kind == "human" and player.name != me for player in lobby.players
    ):
        return None
    if any(seek.player.name != me for seek in lobby.seeks):
        return None
    online: dict[str, str] = {}
    for player in lobby.players:
        level = levels.of(player)
        if level is not None and player.name != me:
            online.setdefault(levels.names[level - 1], player.name)
    there = [name for name in levels.names if name in online or name in coming]
    if not there:
        return None
    chosen = usual.removeprefix(LEVEL_KEY)
    level_name = chosen if chosen in there else there[0]
    return LevelOpponent(level_name, online.get(level_name))
