"""Follow the rooms of a cluster by the reports of their owners, and by what they have stored.

Theory of operation
-------------------
The owner of a log reports every event of its rooms but moves, once it is stored, in order. The
leader applies it to its shadow of the room (`server/core/cards.py`), then tells the subscribers.

After a break (the leader has moved, the log has a new owner, or the link was reset) reports may be
missing. Then the leader asks the owner, which answers `Reporting` when everything before the
question is stored, and reports what follows. The leader then reads the log (`reading.py`), holds
the reports that come meanwhile, and brings its shadows to the state of the log. After that it
handles what it has held. An event that the log has already is known by its number.

The leader acts on all changes that the log shows and no report did: matches that have ended, rooms
that are gone, openings that were stored or not. A finished match that the log does not show any
more is read from the storage (`on_missed`).

Reports of a run that does not own the log are ignored. They come from an owner whose lease has
lapsed. The log has everything that it had stored.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.items import (
    Gone,
    Handlers,
    Happened,
    Left,
    Obeyed,
    Reporting,
    Settled,
    Slept,
    Stored,
    Turned,
    Woken,
)
from doublecross.server.cluster.leader.logs import LeaderLogs, LogView
from doublecross.server.cluster.leader.reading import RETRY_S, LogReader, StoredLog
from doublecross.server.cluster.leader.rooms import FarRooms
from doublecross.server.core.cards import apply_report, card_of, refresh, shadow_of
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import Refused
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.records import rated_game
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.rooms.turns import Turn

_log = structlog.get_logger("leader")

_MALFORMED: Final = (Refused, LookupError, TypeError, ValueError)
Act = Callable[[Any], None]


def _room_of(item: Any) -> str:
    """Return the id of the room of a report."""
    if isinstance(item, Happened):
        return item.event["room"]
    room: str = item.card["opened"]["room"] if isinstance(item, Woken) else item.room
    return room


def _names(room: Room) -> list[str]:
    return [player.name for player in room.players if player is not None]


class Reports:
    """Keep the shadows of all rooms up to date, and pass what is reported to `subscribers`.

    `on_missed` takes the id of a room, the number of a match in it, and the number of the first
    match after it that is known; None: there may be any number. These matches have ended without a
    report. `on_accepted` takes the origin of each room that is stored, for example an offer.
    """

    def __init__(
        self,
        index: RoomIndex,
        logs: LeaderLogs,
        rooms: FarRooms,
        reader: LogReader,
        subscribers: RoomSubscriber,
        on_missed: Callable[[str, int, int | None], None],
        on_accepted: Callable[[str | None], None],
    ) -> None:
        self._index = index
        self._logs = logs
        self._rooms = rooms
        self._reader = reader
        self._tasks = BackgroundTasks()
        self._subscribers = subscribers
        self._on_missed = on_missed
        self._on_accepted = on_accepted
        self._times, self._now = reader.times, reader.now
        self.on_turn: Callable[[Turn], None] = lambda _: None
        """Called when it is a player's turn in a correspondence game."""
        self.on_read: Callable[[], None] = lambda: None
        """Called when the rooms of a log are known again."""
        self.is_open = False
        """True once the leader is open, so that its subscribers hear of ends of matches."""
        self._early: list[Callable[[], None]] = []
        """What is to be done about matches that have ended before the leader was open."""
        reports: dict[type[Any], Act] = {
            Stored: self._stored,
            Happened: self._happened,
            Gone: lambda item: self._vanish(item.room),
            Left: self._left,
            Slept: lambda item: self._sleep(item.room),
            Woken: self._woken,
            Turned: self._turned,
        }
        self.handlers: Handlers = {
            **{kind: partial(self._reported, act) for kind, act in reports.items()},
            Reporting: self._reporting,
            Obeyed: lambda run, item: self._rooms.obeyed(item.number),
            Settled: self._rooms.reply,
        }
        """The handlers of items from owners of logs."""

    # -- reports -------------------------------------------------------------------------------

    def _reported(self, act: Act, run: str, item: Any) -> None:
        """Act on a report of the owner of a log, now or when the rooms of the log are known."""
        view = self._logs.owned_by(run, log_of_room(_room_of(item)))
        if view is None:
            return
        if view.state == "known":
            act(item)
        else:
            view.held.append((act, item))

    def _stored(self, item: Stored) -> None:
        room, opening = self._index.get(item.room), self._rooms.openings.get(item.room)
        if room is None or opening is None:
            return  # the log has shown it already
        room.started_at = item.started_at
        self._confirm(room)
        self._subscribers.happened(room, opening.events[-1])

    def _confirm(self, room: Room) -> None:
        """Note that a room is stored, and that what it came from is carried out."""
        self._on_accepted(room.terms.origin)
        self._rooms.confirm(room.id)

    def _happened(self, item: Happened) -> None:
        event = item.event
        room_id = event["room"]
        room = self._index.get(room_id)
        if room is None or event["seq"] <= room.seq:
            return  # by the time when the log was read, it was in the log, or the room was closed
        try:
            apply_report(room, event, self._now())
        except _MALFORMED as error:
            _log.error("report_not_applied", room=room_id, kind=event["type"], reason=str(error))
            return
        if event["type"] == "seated":
            self._index.seat_taken(room, event["player"]["name"])
        self._tell(room, event)
        if event["type"] == "room_closed":
            self._drop(room)

    def _tell(self, room: Room, event: Event) -> None:
        if self.is_open:
            self._subscribers.happened(room, event)
            return
        self._subscribers.room_changed(room)
        played = rated_game(room) if event["type"] == "match_finished" else None
        if played is not None:
            self._early.append(partial(self._subscribers.match_found, played))

    def open(self) -> None:
        """Tell the subscribers of ends of matches from now on, because the ratings are loaded."""
        self.is_open = True
        early, self._early = self._early, []
        for each in early:
            each()

    def _missed(self, room_id: str, first: int, until: int | None) -> None:
        """Rate matches that have ended without a report, now or when the leader is open.

        The ratings may be loaded already when a link breaks before it is.
        """
        missed = partial(self._on_missed, room_id, first, until)
        if self.is_open:
            missed()
        else:
            self._early.append(missed)

    def _drop(self, room: Room) -> None:
        """Remove a room that is closed."""
        self._index.drop(room)
        self._logs.drop(room.id)

    def _left(self, item: Left) -> None:
        room = self._index.get(item.room)
        if room is not None:
            room.attendance.left = [p is not None and p.name in item.players for p in room.players]

    # -- what is stored ------------------------------------------------------------------------

    def _reporting(self, run: str, item: Reporting) -> None:
        view = self._logs.owned_by(run, item.log)
        if view is not None and self._logs.answered(view):
            self._tasks.start(self._read(item.log, view))

    async def _read(self, log: str, view: LogView) -> None:
        held = view.held  # another list when this reading does not count any more
        try:
            found = await self._reader.read(log, lambda: self._rooms_of(view))
            if view.held is held:
                self._take(log, view, found)
        except Exception:  # noqa: BLE001 - nobody else reads it, so everybody would wait
            _log.exception("log_not_taken", log=log)
            await asyncio.sleep(RETRY_S)
            self._logs.ask_again(view)

    def _rooms_of(self, view: LogView) -> list[Room]:
        found = [self._index.get(room_id) for room_id in sorted(view.rooms)]
        return [room for room in found if room is not None]

    def _take(self, log: str, view: LogView, found: StoredLog) -> None:
        """Bring the shadows of a log to the state of the storage, then go on with the reports."""
        for shadow in found.rooms.values():
            self._take_shadow(shadow)
        held, view.held = view.held, []
        # Rooms that were opened, or came back from sleep, perhaps after their part was read.
        begun = {_room_of(item) for _, item in held if isinstance(item, Stored | Woken)}
        for room in self._rooms_of(view):
            if room.id in found.asleep:
                self._sleep(room.id)
            elif room.id not in found.rooms.keys() | begun:
                if room.id in found.played:
                    # It was stored, and closed without a report, so its opening must not be undone.
                    self._confirm(room)
                self._vanish(room.id)
        self._logs.is_read(view)
        self._rooms.repeat(log)
        self._rooms.tell_phrases(self._rooms_of(view))
        for act, report in held:
            act(report)
        self.on_read()

    def _take_shadow(self, shadow: Room) -> None:
        room = self._index.get(shadow.id)
        try:
            if room is None:
                room = shadow
                self._index.add(room)
                self._logs.add(room.id)
            else:
                self._catch_up(room, shadow)
        except _MALFORMED as error:
            _log.error("room_not_read", room=shadow.id, reason=str(error))
            return
        self._confirm(room)
        self._subscribers.room_changed(room)

    def _catch_up(self, room: Room, newer: Room) -> None:
        """Bring a shadow to the state of a newer one, and carry out what was not reported."""
        was_playing, number = room.status == "playing", room.match_number
        had_ended = room.match is not None and room.match.result is not None
        refresh(room, card_of(newer), self._now())
        for player in room.players:
            if player is not None:
                self._index.seat_taken(room, player.name)
        first = number if was_playing else number + 1
        if first < room.match_number:
            self._missed(room.id, first, room.match_number)
        if room.status == "finished" and not (had_ended and room.match_number == number):
            if self.is_open:
                self._subscribers.match_ended(room)
            else:
                self._missed(room.id, room.match_number, room.match_number + 1)

    # -- rooms that sleep ----------------------------------------------------------------------

    def _sleep(self, room_id: str) -> None:
        """Forget a room that its owner has in the database only; count it for its players."""
        room = self._index.get(room_id)
        if room is None:
            return
        self._rooms.confirm(room_id)
        self._index.drop(room)
        self._logs.drop(room_id)
        self._index.sleeping.update(_names(room))
        self._subscribers.room_changed(room)

    def _woken(self, item: Woken) -> None:
        try:
            shadow = shadow_of(item.card, self._times, self._now())
        except _MALFORMED as error:
            _log.error("report_not_applied", room=_room_of(item), reason=str(error))
            return
        was_known = shadow.id in self._index
        self._take_shadow(shadow)
        if not was_known:
            self._index.sleeping -= Counter(_names(shadow))  # this drops those without any

    def _turned(self, item: Turned) -> None:
        if self.is_open:
            self.on_turn(Turn(*item))

    # -- rooms that are gone -------------------------------------------------------------------

    def vanish_all(self, room_ids: set[str]) -> None:
        """Remove rooms whose log does not exist any more."""
        for room_id in sorted(room_ids):
            self._vanish(room_id)

    def _vanish(self, room_id: str) -> None:
        """Remove a room that does not exist, or does not exist any more."""
        room = self._index.get(room_id)
        self._logs.drop(room_id)
        if room is None:
            return
        if room_id in self._rooms.openings:
            self._rooms.openings.fail(room_id)
            self._missed(room_id, 1, None)  # a former owner may have run and closed it
            return
        self._drop(room)
        number = room.match_number if room.status == "playing" else room.match_number + 1
        self._missed(room_id, number, None)
        if self.is_open:
            self._subscribers.room_lost(room)
        else:
            self._subscribers.room_changed(room)

    async def close(self) -> None:
        """Read nothing more."""
        await self._tasks.close()
