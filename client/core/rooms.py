"""Keep the mirrors of the followed rooms up to date, and ask the server for what is missing.

Theory of operation
-------------------
When a mirror is out of step, one request brings it up to date. After a `Gap` the client asks for
the events after the last applied one. After a `Desync` it asks from event 0, which brings a
snapshot or all events. If that answer contradicts the rules too, the room is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.client.core.build import Build
from doublecross.client.core.room import Desync, Gap, RoomMirror
from doublecross.client.core.sentences import sentence_of
from doublecross.client.core.updates import (
    PhraseHeard,
    PresenceChanged,
    RoomChanged,
    RoomLeft,
    RoomLost,
    Update,
)
from doublecross.games.api import GameError
from doublecross.protocol.client_messages import JoinRoom, Request, Resume, Watch
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import (
    Failed,
    PhraseSaid,
    Presence,
    RoomClosed,
    RoomEvent,
    RoomState,
)

MAX_CLOSED: Final = 64
"""How many mirrors of closed rooms are kept, so that people can still look at the last position."""


class FollowedRooms:
    """The mirrors of the followed rooms and of the last closed ones, by room id.

    `ask` sends the requests that bring mirrors up to date.
    """

    __slots__ = ("_ask", "_resyncing", "mirrors")

    def __init__(self, ask: Callable[[Build], None]) -> None:
        self.mirrors: dict[str, RoomMirror] = {}
        self._ask = ask
        self._resyncing: dict[str, int] = {}

    @property
    def arriving(self) -> int:
        """The number of rooms that the client has asked for and whose first state is not here."""
        return len(self._resyncing.keys() - self.mirrors.keys())

    def to_resume(self) -> dict[str, int]:
        """Return the last applied event's number (0 for none) of each room that is not closed."""
        return {
            # A resync without an answer may have started from an earlier event than the mirror's
            # last.
            room: self._resyncing.get(room, mirror.seq)
            for room, mirror in self.mirrors.items()
            if mirror.status != "closed"
        }

    def resume(self, seats: tuple[str, ...]) -> None:
        """Ask again for every followed room, and for the rooms `seats` that seat the player."""
        # The right side wins: a room that is already followed continues at its last event.
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
        """Apply a `room_state`; `request` is the request that it answers, or None."""
        room = message.room
        resumed = isinstance(request, Resume | Watch)
        if resumed:
            self._resyncing.pop(room, None)
        try:
            changes = self._take_room(message, now, resumed)
        except GameError as error:
            return self.lose(room, str(error))
        except Desync as error:
            # This was the answer to a request for everything, so asking again cannot help.
            if isinstance(request, Resume) and request.seq == 0:
                return self.lose(room, str(error))
            self._resync(room, 0)
            return []
        mirror = self.mirrors[room]
        # The server does not repeat the code to a spectator, so keep the one that was given.
        if isinstance(request, Watch | JoinRoom) and mirror.code is None:
            mirror.code = request.code
        if mirror.status == "closed":
            self._forget_closed()
        return changes

    def take_presence(self, notice: Presence, now: float) -> list[Update]:
        """Apply who is present in a room."""
        mirror = self.mirrors.get(notice.room)
        if mirror is None:
            return []
        mirror.update_presence(notice, now)
        return [PresenceChanged(notice.room)]

    def take_phrase(self, notice: PhraseSaid) -> list[Update]:
        """Pass on what a player said, unless it belongs to a match that is not shown."""
        mirror = self.mirrors.get(notice.room)
        if mirror is None or mirror.match != notice.match:
            return []
        return [PhraseHeard(notice.room, notice.seat, notice.phrase)]

    def refuse(self, message: Failed, request: Resume | Watch) -> list[Update]:
        """Handle the refusal of a request for a room: retry with the code, or lose the room."""
        room = request.room
        if isinstance(request, Watch):
            return self.lose(room, sentence_of(message)) if room in self._resyncing else []
        mirror = self.mirrors.get(room)
        code = None if mirror is None else mirror.code
        if code is not None and message.code in (ErrorCode.WRONG_CODE, ErrorCode.NOT_SEATED):
            # Only a spectator of a private room is refused so; a `Watch` with the code helps.
            self._ask(lambda i: Watch(id=i, room=room, code=code))
            return []
        return self.lose(room, sentence_of(message))

    def leave(self, room: str) -> list[Update]:
        """Stop following `room`."""
        self._resyncing.pop(room, None)
        return [] if self.mirrors.pop(room, None) is None else [RoomLeft(room)]

    def lose(self, room: str, sentence: str) -> list[Update]:
        """Close the mirror of a room that can no longer be followed; `sentence` is the reason."""
        self._resyncing.pop(room, None)
        mirror = self.mirrors.get(room)
        if mirror is not None:
            if mirror.status == "closed":
                return []
            mirror.close(sentence)
            self._forget_closed()
        return [RoomLost(room, sentence)]

    def _resync(self, room: str, seq: int) -> None:
        """Ask for the events after `seq`, unless a request for the room is already under way."""
        if room not in self._resyncing:
            self._resyncing[room] = seq
            self._ask(lambda i: Resume(id=i, room=room, seq=seq))

    def _take_room(self, message: RoomState, now: float, resumed: bool) -> list[Update]:
        """Apply a `room_state` to its mirror, which is created if needed.

        Raises:
            Desync: the message contradicts the mirror or the rules.
            GameError: this client does not know the game or its parameters.
        """
        mirror = self.mirrors.get(message.room)
        events = message.events or ()
        whole = message.snapshot is not None or (bool(events) and events[0].seq == 1)
        if mirror is None or mirror.status == "closed":
            # Removing a closed mirror first keeps `mirrors` in order of age.
            self.mirrors.pop(message.room, None)
            self.mirrors[message.room] = RoomMirror(message, now)
            return [RoomChanged(message.room)]
        if whole and (resumed or message.snapshot is None or message.snapshot.seq >= mirror.seq):
            code = mirror.code
            mirror.adopt(RoomMirror(message, now))
            mirror.code = mirror.code or code
            return [RoomChanged(message.room)]
        if message.snapshot is not None:
            return []  # older than the mirror; only the answer to a resume may set it back
        new = mirror.catch_up(message, now)
        if not new:
            return [RoomChanged(message.room)]
        return [RoomChanged(message.room, event) for event in new]

    def _forget_closed(self) -> None:
        closed = [room for room, mirror in self.mirrors.items() if mirror.status == "closed"]
        for room in closed[:-MAX_CLOSED]:
            del self.mirrors[room]
