"""Send the hall a card of each room of a log, while the rooms go on.

A card shows a room as it is stored, although newer events may wait for their commit. The census
ends only when everything that waited when the last card was sent is stored. A room that was opened
before the census is then either stored and reported, or it does not exist.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

import structlog

from doublecross.server.cluster.items import Begin, Closed, Counted, End
from doublecross.server.cluster.rooms.reporter import Reporter
from doublecross.server.core.cards import Card, apply_report, card_of
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.rooms.replay import opened_by
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.channel import Channel, read_frame
from doublecross.server.shell.rooms.registry import RoomRegistry

CARDS_AT_ONCE: Final = 50
"""How many cards are sent before other work of the node gets a turn."""
_MOVE: Final = b"\xa4type\xa4move"
"""The bytes of an encoded move after its first one, in msgpack."""

_log = structlog.get_logger("rooms")


def stored_card(channel: Channel, times: RoomTimes, now: int) -> Card | None:
    """Return the card of a room as it is stored.

    Returns None when its newest events wait for their commit, and its first ones are not in memory
    any more.
    """
    room = channel.room
    if room.seq == channel.last_seq:
        return card_of(room)
    if channel.first > 1:
        return None
    shadow = opened_by(read_frame(channel.frames[0]), times, now)
    for frame in channel.frames[1:]:
        if not frame.startswith(_MOVE, 1):
            apply_report(shadow, read_frame(frame), now)
    shadow.seq = channel.last_seq
    shadow.attendance.left = [p is not None and room.left_by(p.name) for p in shadow.players]
    return card_of(shadow)


class CensusTaker:
    """Take a census of each log that a hall asks for, as soon as this node owns it.

    `closed` are rooms that were closed here lately.
    """

    def __init__(
        self,
        reporter: Reporter,
        registry: RoomRegistry,
        closed: Collection[str],
        committer: Committer,
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._reporter = reporter
        self._registry = registry
        self._closed = closed
        self._committer = committer
        self._times = times
        self._now = now
        self.logs: set[str] = set()
        """The logs whose rooms are run here."""
        self._wanted: set[str] = set()
        """The logs that the hall has asked for before they were run here."""
        self._current: dict[str, object] = {}
        """The census of each log that is under way; a newer one replaces it."""

    @property
    def is_taken(self) -> bool:
        """True while a census is under way."""
        return bool(self._current)

    def ask(self, logs: Collection[str]) -> None:
        """Take a census of each of these logs, now or when it is run here."""
        for log in logs:
            if log in self.logs:
                self._begin(log)
            else:
                self._wanted.add(log)

    def owned(self, log: str) -> None:
        """Note that all rooms of a log are run here from now on."""
        self.logs.add(log)
        if log in self._wanted:
            self._wanted.discard(log)
            self._begin(log)

    def lost(self, log: str) -> None:
        """Note that a log is run elsewhere."""
        self.logs.discard(log)
        self._wanted.discard(log)
        self._current.pop(log, None)

    def reset(self) -> None:
        """Stop, because the hall cannot be reached; it will ask again."""
        self._wanted.clear()
        self._current.clear()

    def _begin(self, log: str) -> None:
        census = self._current[log] = object()
        self._reporter.report(Begin(log))
        closed = tuple(room_id for room_id in self._closed if log_of_room(room_id) == log)
        if closed:
            self._reporter.report(Closed(log, closed))
        rooms = [room_id for room_id in self._registry.channels if log_of_room(room_id) == log]
        self._count(log, census, rooms)

    def _count(self, log: str, census: object, rooms: list[str]) -> None:
        """Send the cards of these rooms; try again later with those that cannot be made yet."""
        if self._current.get(log) is not census:
            return
        again = []
        for room_id in rooms[:CARDS_AT_ONCE]:
            channel = self._registry.channels.get(room_id)
            if channel is None or not channel.frames:
                continue  # it is closed, or is reported when it is stored
            try:
                card = stored_card(channel, self._times, self._now())
            except Exception:  # noqa: BLE001 - a room that cannot be read must not stop the others
                _log.exception("room_not_counted", room=room_id)
                continue
            if card is None:
                again.append(room_id)
            else:
                self._reporter.report(Counted(log, card))
        left = rooms[CARDS_AT_ONCE:] + again
        if len(left) > len(again):
            asyncio.get_running_loop().call_soon(self._count, log, census, left)
        elif again:
            after = partial(self._count, log, census, again)
            self._committer.after(after, after)
        else:
            end = partial(self._end, log, census)
            self._committer.after(end, end)

    def _end(self, log: str, census: object) -> None:
        if self._current.get(log) is census:
            del self._current[log]
            self._reporter.report(End(log))
