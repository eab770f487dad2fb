"""What clients say to the hall while it cannot answer, in the order in which it came."""

from __future__ import annotations

from typing import Any, Final

from server.cluster.lines import items

FROM_CLIENTS: Final = frozenset((items.OPENED, items.SAID, items.BACK, items.ROOMS, items.GONE))
"""The kinds of the items with which the clients of a node speak to the hall."""


class EarlyItems:
    """Keep items with the runs of the nodes that have sent them."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, list[Any]]] = []

    def keep(self, run: str, fields: list[Any]) -> None:
        """Keep an item; one that says that a connection has ended replaces what it has said."""
        if fields[0] == items.GONE:
            connection = run, fields[1]
            self._kept = [each for each in self._kept if (each[0], each[1][1]) != connection]
        self._kept.append((run, fields))

    def link_broke(self, run: str) -> None:
        """Forget what a run has sent, which it sends again when it can."""
        self._kept = [each for each in self._kept if each[0] != run]

    def empty(self) -> list[tuple[str, list[Any]]]:
        """Return everything, and forget it."""
        kept, self._kept = self._kept, []
        return kept
