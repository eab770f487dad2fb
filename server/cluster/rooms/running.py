"""Run a log that this node owns: its rooms, its committer and its timers, for the leader.

Theory of operation
-------------------
`RunningLog` has a `LiveRooms` for the ordinary handlers of requests, and carries out the orders of
the leader with it. The node calls `reporter.reset` when a link breaks, and passes the items that
arrive to `handlers`.

The leader asks about a log when it may have missed something. When everything so far is stored, the
answer is `Reporting`, and the leader reads the log.

When the leader opens a room, it hears that its events are `Stored`, or `Gone`; see
`server/cluster/leader/openings.py`. If this node dies before that, the log shows whether the room
exists. Players follow the room when their nodes ask for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.items import (
    Ask,
    Finish,
    Gone,
    Handlers,
    Obeyed,
    Open,
    Order,
    Phrases,
    Reporting,
    Slept,
    Turned,
    Woken,
)
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.rooms.reporter import Reporter
from doublecross.server.core.cards import card_of
from doublecross.server.core.errors import CorruptLog, Refused
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.attendance import Attendance
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import DatabaseTakenError, GameRow, StoreError
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.rooms.recovery import log_problem, read_journal, restore_rooms
from doublecross.server.shell.rooms.turns import turn_in
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.periodic import Breaks, every, repeat

TICK_S: Final = 0.05
"""Seconds between two checks for expired clocks and other deadlines."""
SWEEP_S: Final = 0.25
"""Seconds between two notices of who follows a room."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of entries that no room needs."""
RESTORE_S: Final = 0.003
"""For how long rooms are restored before other work of the node gets a turn, in seconds."""
RETRY_S: Final = 0.1
"""How long to wait before rows are stored again, in seconds."""

_log = structlog.get_logger("rooms")


class RunningLog:
    """Restore the rooms of a log, and run them until the log is lost or given up."""

    def __init__(
        self,
        parts: NodeParts,
        own: OwnedLog,
        sessions: Sessions,
        advice: AdviceService,
        last_entry_id: int,
    ) -> None:
        self._own = own
        times, time = parts.config.times, parts.time
        self._times = times
        self._now = time.now
        self._committer = committer = Committer(own.store, last_entry_id, time, parts.may_show)
        self.reporter = Reporter(parts.network.later, committer)
        self.rooms = LiveRooms(
            RoomIndex(parts.config.limits),
            committer,
            sessions,
            self.reporter,
            self.reporter.allows_phrases,
            advice,
            times,
            time,
        )
        committer.on_failed.append(self._commit_failed)
        sleeping = self.rooms.sleeping
        sleeping.woken = lambda room: self.reporter.report(Woken(card_of(room)))
        self.rooms.registry.room_changed = lambda room: self.reporter.report(Slept(room.id))
        self.rooms.publisher.on_turn = self._turn_came
        # The row of such a game must be stored when the leader hears of the end of the game.
        self.rooms.publisher.stores_tournament_games_at_once = True
        self._tasks = BackgroundTasks()
        orders: dict[type[Any], Callable[[str, Any], None]] = {
            Open: self._open,
            Order: self._order,
            Finish: lambda run, item: self.rooms.finish_soon(),
            Phrases: self._phrases,
        }
        self.handlers: Handlers = {
            Ask: self._ask,
            **{kind: partial(self._obey, act) for kind, act in orders.items()},
        }
        """The handlers of items from the leader."""

    # -- the log and its commits ---------------------------------------------------------------

    async def start(self) -> int:
        """Restore the rooms, and run them from then on; return how many there are.

        The former owner may not have stored the rows of finished matches. They are stored first,
        however often that fails, and then the leader hears of the rooms.

        Raises:
            StoreError: the entries cannot be read, or another node has the log.
        """
        own, registry = self._own, self.rooms.registry
        own.commit(self._committer)
        await self.rooms.sleeping.load()
        journal = await read_journal(own.store.journal(), log_problem)
        rows: list[GameRow] = []
        breaks = Breaks(RESTORE_S)
        for found in restore_rooms(self.rooms, journal, self._times):
            rows += found
            # Rooms of other logs must not wait until all of these are restored.
            await breaks.take()
        while True:
            try:
                await self.rooms.settled(games=True)
                break
            except DatabaseTakenError:
                raise
            except StoreError:
                for row in rows:
                    self._committer.queue_game(row)
                await asyncio.sleep(RETRY_S)
        own.keep(
            partial(every, TICK_S, self.tick),
            partial(every, SWEEP_S, self.sweep),
            # Only now, because the list of open rooms would lack those that were not restored yet.
            partial(repeat, CLEAN_S, registry.retention.clean),
        )
        return len(registry.channels)

    def _turn_came(self, room: Room, kind: str) -> None:
        """Let the leader tell the player, whose connections it knows."""
        turn = turn_in(room, self._now(), kind)
        if turn is not None:
            self.reporter.report(Turned(*turn))

    def _commit_failed(self, room_ids: set[str]) -> None:
        """Reset these rooms to their last stored event; tell the leader which do not exist."""
        registry = self.rooms.registry
        registry.rebuild(room_ids)
        for room_id in sorted(room_ids):
            channel = registry.channels.get(room_id)
            if channel is not None:
                self.reporter.player_left(channel.room)  # the storage does not know who has left
            else:
                self.reporter.opening.pop(room_id, None)
                self.reporter.report(Gone(room_id))

    def tick(self) -> None:
        """Carry out what is due in rooms."""
        self.rooms.registry.scheduler.tick(self._now(), self.rooms.publisher.publish)

    def sweep(self) -> None:
        """Send changes of presence, which are collected for a moment; let rooms sleep and wake."""
        self.rooms.following.send_due_presence()
        self.rooms.sleeping.sweep()

    @property
    def is_empty(self) -> bool:
        """True when the log has no rooms, and needs no entry of its storage."""
        rooms = self.rooms
        registry = rooms.registry
        kept = registry.channels or rooms.index.sleeping or registry.retention.has_entries
        return rooms.committer.idle and not kept

    def stop(self) -> list[tuple[object, int | None]]:
        """Stop running the rooms at once: nobody gets an answer.

        Return the peers that wait for something, each with the id of its request, if any.
        """
        self._own.stop()
        self.rooms.sleeping.closed = True
        return self._committer.abandon()

    async def settle(self) -> None:
        """Refuse requests that change something, and store everything that waits."""
        self.rooms.availability.closing = True
        await self._own.settle()
        await self.rooms.sleeping.close()
        await self._tasks.close()
        self.stop()

    # -- orders of the leader --------------------------------------------------------------------

    def _ask(self, run: str, item: Ask) -> None:
        """Report what happens in the log, and first what the storage does not know."""
        if not self.reporter.obey(run, item.token):
            return
        for channel in self.rooms.registry.channels.values():
            if channel.asleep:  # its events are not in the log
                self.reporter.report(Woken(card_of(channel.room)))
            if any(channel.room.attendance.left):
                self.reporter.player_left(channel.room)
        reporting = partial(self.reporter.replier(), Reporting(self._own.claim.log))
        self._committer.after(reporting, reporting)

    def _obey(self, act: Callable[[str, Any], None], run: str, item: Any) -> None:
        """Carry out an order, unless it comes from an older leader."""
        if run == self.reporter.leader:
            act(run, item)

    async def _wake_and_order(self, run: str, item: Order) -> None:
        with contextlib.suppress(StoreError):  # the order fails then
            await self.rooms.sleeping.wake(item.room)
        if run == self.reporter.leader and not self.rooms.sleeping.closed:
            self._carry_out(item)

    def _open(self, run: str, item: Open) -> None:
        now = self._now()
        try:
            room = restore(item.events, self._times, now)
        except CorruptLog as error:
            _log.error("room_not_opened", room=item.room, reason=str(error))
            self.reporter.report(Gone(item.room))
            return
        room.created_at = now
        room.attendance = Attendance(now)
        if not item.phrases and room.terms.tag is not None:
            self.reporter.silent.add(room.terms.tag.tournament)
        self.reporter.opening[room.id] = room.seq
        self.rooms.index.add(room)
        self.rooms.registry.add(room)
        self.rooms.publisher.publish(room, list(item.events))

    def _order(self, run: str, item: Order) -> None:
        if item.room in self.rooms.registry.channels:
            self._carry_out(item)
        else:  # it may sleep
            self._tasks.start(self._wake_and_order(run, item))

    def _carry_out(self, item: Order) -> None:
        room = self.rooms.index.get(item.room)
        reason = Sentence.read(item.reason, item.phrase)
        try:
            if room is None:
                pass
            elif item.what == "forfeit":
                self.rooms.forfeit(room, item.player, reason)
            elif item.what == "end_rematch":
                self.rooms.end_rematch(room, item.player)
            else:
                self.rooms.close(room, reason)
        except Refused as refused:  # the match has ended meanwhile
            _log.info("not_ended", room=item.room, what=item.what, reason=refused.sentence)
        obeyed = partial(self.reporter.replier(), Obeyed(item.number))
        self._committer.after(obeyed, obeyed)

    def _phrases(self, run: str, item: Phrases) -> None:
        if item.allowed:
            self.reporter.silent.discard(item.tournament)
        else:
            self.reporter.silent.add(item.tournament)

    def settled(self, games: bool) -> Awaitable[bool]:
        """Return whether everything queued so far could be stored; `games`: finished games too."""
        failures: list[None] = []
        # Register this at once: a commit that is under way may fail before anybody awaits this.
        self._committer.after(lambda: None, lambda: failures.append(None))
        return self._settled(games, failures)

    async def _settled(self, games: bool, failures: list[None]) -> bool:
        try:
            await self.rooms.settled(games=games)
        except StoreError:
            return False
        return not failures
