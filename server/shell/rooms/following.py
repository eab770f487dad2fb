"""Let peers follow rooms, starting with a snapshot or the events that they missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protocol.errors import ErrorCode
from server.core.room import Room
from server.core.snapshot import presence, snapshot
from server.shell.answers import after_commit
from server.shell.journal.committer import Committer
from server.shell.peer import Peer
from server.shell.rooms.channel import Channel
from server.shell.rooms.registry import RoomRegistry


class RoomFollowing:
    """Start and end the following of rooms, and send the presence of players and spectators.

    `connected` has the connected peers by player name.
    """

    def __init__(
        self,
        registry: RoomRegistry,
        committer: Committer,
        connected: Mapping[str, Peer],
        now: Callable[[], int],
    ) -> None:
        self._registry = registry
        self._committer = committer
        self._connected = connected
        self._now = now
        self._presence_due: set[str] = set()
        """Rooms whose number of spectators has changed since the last sweep."""

    def show(
        self,
        peer: Peer,
        room: Room,
        request_id: int | None,
        *,
        seq: int | None = None,
        origin: str | None = None,
    ) -> None:
        """Let `peer` follow `room`, once everything that it will see is stored.

        Sends the events after number `seq` if they are in memory, else a snapshot. The message
        answers `request_id`, if given. `origin` says where the room comes from, for example the id
        of an offer or a tournament.
        """
        registry = self._registry
        channel = registry.channels[room.id]
        seat = room.seat_of(peer.name)
        shown = snapshot(room, self._now())
        message: dict[str, Any] = {
            "type": "room_state",
            "room": room.id,
            "seat": seat,
            "snapshot": shown,
            "clock_ms": shown["clock_ms"],
            "clock_runs": shown["clock_runs"],
        }
        if request_id is not None:
            message["id"] = request_id
        if origin is not None:
            message["origin"] = origin
        if seat is not None and room.terms.code is not None:
            message["code"] = room.terms.code

        def deliver() -> None:
            if self._connected.get(peer.name) is not peer:
                return  # the peer disconnected, or was replaced, during the commit
            if registry.channels.get(room.id) is not channel:
                if request_id is not None:
                    peer.refuse(request_id, ErrorCode.UNKNOWN_ROOM, f"Room {room.id} was closed.")
                return
            missed = None if seq is None else channel.events_since(seq)
            if missed is not None:
                message["events"] = missed
                del message["snapshot"]
            known = peer in channel.peers
            channel.add(peer)
            current, now = channel.room, self._now()
            seat_now = current.seat_of(peer.name)
            if seat_now is not None:
                current.attendance.connect(seat_now)
            if current.seq == channel.last_seq:
                # No newer event waits for its commit, so the clock may run and may be shown.
                current.start_clock(now)
                message["clock_ms"] = shown["clock_ms"] = current.clock_ms(now)
                message["clock_runs"] = shown["clock_runs"] = current.clock_runs
            registry.scheduler.schedule(channel)
            message["presence"] = presence(current, channel.spectators, now)
            peer.send(message)
            if not known:
                self._presence_changed(channel, seat)

        after_commit(self._committer, peer, request_id, deliver)

    def unfollow(self, peer: Peer, room_id: str) -> None:
        """Stop following, because the peer has left the room or is disconnected."""
        channel = self._registry.channels[room_id]
        channel.remove(peer)
        seat = channel.room.seat_of(peer.name)
        if seat is not None:
            channel.room.attendance.disconnect(seat, self._now())
            self._registry.scheduler.schedule(channel)
        self._presence_changed(channel, seat)

    def _presence_changed(self, channel: Channel, seat: int | None) -> None:
        if seat is None:
            # Spectators come and go in crowds, so their number is sent at the next sweep only.
            self._presence_due.add(channel.room.id)
        else:
            self._send_presence(channel)

    def send_due_presence(self) -> None:
        """Send the presence to the rooms whose number of spectators has changed."""
        for room_id in list(self._presence_due):
            channel = self._registry.channels.get(room_id)
            if channel is not None:
                self._send_presence(channel)
        self._presence_due.clear()

    def _send_presence(self, channel: Channel) -> None:
        """Send the presence of players and spectators to all who follow the room."""
        self._presence_due.discard(channel.room.id)
        channel.notify(presence(channel.room, channel.spectators, self._now()))
