"""The times at which rooms need attention: expired clocks, absences, empty rooms.

The heap may hold several entries for a room. Only the one that equals `Channel.scheduled` is valid.
The others are skipped when their time comes, or removed when there are too many.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping

from doublecross.server.core.events import Event
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.rooms.channel import Channel


class Scheduler:
    """Call `deadlines.tick` when a room's deadline has come."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self._channels = channels
        self._due: list[tuple[int, str]] = []

    def schedule(self, channel: Channel) -> None:
        """Check the room at its next deadline, unless an earlier check is scheduled."""
        due = deadlines.next_due(channel.room)
        if due is not None and (channel.scheduled is None or due < channel.scheduled):
            channel.scheduled = due
            heapq.heappush(self._due, (due, channel.room.id))
            # Rare, so that each entry costs little on average.
            if len(self._due) > 2 * len(self._channels) + 16:
                self._due = [entry for entry in self._due if self._is_valid(*entry)]
                heapq.heapify(self._due)

    def _is_valid(self, due: int, room_id: str) -> bool:
        """Return whether an entry is the valid one of its room."""
        channel = self._channels.get(room_id)
        return channel is not None and channel.scheduled == due

    def tick(self, now: int, publish: Callable[[Room, list[Event]], None]) -> None:
        """Carry out the deadlines that have come, and pass their events to `publish`."""
        while self._due and self._due[0][0] <= now:
            due, room_id = heapq.heappop(self._due)
            if not self._is_valid(due, room_id):
                continue
            channel = self._channels[room_id]
            # Before anything that may fail: a room with a bug must not stop all clocks at every
            # tick.
            channel.scheduled = None
            try:
                events = deadlines.tick(channel.room, now)
                if events:
                    publish(channel.room, events)
                self.schedule(channel)
            except Exception as error:
                error.add_note(f"in the room {room_id}")  # the log shows it with the traceback
                raise
