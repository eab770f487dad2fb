"""Create the tournaments of the host's file of events ahead of time, each exactly once.

The id of such a tournament follows from the name of the event and from its start. So another
server that takes over, or this one after a restart, finds the tournament that is there already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import StoreError
from doublecross.server.tournaments.director import Director
from doublecross.server.tournaments.event_file import Event
from doublecross.server.tournaments.messages import id_of
from doublecross.server.tournaments.requests import Organiser, create, is_stored
from doublecross.server.tournaments.running import EVENTS_ID

HOST: Final = Organiser("server", EVENTS_ID)
AHEAD_MS: Final = 25 * 3_600_000
"""How long before its start an event is in the lobby at least; the next one of each always is."""
EVERY_MS: Final = 30_000
"""The time between two looks at the events, in milliseconds."""

_log = structlog.get_logger("tournaments")


class EventCalendar:
    """Keep the tournaments of all events in the lobby before they start."""

    def __init__(self, events: Sequence[Event], director: Director) -> None:
        self._events = events
        self._director = director
        self._known: set[str] = set()
        """The ids of tournaments that were created, so that nobody has to look again."""
        self._next_tick = 0
        self._tasks = BackgroundTasks()

    def tick(self, now: int) -> None:
        """Look at the events if it is time, unless the server begins nothing new."""
        if self._events and now >= self._next_tick and not self._director.paused:
            self._next_tick = now + EVERY_MS
            self._tasks.start(self.create_due())

    async def close(self) -> None:
        """Cancel the tasks that create tournaments."""
        await self._tasks.close()

    async def create_due(self) -> None:
        """Create the tournaments that are due, unless they are there."""
        date = self._director.host.date()
        for event in self._events:
            for at, starts_ms in enumerate(event.starts(date)):
                if at == 0 or starts_ms <= date + AHEAD_MS:
                    await self._create(event, starts_ms)

    async def _create(self, event: Event, starts_ms: int) -> None:
        terms = event.terms.model_copy(update={"starts_ms": starts_ms})
        key = f"{terms.name} {starts_ms}"
        tournament = id_of(HOST.account_id, key)
        if tournament in self._known:
            return
        try:
            running = self._director.registry.running
            if tournament not in running and not await is_stored(self._director, tournament):
                await create(self._director, HOST, key, terms)
                _log.info("event_created", name=terms.name, tournament=tournament)
            self._known.add(tournament)
        except (Refused, StoreError) as error:  # the next look tries again
            _log.warning("event_not_created", name=terms.name, reason=str(error))
