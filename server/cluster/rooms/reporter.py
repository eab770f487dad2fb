"""Report what happens in rooms to the hall of the cluster."""

from __future__ import annotations

from typing import NamedTuple

from server.cluster.items import Happened, Left, Send, pack
from server.core.events import Event
from server.core.room import Room


class Reporter:
    """Know the hall that this node obeys, and send it what it must know.

    That is the hall with the highest fencing token that has asked. An older one, whose lease has
    lapsed, may still send commands; they are ignored. While no hall can be reached, nothing is
    reported: the census that the next one asks for includes it.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._token = 0
        self.hall: str | None = None
        """The run of the hall; None while it cannot be reached."""

    def obey(self, run: str, token: int) -> bool:
        """Obey a hall that asks from now on; return False if there is a newer one."""
        if token < self._token:
            return False
        self._token, self.hall = token, run
        return True

    def reset(self, run: str) -> None:
        """Report nothing to a run any more, because its link has broken."""
        if self.hall == run:
            self.hall = None

    def report(self, item: NamedTuple) -> bool:
        """Send an item to the hall; return whether it can be reached."""
        if self.hall is not None and not self._send(self.hall, pack(item)):
            self.hall = None
        return self.hall is not None

    def reply(self, run: str, item: NamedTuple) -> None:
        """Send an item to the hall `run`, unless there is another one now."""
        if self.hall == run:
            self.report(item)


class ReportedEffects:
    """Report the events of rooms; `server.shell.rooms.effects.RoomEffects` has the methods."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self.silent: set[str] = set()
        """The tournaments whose players may say no phrases."""

    def happened(self, room: Room, event: Event) -> None:
        """See `RoomEffects.happened`."""
        self._reporter.report(Happened(event))

    def left(self, room: Room) -> None:
        """See `RoomEffects.left`."""
        first, second = room.attendance.left
        self._reporter.report(Left(room.id, (first, second)))

    def allows_phrases(self, tournament_id: str) -> bool:
        """See `RoomEffects.allows_phrases`."""
        return tournament_id not in self.silent
