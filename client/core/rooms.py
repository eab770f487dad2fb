"""The rooms that a client follows: takes what the server says of them, asks for what is missing.

Theory of operation
-------------------
A room out of step is asked for once: after a `Gap` from the last event that is known, after a
`Desync` from 0, which brings it as a whole. When even the whole room makes no sense, it is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.core.build import Build
from client.core.room import Desync, Gap, RoomMirror
from client.core.updates import PresenceChanged, RoomChanged, RoomLeft, RoomLost, Update
from games.api import GameError
from protocol.client_messages import JoinRoom, Request, Resume, Watch
from protocol.errors import ErrorCode
from protocol.server_messages import Failed, Presence, RoomClosed, RoomEvent, RoomState

MAX_CLOSED: Final = 64
"""Closed rooms whose mirrors are kept for a last look."""


class FollowedRooms:
    """The followed rooms and the last few closed ones, by id in `mirrors`.

    `ask` takes the requests that must be sent to catch up.
    """

    __slots__ = ("_ask", "_resyncing", "mirrors")

    def __init__(self, ask: Callable[[Build], None]) -> None:
        self.mirrors: dict[str, RoomMirror] = {}
        self._ask = ask
        self._resyncing: dict[str, int] = {}

    def to_resume(self) -> dict[str, int]:
        """Return the last event that was seen of each room that is not closed, 0 for none."""
        return {
            room: self._resyncing.get(room, mirror.seq)
            for room, mirror in self.mirrors.items()
            if mirror.status != "closed"
        }

    def resume(self, seats: tuple[str, ...]) -> None:
        """Ask for every followed room, and for those in which the player has `seats`, again."""
        resume = dict.fromkeys(seats, 0) | self.to_resume()
        self._resyncing.clear()
        for room, seq in resume.items():
            self._resync(room, seq)

    def take_event(self, event: RoomEvent, now: float) -> list[Update]:
        """Apply one event to its room."""
        mirror = self.mirrors.get(event.room)
        if mirror is None or mirror.status == "closed":
            return []
        try:
            if not mirror.apply(event, now):
                return []
        except Gap:
            self._resync(mirror.room, mirror.seq)
            return []
        except Desync:
            self._resync(mirror.room, 0)
            return []
        if type(event) is RoomClosed:
            self._forget_closed()
        return [RoomChanged(event.room, event)]

    def take_state(self, message: RoomState, now: float, request: Request | None) -> list[Update]:
        """Apply a `room_state`; `request` is what it answers."""
        room = message.room
        resumed = isinstance(request, Resume | Watch)
        if resumed:
            self._resyncing.pop(room, None)
        try:
            changes = self._take_room(message, now, resumed)
        except GameError as error:
            return self.lose(room, str(error))
        except Desync as error:
            if isinstance(request, Resume) and request.seq == 0:
                return self.lose(room, str(error))
            self._resync(room, 0)
            return []
        mirror = self.mirrors[room]
        if isinstance(request, Watch | JoinRoom) and mirror.code is None:
            mirror.code = request.code
        if mirror.status == "closed":
            self._forget_closed()
        return changes

    def take_presence(self, notice: Presence, now: float) -> list[Update]:
        """Apply who is there."""
        mirror = self.mirrors.get(notice.room)
        if mirror is None:
            return []
        mirror.meet(notice, now)
        return [PresenceChanged(notice.room)]

    def refuse(self, message: Failed, request: Resume | Watch) -> list[Update]:
        """Take the refusal of a request to catch up, or of a first one to watch."""
        room = request.room
        if isinstance(request, Watch):
            return self.lose(room, message.message) if room in self._resyncing else []
        mirror = self.mirrors.get(room)
        code = None if mirror is None else mirror.code
        if code is not None and message.code in (ErrorCode.WRONG_CODE, ErrorCode.NOT_SEATED):
            # A spectator of a private room says its code again.
            self._ask(lambda i: Watch(id=i, room=room, code=code))
            return []
        return self.lose(room, message.message)

    def leave(self, room: str) -> list[Update]:
        """Follow `room` no longer."""
        self._resyncing.pop(room, None)
        return [] if self.mirrors.pop(room, None) is None else [RoomLeft(room)]

    def lose(self, room: str, sentence: str) -> list[Update]:
        """Close the mirror of a room that cannot be followed any more."""
        self._resyncing.pop(room, None)
        mirror = self.mirrors.get(room)
        if mirror is not None:
            if mirror.status == "closed":
                return []
            mirror.close(sentence)
            self._forget_closed()
        return [RoomLost(room, sentence)]

    def _resync(self, room: str, seq: int) -> None:
        """Ask for the room from `seq`, unless it is being asked for already."""
        if room not in self._resyncing:
            self._resyncing[room] = seq
            self._ask(lambda i: Resume(id=i, room=room, seq=seq))

    def _take_room(self, message: RoomState, now: float, resumed: bool) -> list[Update]:
        """Take a `room_state` into its mirror.

        Raises:
            Desync: it makes no sense.
            GameError: the game is unknown here.
        """
        mirror = self.mirrors.get(message.room)
        events = message.events or ()
        whole = message.snapshot is not None or (bool(events) and events[0].seq == 1)
        if mirror is None or mirror.status == "closed":
            # A closed mirror leaves its place, so that the youngest are last in `mirrors`.
            self.mirrors.pop(message.room, None)
            self.mirrors[message.room] = RoomMirror(message, now)
            return [RoomChanged(message.room)]
        if whole and (resumed or message.snapshot is None or message.snapshot.seq >= mirror.seq):
            code = mirror.code
            mirror.adopt(RoomMirror(message, now))
            mirror.code = mirror.code or code
            return [RoomChanged(message.room)]
        if message.snapshot is not None:
            return []  # older than what is known; only the answer to a resume goes back
        new = mirror.catch_up(message, now)
        if not new:
            return [RoomChanged(message.room)]
        return [RoomChanged(message.room, event) for event in new]

    def _forget_closed(self) -> None:
        closed = [room for room, mirror in self.mirrors.items() if mirror.status == "closed"]
        for room in closed[:-MAX_CLOSED]:
            del self.mirrors[room]
