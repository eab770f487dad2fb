"""Follow the rooms of a cluster by the reports and censuses of their owners.

Theory of operation
-------------------
The owner of a log reports every event of its rooms but moves, once it is stored, in order. The hall
applies it to its shadow of the room (`server/core/cards.py`), then tells the subscribers.

After a break (the hall has moved, the log has a new owner, or the link was reset) reports may be
missing. Then the owner sends a census: `Begin`, a card of each room, `End`. It reports events
meanwhile too. Each card is right when it is sent, so later events fit it. Events of rooms that are
not counted yet are ignored. A room that was neither counted nor opened by the end does not exist
any more.

The hall acts on all changes that a census shows and no report did: matches that have ended, rooms
that are gone, openings that were stored or not. A finished match that a card does not show any more
is read from the storage (`on_missed`).

Reports of a run that does not own the log are ignored. They come from an owner whose lease has
lapsed. The census of its successor includes everything that it had stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import structlog

from doublecross.server.cluster.hall.logs import HallLogs, LogView
from doublecross.server.cluster.hall.rooms import FarRooms
from doublecross.server.cluster.items import (
    Begin,
    Closed,
    Counted,
    End,
    Gone,
    Handlers,
    Happened,
    Left,
    Obeyed,
    Opened,
    Settled,
    Shown,
    Slept,
    Turned,
    Woken,
)
from doublecross.server.core.cards import Card, apply_report, refresh, shadow_of
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import Refused
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.records import rated_game
from doublecross.server.core.rooms.replay import opened_by
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.rooms.turns import Turn

_log = structlog.get_logger("hall")

_MALFORMED: Final = (Refused, LookupError, TypeError, ValueError)


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
        logs: HallLogs,
        rooms: FarRooms,
        subscribers: RoomSubscriber,
        on_missed: Callable[[str, int, int | None], None],
        on_accepted: Callable[[str | None], None],
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._index = index
        self._logs = logs
        self._rooms = rooms
        self._subscribers = subscribers
        self._on_missed = on_missed
        self._on_accepted = on_accepted
        self._times = times
        self._now = now
        self.on_turn: Callable[[Turn], None] = lambda _: None
        """Called when it is a player's turn in a correspondence game."""
        self.on_counted: Callable[[list[str]], None] = lambda _: None
        """Called after a census, with correspondence games that are gone or have gone to sleep."""
        self._doubtful: set[str] = set()
        """Such rooms, until the database says which it is."""
        self.is_open = False
        """True once the hall is open, so that its subscribers hear of ends of matches."""
        self._early: list[RatedGame] = []
        """The rated games that have ended before the hall was open."""
        self.handlers: Handlers = {
            Begin: self._begin,
            Closed: self._closed,
            Counted: self._counted,
            End: self._end,
            Happened: self._happened,
            Opened: self._opened,
            Gone: self._gone,
            Left: self._left,
            Slept: self._slept,
            Woken: self._woken,
            Turned: self._turned,
            Obeyed: lambda run, item: self._rooms.obeyed(item.number),
            Shown: lambda run, item: self._rooms.shown(run, item.number),
            Settled: lambda run, item: self._rooms.settling.reply(run, item),
        }
        """The handlers of items from owners of logs."""

    # -- reports -------------------------------------------------------------------------------

    def _happened(self, run: str, item: Happened) -> None:
        event = item.event
        room_id = event["room"]
        view = self._logs.believed(run, room_id)
        if view is None:
            return
        room = self._index.get(room_id)
        if event["type"] == "room_created":
            view.counted.add(room_id)
        elif view.census == "begun" and room_id not in view.counted:
            return
        try:
            if room is None:
                room = opened_by(event, self._times, self._now())
                self._index.add(room)
                self._logs.add(room_id)
            else:
                apply_report(room, event, self._now())
        except _MALFORMED as error:
            _log.error("report_not_applied", room=room_id, kind=event["type"], reason=str(error))
            return
        if event["type"] == "seated":
            self._index.seat_taken(room, event["player"]["name"])
        if event["type"] == "room_created":
            self._on_accepted(room.terms.origin)
            self._rooms.confirm(room_id)
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
            self._early.append(played)

    def open(self) -> None:
        """Tell the subscribers of ends of matches from now on, because the ratings are loaded."""
        self.is_open = True
        for played in self._early:
            self._subscribers.match_found(played)
        self._early.clear()

    def _drop(self, room: Room) -> None:
        """Remove a room that is closed, and answer the requests that still wait for it."""
        opening = self._rooms.openings.remove(room.id)
        if opening is not None:
            self._rooms.refuse_closed(opening)
        self._index.drop(room)
        self._logs.drop(room.id)

    def _opened(self, run: str, item: Opened) -> None:
        if self._logs.believed(run, item.room) is not None:
            self._rooms.answered(item.room)

    def _gone(self, run: str, item: Gone) -> None:
        if self._logs.believed(run, item.room) is not None:
            self._vanish(item.room, answered=item.answered)

    def _left(self, run: str, item: Left) -> None:
        room = self._index.get(item.room)
        if room is not None and self._logs.believed(run, item.room) is not None:
            room.attendance.left = [p is not None and p.name in item.players for p in room.players]

    # -- a census ------------------------------------------------------------------------------

    def _begin(self, run: str, item: Begin) -> None:
        view = self._logs.view(item.log)
        if view is not None and view.owner == run:
            # The owner may have lost the log and got it back, but not the requests to show rooms.
            self._rooms.abandon((item.log,))
        self._logs.begin(run, item.log)

    def _counted(self, run: str, item: Counted) -> None:
        view = self._logs.counting(run, item.log)
        if view is None:
            return
        room_id = item.card["opened"]["room"]
        if log_of_room(room_id) != item.log:
            _log.error("card_not_read", room=room_id, reason=f"it is not of the log {item.log}")
        else:
            self._take_card(view, room_id, item.card)

    def _take_card(self, view: LogView, room_id: str, card: Card) -> None:
        self._doubtful.discard(room_id)
        try:
            room = self._index.get(room_id)
            if room is None:
                room = shadow_of(card, self._times, self._now())
                self._index.add(room)
                self._logs.add(room_id)
            else:
                self._catch_up(room, card)
        except _MALFORMED as error:
            _log.error("card_not_read", room=room_id, reason=str(error))
            return
        view.counted.add(room_id)
        self._on_accepted(room.terms.origin)
        self._rooms.confirm(room_id)
        self._subscribers.room_changed(room)

    def _catch_up(self, room: Room, card: Card) -> None:
        """Bring a shadow to the state of a card, and carry out what was not reported."""
        was_playing, number = room.status == "playing", room.match_number
        had_ended = room.match is not None and room.match.result is not None
        refresh(room, card, self._now())
        for player in room.players:
            if player is not None:
                self._index.seat_taken(room, player.name)
        first = number if was_playing else number + 1
        if self.is_open and first < room.match_number:
            self._on_missed(room.id, first, room.match_number)
        is_news = room.status == "finished" and not (had_ended and room.match_number == number)
        if self.is_open and is_news:
            self._subscribers.match_ended(room)

    def _closed(self, run: str, item: Closed) -> None:
        """Remove rooms that were closed without a report, perhaps even without one of the opening.

        Such an opening must not be undone: its match was played.
        """
        if self._logs.counting(run, item.log) is None:
            return
        for room_id in item.rooms:
            room = self._index.get(room_id)
            if room is not None:
                self._on_accepted(room.terms.origin)
                self._rooms.confirm(room_id)
                self._vanish(room_id, answered=False)

    def _end(self, run: str, item: End) -> None:
        view = self._logs.counting(run, item.log)
        if view is None:
            return
        counted = set(view.counted)
        self._logs.end(view)
        doubtful = []
        for room_id in sorted(view.rooms - counted):
            room = self._index.get(room_id)
            stored = not self._rooms.openings.is_unconfirmed(room_id)
            if room is not None and room.waits and stored:
                doubtful.append(room_id)
            else:
                self._vanish(room_id, answered=False)
        self._doubtful.update(doubtful)
        self.on_counted(doubtful)
        for room_id in sorted(view.rooms):
            if room_id in self._rooms.openings:
                self._rooms.answer(room_id)
        self._rooms.repeat(item.log)
        self._rooms.tell_phrases([self._index[room_id] for room_id in sorted(view.rooms)])

    # -- rooms that sleep ----------------------------------------------------------------------

    def _slept(self, run: str, item: Slept) -> None:
        if self._logs.believed(run, item.room) is not None:
            self._sleep(item.room)

    def _sleep(self, room_id: str) -> None:
        """Forget a room that its owner has in the database only; count it for its players."""
        room = self._index.get(room_id)
        if room is None:
            return
        if room_id in self._rooms.openings:
            self._rooms.answer(room_id)
        self._index.drop(room)
        self._logs.drop(room_id)
        self._index.sleeping.update(_names(room))
        self._subscribers.room_changed(room)

    def _woken(self, run: str, item: Woken) -> None:
        room_id = item.card["opened"]["room"]
        view = self._logs.believed(run, room_id)
        if view is None:
            return
        was_known = room_id in self._index
        self._take_card(view, room_id, item.card)
        room = self._index.get(room_id)
        if room is not None and not was_known:
            self._index.sleeping -= Counter(_names(room))  # this drops those without any

    def _turned(self, run: str, item: Turned) -> None:
        if self.is_open and self._logs.believed(run, item.room) is not None:
            self.on_turn(Turn(*item))

    def found(self, room_id: str, asleep: bool) -> None:
        """Forget a room that a census did not count, because it sleeps or is gone."""
        if room_id in self._doubtful:
            self._doubtful.discard(room_id)
            if asleep:
                self._sleep(room_id)
            else:
                self._vanish(room_id, answered=False)

    # -- rooms that are gone -------------------------------------------------------------------

    def vanish_all(self, room_ids: set[str]) -> None:
        """Remove rooms whose log does not exist any more."""
        for room_id in sorted(room_ids):
            self._vanish(room_id, answered=False)

    def _vanish(self, room_id: str, *, answered: bool) -> None:
        """Remove a room that does not exist, or does not exist any more."""
        room = self._index.get(room_id)
        self._logs.drop(room_id)
        if room is None:
            return
        if self._rooms.openings.is_unconfirmed(room_id):
            self._rooms.openings.fail(room_id, answered=answered)
            if self.is_open and not answered:
                self._on_missed(room_id, 1, None)  # a former owner may have run and closed it
            return
        self._drop(room)
        if self.is_open:
            number = room.match_number if room.status == "playing" else room.match_number + 1
            self._on_missed(room_id, number, None)
            self._subscribers.room_lost(room)
        else:
            self._subscribers.room_changed(room)
