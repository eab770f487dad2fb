"""The rooms that this server runs, each with its channel.

Rooms enter and leave the server only here. They enter when they open or are restored after a
restart. They leave when they close, or when a failed commit removes all their events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import structlog

from doublecross.protocol.common import PairTag
from doublecross.server.core.errors import CorruptLog
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.journal.retention import Retention
from doublecross.server.shell.rooms.channel import Channel, read_frame
from doublecross.server.shell.rooms.scheduler import Scheduler

_log = structlog.get_logger("rooms")


class RoomRegistry:
    """Hold all rooms of the server by id. `now` returns milliseconds since 1970."""

    def __init__(
        self,
        index: RoomIndex,
        committer: Committer,
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._index = index
        self._times = times
        self._now = now
        self.channels: dict[str, Channel] = {}
        self.scheduler = Scheduler(self.channels)
        self.retention = Retention(committer, self._needed)
        self.rest: Callable[[Channel], None] = lambda _: None
        """Called with a room that nobody follows any more."""
        self.room_changed: Callable[[Room], None] = lambda _: None
        """Called with a room that has left memory, but goes on."""
        self._stranded: set[str] = set()
        """Rooms that only a restart can restore; their journal entries stay."""
        committer.on_stored.append(self.retention.stored)

    def add(self, room: Room) -> None:
        """Add a room that was just opened."""
        self.channels[room.id] = Channel(room)

    def adopt(
        self, room: Room, events: Sequence[Event], frames: Sequence[bytes], entries: list[int]
    ) -> Channel:
        """Add a room that was restored, and return its channel.

        `frames` are its encoded events, and `entries` the entries of the journal that have them.
        """
        channel = Channel(room)
        channel.keep_all(events, frames)
        if room.by_days:
            channel.plans = None
        if entries:
            self.retention.adopt(room.id, entries)
        self.channels[room.id] = channel
        self._index.add(room)
        self.scheduler.schedule(channel)
        return channel

    def close(self, channel: Channel) -> None:
        """Remove a room that is closed, or sleeps, and release its journal entries."""
        self._remove(channel)
        self.retention.release_room(channel.room.id)

    def forget(self, channel: Channel) -> None:
        """Remove a room that another server runs now; its journal entries belong to that one."""
        self._remove(channel)
        self.retention.forget_room(channel.room.id)

    def _remove(self, channel: Channel) -> None:
        # A copy, because `remove` takes the peer out.
        for peer in list(channel.peers):
            channel.remove(peer)
        self.channels.pop(channel.room.id, None)
        self._index.drop(channel.room)

    def _needed(self) -> Iterator[str]:
        """Return the ids of the rooms whose journal entries must stay."""
        # A row has the events of the others, and not the journal.
        yield from (room_id for room_id, each in self.channels.items() if not each.asleep)
        yield from self._stranded

    def rebuild(self, room_ids: set[str]) -> list[PairTag]:
        """Reset rooms to their last stored event, because a commit has failed.

        Returns the tags of the tournament games whose rooms no longer exist.
        """
        lost: list[PairTag] = []
        for room_id in room_ids:
            channel = self.channels.get(room_id)
            if channel is not None and not self._rebuilt(channel):
                tag = channel.room.terms.tag
                if tag is not None:
                    lost.append(tag)
        return lost

    def _rebuilt(self, channel: Channel) -> bool:
        """Rebuild one room from its stored events; return whether it still exists."""
        # Drop it as it is, because the index has the seats and keys of this room.
        self._index.drop(channel.room)
        # Not even its first event was stored.
        if not channel.frames:
            self.close(channel)
            return False
        try:
            events = [read_frame(frame) for frame in channel.essential_frames()]
            room = restore(events, self._times, self._now(), latest_match=True)
        except CorruptLog as error:
            _log.error("room_not_rebuilt", room=channel.room.id, reason=str(error))
            self._remove(channel)
            self.retention.forget_room(channel.room.id)
            self._stranded.add(channel.room.id)
            return False
        channel.room = room
        if room.by_days:
            channel.plans = None
        self._index.add(room)
        # Not a restart: the clients who are here have everything that is stored.
        room.attendance.ready = [True, True]
        for seat, player in enumerate(room.players):
            here = [p for p in channel.peers if player is not None and p.name == player.name]
            if here:
                channel.attend(seat, here)
        room.start_clock(self._now())
        self.scheduler.schedule(channel)
        return True
