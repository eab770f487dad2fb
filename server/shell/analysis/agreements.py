"""Keep the agreements of two people in a match that both may ask for advice.

A server cannot see that two people sit at one screen. It can see that both players, each over a
connection of their own, allow advice. Agreements are not stored: after a restart clients
allow advice again.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

MOST_KEPT: Final = 2000
"""For how many matches agreements are kept; the oldest go first."""


class Agreements:
    """The players who allow advice, for each match: the id of its room and its number there."""

    def __init__(self) -> None:
        self._allowed: OrderedDict[tuple[str, int], frozenset[str]] = OrderedDict()

    def allow(self, room: str, match: int, player: str) -> None:
        """Note that `player` allows advice in a match."""
        key = room, match
        self._allowed[key] = self._allowed.get(key, frozenset()) | {player}
        self._allowed.move_to_end(key)
        if len(self._allowed) > MOST_KEPT:
            self._allowed.popitem(last=False)

    def all_allow(self, room: str, match: int, *players: str) -> bool:
        """Return whether all `players` allow advice in a match."""
        return self._allowed.get((room, match), frozenset()).issuperset(players)
