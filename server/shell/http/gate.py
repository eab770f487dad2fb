"""Limit the open HTTP connections of all and of each source; choose the ones that give way."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import Final, Protocol

from doublecross.server.shell.addresses.admission import FileGuard, OpenConnections
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.page.site import PageSite
from doublecross.server.shell.wire.turns import ReadingTurns

MOST_BODIES: Final = 8
"""How many bodies of one visitor may be incomplete at once.

Otherwise one visitor could hold all connections with requests that never end.
"""
RESERVE: Final = 16
"""How many more connections requests for `RESERVED` may use when all are taken."""


class GatedConnection(Protocol):
    """A connection as the gate sees it."""

    source: str
    transport: asyncio.Transport

    @property
    def is_idle(self) -> bool:
        """Return whether no answer is under way and no new request has begun."""

    @property
    def has_sent_all(self) -> bool:
        """Return whether the system has taken all that was written."""


class HttpGate:
    """The connections of one HTTP server: at most `most`, and fewer from each source.

    All of one source may have `unread` bytes of answers that its clients have not taken.
    `request_s` is how long a connection may take for a whole request, from its start or from the
    end of the last answer.
    """

    def __init__(
        self,
        sources: Sources,
        files: FileGuard,
        turns: ReadingTurns,
        site: PageSite,
        *,
        most: int,
        most_each: int,
        unread: int,
        request_s: float,
    ) -> None:
        self.sources = sources
        self.files = files
        self.turns = turns
        self.site = site
        self.request_s = request_s
        self.unread = unread
        self.open = OpenConnections(most_each)
        self.bodies = OpenConnections(MOST_BODIES)
        """The connections whose body is not complete, for each visitor."""
        self.waiting: OrderedDict[GatedConnection, None] = OrderedDict()
        """The connections without a whole request, longest first."""
        self.count = 0
        self.hits: Counter[str] = Counter()
        """How many connections were refused by each limit on open connections."""
        self._most = most

    def make_room(self) -> bool:
        """Return whether one more connection may stay; close an idle one for it if necessary."""
        # The new connection is counted already.
        if self.count <= self._most:
            return True
        if not self.waiting:
            return False
        # Prefer one whose reader has its whole answer, so that downloads are cut off last.
        oldest = next(iter(self.waiting))
        self._close(next((each for each in self.waiting if each.has_sent_all), oldest))
        return True

    def has_reserve(self) -> bool:
        """Return whether one more connection may stay for a request to watch the server."""
        return self.count <= self._most + RESERVE

    def make_room_for(self, source: str) -> bool:
        """Close an idle connection of a source that has too many; return whether there is one.

        Browsers keep several connections open that they may not use again. Closing those lets many
        people behind one address load the page.
        """
        for connection in self.waiting:
            if connection.source == source and connection.is_idle:
                self._close(connection)
                return True
        return False

    def _close(self, connection: GatedConnection) -> None:
        # At once, so that the next call chooses another one. The end of the connection comes later.
        del self.waiting[connection]
        connection.transport.abort()
