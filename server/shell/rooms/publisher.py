"""Publish the events of rooms: store each in the journal, then send it to the room's followers.

`RoomPublisher.publish` is the only way by which events leave a room. Each event waits for its
commit as an `EventDelivery`. Once stored, it is sent. Then the subscribers hear of it
(`subscribers.py`), and a closed room is removed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import structlog

from doublecross.server.core.events import Event
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.plans import PlanRow, left_of
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import refuse_unstored
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import MSGPACK_CODEC, Peer
from doublecross.server.shell.rooms.channel import Channel
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.upkeep.service_time import TimeSource

_CLOCK_RUNS_AFTER: Final = frozenset(
    ("move", "match_started", "takeback", "takeback_asked", "takeback_declined")
)
"""The events after which a clock runs, if no newer event waits for its commit."""

_BEGINS_TURN: Final = frozenset(("move", "match_started", "takeback"))
"""The events after which a player is told of a turn in a correspondence game."""

_LOGGED: Final = {
    "room_created": "room_opened",
    "match_started": "match_started",
    "match_finished": "match_finished",
    "room_closed": "room_closed",
}
"""The events of a room that the log has, with their names there."""

_log = structlog.get_logger("rooms")


class EventDelivery:
    """An event that waits for its commit; `asker` receives it as the answer to `request_id`.

    The room may have started another match before the event is sent, so `match` keeps its own.
    """

    __slots__ = ("asker", "channel", "event", "frame", "match", "publisher", "request_id")

    def __init__(
        self,
        publisher: RoomPublisher,
        channel: Channel,
        event: Event,
        frame: bytes,
        asker: Peer | None,
        request_id: int | None,
    ) -> None:
        self.publisher = publisher
        self.channel = channel
        self.event = event
        self.frame = frame
        self.match = channel.room.match
        self.asker = asker
        self.request_id = request_id

    def deliver(self) -> None:
        """Send the stored event, and start the clock of the next player to move."""
        channel, event = self.channel, self.event
        channel.release(event, self.frame, self.match, self.asker, self.request_id)
        room, kind = channel.room, event["type"]
        if event["seq"] == room.seq and kind in _CLOCK_RUNS_AFTER:
            due = room.start_clock(self.publisher.now())
            if due is not None and not room.clock_runs:
                self.publisher.first_move_awaited(channel)
            # A check that is scheduled at or before `due` schedules the next one itself. Without a
            # limit on time, a move only puts the next deadline off. After a restart the clock may
            # wait for the mover, which has a deadline of its own.
            at = channel.scheduled
            if at is None or (at > due if due is not None else not room.clock_runs):
                self.publisher.scheduler.schedule(channel)
        if kind == "move":
            self.publisher.moves += 1
            if room.waits:
                self.publisher.went_on(channel, event)
        else:
            self.publisher.after_release(channel, event)

    def facts(self) -> dict[str, Any]:
        """Return what identifies the event in the log."""
        return {"room": self.channel.room.id, "type": self.event["type"], "seq": self.event["seq"]}

    def fail(self) -> None:
        """Refuse the request, because its event could not be stored."""
        if self.asker is not None and self.request_id is not None:
            refuse_unstored(self.asker, self.request_id)


class RoomPublisher:
    """Queue the events of rooms, and send them once they are stored.

    `subscribers` hears of every event but moves. `first_move_awaited` takes the channel of a room
    whose clock waits for a first move.
    """

    def __init__(
        self,
        registry: RoomRegistry,
        committer: Committer,
        subscribers: RoomSubscriber,
        time: TimeSource,
        first_move_awaited: Callable[[Channel], None],
    ) -> None:
        self.first_move_awaited = first_move_awaited
        self._date = time.date
        self._registry = registry
        self._committer = committer
        self._subscribers = subscribers
        self.scheduler = registry.scheduler
        self.now = time.now
        self.stores_tournament_games_at_once = False
        """True when the row of such a game joins the commit of its end, not a later one."""
        self.on_turn: Callable[[Room, str], None] = lambda _, __: None
        """Called with a correspondence game when somebody is to move, and with the event's type."""
        self.moves = 0
        """How many moves were stored and sent."""
        self.finished = 0
        """How many matches have ended."""

    def publish(
        self,
        room: Room,
        events: list[Event],
        asker: Peer | None = None,
        request_id: int | None = None,
    ) -> None:
        """Queue events of a room for the journal and then for all who follow the room.

        The first event is the answer to `request_id` of `asker`, if given.
        """
        channel = self._registry.channels[room.id]
        if channel.asleep and events:
            self._leave_row(channel)
        for event in events:
            is_move = event["type"] == "move"
            if not is_move:
                # Moves are most events, and have no date.
                _put_date(room, event, self._date())
            frame = MSGPACK_CODEC.encode(event)
            delivery = EventDelivery(self, channel, event, frame, asker, request_id)
            self._committer.queue_event(room.id, frame, delivery)
            # A request gets one answer, so the further events are for all alike.
            asker = request_id = None
            if is_move:
                continue
            if event["type"] == "match_finished":
                # Make the row now: a rematch may replace the match before the commit.
                self._committer.queue_game(game_row(room))
                if self.stores_tournament_games_at_once and room.terms.tag is not None:
                    self._committer.games_due()
            # After its end the journal may drop the room's entries. Then only the rows have its
            # games.
            elif event["type"] == "room_closed":
                self._committer.games_due()
        if room.by_days and events:
            self._end_plans(channel)

    def _end_plans(self, channel: Channel) -> None:
        """End the plans of which nothing is left after an event, in the same commit."""
        room, plans = channel.room, channel.plans
        for seat in (0, 1):
            # Nobody has read those of a room that is out of time right after a restart.
            ends = room.status != "playing" if plans is None else plans[seat] is not None
            if ends and not (plans and left_of(plans[seat], room)):
                self._committer.queue_plan(PlanRow(room.id, seat))
                if plans is not None:
                    plans[seat] = None

    def _leave_row(self, channel: Channel) -> None:
        """Store the events of a room that has slept in the journal again, before its next event."""

        def stored() -> None:
            channel.has_row = False

        def fail() -> None:
            channel.asleep = channel.has_row

        channel.asleep = False
        frames = channel.essential_frames()
        self._committer.queue_wake(channel.room.id, frames, stored, fail)

    def after_release(self, channel: Channel, event: Event) -> None:
        """Carry out what follows from an event, other than a move, that was stored and sent."""
        room = channel.room
        if event["type"] in _LOGGED:
            _log.info(_LOGGED[event["type"]], **_facts(room, event))
        if event["type"] == "match_finished":
            self.finished += 1
        self._subscribers.happened(room, event)
        if event["type"] == "room_closed":
            self._registry.close(channel)
            return
        self.scheduler.schedule(channel)
        if room.waits:
            self.went_on(channel, event)

    def went_on(self, channel: Channel, event: Event) -> None:
        """Carry out what follows from an event of a game that waits."""
        room, is_turn = channel.room, event["type"] in _BEGINS_TURN
        if is_turn and room.status == "playing" and room.seq == channel.last_seq:
            self.on_turn(room, event["type"])
        if not channel.peers:
            self._registry.rest(channel)


def _put_date(room: Room, event: Event, date: int) -> None:
    """Put the date into an event that has one, and into the room.

    The core knows only the time for deadlines, which stands still while the server does. A match
    does not end before it began, even if the system time goes back.
    """
    if event["type"] == "room_created":
        event["at"] = date
    elif event["type"] == "match_started":
        event["at"] = room.started_at = date
    elif event["type"] == "match_finished":
        event["at"] = room.finished_at = max(date, room.started_at or 0)


def _facts(room: Room, event: Event) -> dict[str, Any]:
    """Return what the log says about an event of a room. Join codes stay out of it."""
    facts: dict[str, Any] = {"room": room.id}
    if event["type"] == "room_created":
        return {**facts, "of": room.game.key, "size": room.game.size, "private": event["private"]}
    if event["type"] == "match_started":
        names = [player.name for player in room.players if player is not None]
        return {**facts, "match": event["match"], "players": names}
    if event["type"] == "match_finished":
        end = {"how": event["termination"], "winner": event["winner"]}
        return {**facts, "game": event["game_id"], **end}
    if event["type"] == "room_closed":
        return {**facts, "why": event["reason"]}
    return facts
