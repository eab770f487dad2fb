"""Keep the items of clients, in order, while the hall cannot answer yet."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from doublecross.server.cluster.far_clients import items

FROM_CLIENTS: Final = frozenset(
    (items.OPENED, items.SAID, items.BACK, items.ROOMS, items.LOBBY, items.GONE)
)
"""The kinds of items that a node sends to the hall for its clients."""


class EarlyItems:
    """Keep items with the runs of the nodes that have sent them."""

    def __init__(self) -> None:
        self._numbers = count()
        self._kept: dict[int, tuple[str, list[Any]]] = {}
        """The items by number, in the order in which they came."""
        self._said: dict[tuple[str, int], list[int]] = {}
        """By run and connection, the numbers of its items."""

    def keep(self, run: str, fields: list[Any]) -> None:
        """Keep an item. If it says that a connection has ended, drop the earlier items of it."""
        number = next(self._numbers)
        if fields[0] != items.ROOMS:
            said = self._said.setdefault((run, fields[1]), [])
            if fields[0] == items.GONE:
                for each in said:
                    del self._kept[each]
                said.clear()
            said.append(number)
        self._kept[number] = run, fields

    def link_broke(self, run: str) -> None:
        """Forget the items of a run; it sends them again when the link is up again."""
        self._kept = {number: each for number, each in self._kept.items() if each[0] != run}
        self._said = {of: numbers for of, numbers in self._said.items() if of[0] != run}

    def empty(self) -> list[tuple[str, list[Any]]]:
        """Return everything, and forget it."""
        kept = list(self._kept.values())
        self._kept, self._said = {}, {}
        return kept
