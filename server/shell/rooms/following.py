"""Let peers follow rooms, starting with a snapshot or the events that they missed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.version import MAX_OUTBOUND_BYTES
from doublecross.server.core.errors import too_many
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import presence
from doublecross.server.shell.answers import after_commit
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer, send_to_all
from doublecross.server.shell.rooms.channel import Channel
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.sessions import Sessions

MAX_MISSED_BYTES: Final = MAX_OUTBOUND_BYTES - 16 * 1024
"""A peer that missed more than so many bytes of events gets a snapshot instead."""
EVENT_BYTES: Final = 160
"""A little more than the length of a move's event."""
CROWD: Final = 100
"""To so many followers a presence is sent at once, which takes a millisecond."""
MOST_PRESENCES: Final = 4
"""How often the presence of players is sent at once between two sweeps.

When a match begins, both players arrive, and each must know that the other one is here.
"""
SNAPSHOT_BYTES: Final = 768
"""A little more than the length of a snapshot without moves and opening."""


def check_may_follow(peer: Peer, room: str, limits: ServerLimits) -> None:
    """Check that the peer may follow a room; an empty one stands for a new room.

    Raises:
        Refused: the peer follows too many rooms.
    """
    if room not in peer.followed and len(peer.followed) >= limits.followed_rooms:
        raise too_many("You follow too many rooms; leave some first.")


class RoomFollowing:
    """Start and end the following of rooms, and send the presence of players and spectators.

    `on_return` takes a room that a player had left by choice and follows again.
    """

    def __init__(
        self,
        registry: RoomRegistry,
        committer: Committer,
        sessions: Sessions,
        now: Callable[[], int],
        on_return: Callable[[Room], None],
    ) -> None:
        self._on_return = on_return
        self._registry = registry
        self._committer = committer
        self._sessions = sessions
        self._now = now
        self._showing: set[tuple[Peer, str]] = set()
        """Peers and the rooms that they follow as soon as their missed events are encoded."""
        self._presence_due: set[str] = set()
        """Rooms whose presence has changed since it was sent."""
        self._presence_sent: Counter[str] = Counter()
        """How often the presence of a room was sent since the last sweep."""

    def price(self, room: Room, seq: int | None = None) -> int:
        """Return about how many bytes `show` will send to somebody who has seen event `seq`."""
        # All events after `seq` are in memory or wait for their commit.
        if seq is not None and self._registry.channels[room.id].first - 1 <= seq <= room.seq:
            # Events that still wait for their commit count, because they may be stored when it is
            # sent.
            return EVENT_BYTES * (room.seq - seq)
        moves = 0 if room.match is None else len(room.match.moves)
        # An action has up to three bytes in msgpack.
        return SNAPSHOT_BYTES + 3 * (moves + len(room.settings.opening))

    def show(
        self,
        peer: Peer,
        room: Room,
        request_id: int | None,
        *,
        seq: int | None = None,
        origin: str | None = None,
        paid: int = 0,
        charge: bool = False,
        persist: bool = False,
    ) -> None:
        """Let `peer` follow `room`, once everything that it will see is stored.

        Sends the events after number `seq` if they are in memory, else a snapshot. The message
        answers `request_id`, if given. `origin` says where the room comes from, for example the id
        of an offer or a tournament. `paid` is how many bytes of it the peer has paid for; with
        `charge` it pays for all of them now. With `persist` the peer is shown the room as it was
        before, if it cannot be stored: nobody would ask for it again.

        Raises:
            Refused: earlier answers have used up the rate.
        """
        if charge:
            paid = self.price(room, seq)
            peer.pay(paid)
        registry = self._registry
        channel = registry.channels[room.id]
        now = self._now()
        seat = room.seat_of(peer.name)
        message: dict[str, Any] = {
            "type": "room_state",
            "room": room.id,
            "seat": seat,
            "clock_runs": room.clock_runs,
            "clock_ms": room.clock_ms(now),
        }
        if request_id is not None:
            message["id"] = request_id
        if origin is not None:
            message["origin"] = origin
        # The creator has to pass the join code on, also after a reconnect.
        if seat is not None and room.terms.code is not None:
            message["code"] = room.terms.code
        # The events are encoded already and joined when they are sent, so an answer that waits
        # needs no memory for them. A snapshot has to be made now: when it is sent, the room may
        # have changes that are not stored yet.
        if seq is not None and not channel.first - 1 <= seq <= room.seq:
            seq = None
        shown = channel.snapshot(now) if seq is None else None
        if shown is not None and peer.boards:
            message["board"] = channel.board()

        # It gets itself as an argument, because a function that refers to itself is freed by the
        # garbage collector only.
        def deliver(again: Callable[..., None]) -> None:
            channel.awaited -= 1
            self._showing.discard((peer, room.id))
            if peer not in self._sessions.get(peer.name, ()):
                return  # the peer disconnected during the commit
            if registry.channels.get(room.id) is not channel:
                if request_id is not None:
                    code, text = ErrorCode.UNKNOWN_ROOM, "Room {room} was closed."
                    peer.refuse(request_id, code, text, room.id)
                return
            missed = None
            now = self._now()
            if seq is not None:
                if channel.first - 1 > seq or channel.size_since(seq) > MAX_MISSED_BYTES:
                    # They are no longer in memory, or too long, so send a snapshot after all.
                    self.show(peer, channel.room, request_id, origin=origin, paid=paid)
                    return
                missed = channel.encoded_since(seq, peer.codec.text)
                if missed is None:
                    self._showing.add((peer, room.id))
                    channel.awaited += 1
                    # Go on in the next turn, so that others need not wait for a long history.
                    asyncio.get_running_loop().call_soon(again, again)
                    return
                board = channel.stored_board() if peer.boards else None
                # `size_since` counts msgpack, and JSON is longer.
                if (peer.boards and board is None) or (
                    peer.codec.text and sum(map(len, missed)) > MAX_MISSED_BYTES
                ):
                    self.show(peer, channel.room, request_id, origin=origin, paid=paid)
                    return
                if board is not None:
                    message["board"] = board
            # A client that resumes a room may follow it already, or another client of the same
            # player. Then nobody needs to hear of it.
            unchanged = peer in channel.peers
            current = channel.room
            channel.add(peer)
            # No newer event waits for its commit, so the clock may run and may be shown.
            is_current = current.seq == channel.last_seq
            seat_now = current.seat_of(peer.name)
            if seat_now is not None:
                # A spectator who has taken a seat is one spectator less and one player more.
                before = list(current.attendance.connections), list(current.attendance.takebacks)
                # `attend` forgets it.
                had_left = current.attendance.left[seat_now]
                channel.attend(seat_now, self._sessions.get(peer.name, ()))
                after = current.attendance.connections, current.attendance.takebacks
                unchanged = before[0][seat_now] > 0 and before[1] == after[1]
                if had_left:
                    self._on_return(current)
            if is_current:
                if not current.clock_runs:
                    current.start_clock(now)
                message["clock_runs"] = current.clock_runs
                message["clock_ms"] = current.clock_ms(now)
                move_left = None if current.match is None else current.match.clock.move_left(now)
                if move_left is not None:
                    message["move_left_ms"] = move_left
            registry.scheduler.schedule(channel)
            spectators = current.attendance.spectators(len(channel.peers))
            message["presence"] = presence(current, spectators, now)
            if shown is not None:
                clock = {key: message[key] for key in ("clock_ms", "clock_runs")}
                # A copy, because others share the snapshot.
                message["snapshot"] = {**shown, **clock}
            frame = peer.codec.encode(message)
            if missed is not None:
                frame = peer.codec.with_list(frame, "events", missed)
            # Nobody pays for what nobody asked for.
            peer.send_long(frame, len(frame) if request_id is None else paid)
            if not unchanged:
                self._presence_changed(channel, seat_now, message["presence"])

        def fail() -> None:
            channel.awaited -= 1
            if persist:
                # The room is as it was stored in the next turn.
                asyncio.get_running_loop().call_soon(show_again)

        def show_again() -> None:
            if registry.channels.get(room.id) is channel:
                self.show(peer, channel.room, request_id, origin=origin, persist=True)

        channel.awaited += 1
        after_commit(self._committer, peer, request_id, partial(deliver, deliver), fail)

    def when_shown(self, peer: Peer, room_id: str, act: Callable[[], None]) -> None:
        """Call `act` once the peer follows the room, if it is about to; otherwise at once."""
        if (peer, room_id) in self._showing:
            # `deliver` above is called before this in every turn, because it was first.
            asyncio.get_running_loop().call_soon(self.when_shown, peer, room_id, act)
        else:
            act()

    def unfollow(self, peer: Peer, room_id: str) -> None:
        """Stop following, because the peer has left the room or is disconnected."""
        # A room that leaves the registry also leaves `followed` of its peers, so it is there.
        channel = self._registry.channels[room_id]
        channel.remove(peer)
        seat = channel.room.seat_of(peer.name)
        if seat is not None:
            others = [each for each in self._sessions.get(peer.name, ()) if each in channel.peers]
            if others:
                channel.attend(seat, others)
                return
            channel.room.attendance.disconnect(seat, self._now())
            self._registry.scheduler.schedule(channel)
        self._presence_changed(channel, seat)
        if not channel.peers:
            self._registry.rest(channel)

    def _presence_changed(
        self, channel: Channel, seat: int | None, now: Mapping[str, Any] | None = None
    ) -> None:
        """Send the presence of a room, or note that it is due; `now` is what it is, if known."""
        if seat is None or self._presence_sent[channel.room.id] >= MOST_PRESENCES:
            # Spectators come and go in crowds, and a player might come and go again and again. So
            # the presence is sent at the next sweep only.
            self._presence_due.add(channel.room.id)
        else:
            self._send_presence(channel, now)
            self._presence_sent[channel.room.id] += 1

    def first_move_awaited(self, channel: Channel) -> None:
        """Send the presence, which shows how long the room waits, unless it is sent in this turn.

        A player who has just joined follows the room at the end of the same commit.
        """
        self._presence_due.add(channel.room.id)
        asyncio.get_running_loop().call_soon(self._send_if_due, channel)

    def _send_if_due(self, channel: Channel) -> None:
        if channel.room.id in self._presence_due:
            self._send_presence(channel)

    def send_due_presence(self) -> None:
        """Send the presence to the rooms where it has changed since it was sent."""
        # A copy, because `_send_presence` discards from the set.
        for room_id in list(self._presence_due):
            channel = self._registry.channels.get(room_id)
            if channel is not None:
                self._send_presence(channel)
        self._presence_due.clear()
        self._presence_sent.clear()

    def _send_presence(self, channel: Channel, now: Mapping[str, Any] | None = None) -> None:
        """Send the presence of players and spectators to all who follow the room."""
        self._presence_due.discard(channel.room.id)
        channel.presence = now or presence(channel.room, channel.spectators, self._now())
        self._send_to_crowd(channel, channel.presence, list(channel.peers))

    def _send_to_crowd(
        self, channel: Channel, message: Mapping[str, Any], peers: list[Peer]
    ) -> None:
        """Send a presence to the first of these peers, and to the others in the next turns."""
        # A later one goes to all of them.
        if channel.presence is not message:
            return
        send_to_all([each for each in peers[:CROWD] if each in channel.peers], message)
        if len(peers) > CROWD:
            loop = asyncio.get_running_loop()
            loop.call_soon(self._send_to_crowd, channel, message, peers[CROWD:])
