"""Send items to the other runs of a cluster, and take theirs.

Each run listens to a subject of its own, and to one that all share. All items for a run of one turn
of the event loop leave in one NATS message. With `Timing.gather_s` a message collects the items of
several turns, but items that a function given to `Hub.soon` sends leave after this turn. Items that
arrive go to a function at once, without a task or a queue in between.

`server/cluster/core/link.py` guarantees: between `on_up` and `on_reset` all items arrive once and
in order, and a loss resets the link on both sides.

Nothing is kept for a run that cannot be reached: `Peer.send` then returns False. So the sender
decides at once what to tell its players.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Mapping
from enum import Enum
from itertools import count
from typing import Final

import structlog

from doublecross.server.cluster.core.batches import (
    OVERHEAD,
    RUN_BYTES,
    Batch,
    MalformedError,
    Said,
    Word,
    decode,
    encode_word,
)
from doublecross.server.cluster.core.link import TIMING, Link, Timing
from doublecross.server.cluster.links.access import Access, ConnectError, Connection, connect
from doublecross.server.cluster.links.alarm import Alarm
from doublecross.server.cluster.links.peer import MOST_WAITING, Peer
from doublecross.server.supervisor import Supervisor

MOST_PEERS: Final = 1024
"""The most runs that a run has links to."""
FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 1.0
"""The pause before another try to connect to NATS doubles from the first one up to this."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_log = structlog.get_logger("links")


class Due(Enum):
    """The times at which the next batches may leave."""

    NO = "no"
    """Nothing waits."""
    LATER = "later"
    """When `Timing.gather_s` has passed since the last batches."""
    NOW = "now"
    """After this turn of the event loop."""


OnItems = Callable[[str, list[bytes]], None]
OnRun = Callable[[str], None]


class Hub:
    """The links of this run to all other runs of its cluster.

    `run` is unique for this start of the node, and `cluster` is the same for all its nodes; both
    consist of letters, digits, hyphens and underscores. Whoever wants to hear of something adds a
    function to one of the lists `on_...`.
    """

    def __init__(self, access: Access, cluster: str, run: str, timing: Timing = TIMING) -> None:
        for name in (cluster, run):
            if not _NAME.fullmatch(name) or len(name) > RUN_BYTES:
                raise ValueError(f"{name!r} cannot be a part of a NATS subject")
        self.run = run
        self.on_items: list[OnItems] = []
        """Called with the run and the items of each batch, in the callback that read it."""
        self.on_calls: list[OnItems] = []
        """Called with the items of `calls` in the same way."""
        self.on_connected: list[Callable[[bool], None]] = []
        """Called with False when the connection is lost, and with True when there is one again."""
        self.on_up: list[OnRun] = []
        """Called with a run that can be reached from now on."""
        self.on_reset: list[OnRun] = []
        """Called with a run whose link broke: items and calls without an answer may be lost."""
        self.most_bytes = 0
        """The most bytes of items in one message."""
        self._access = access
        self._timing = timing
        self._all = f"doublecross.{cluster}"
        self._connection: Connection | None = None
        self._sessions = count(1).__next__
        self._peers: dict[str, Peer] = {}
        self._queue: list[Peer] = []
        self._work: list[Callable[[], None]] = []
        self._due = Due.NO
        self._alarm: Alarm | None = None
        self._flushed = 0.0
        self._malformed = 0
        self._next_hello = 0.0
        self._silent_s = 0.0
        self._closing = False
        self._supervisor: Supervisor | None = None
        self._loop = asyncio.get_running_loop()

    # -- beginning and end ------------------------------------------------------------------------

    async def open(self, supervisor: Supervisor) -> None:
        """Connect to NATS, and keep the connection and the links until `close`.

        Raises:
            ConnectError: NATS cannot be used; the message tells the host why.
        """
        await self._connect()
        if self._timing.gather_s and self._alarm is None:
            with contextlib.suppress(OSError):  # without an alarm, batches leave at once
                self._alarm = Alarm(self._flush)
        self._supervisor = supervisor
        for name, work in (("links: connection", self._keep), ("links: beats", self._beat)):
            supervisor.watch(name, work)

    async def close(self) -> None:
        """Say goodbye to all runs, and close the connection."""
        self._closing = True
        if self._supervisor is not None:
            self._supervisor.cancel("links: connection", "links: beats")
        alarm, self._alarm = self._alarm, None
        if alarm is not None:
            alarm.close()
        connection = self._connection
        if connection is not None:
            self._flush()
            self._publish(self._all.encode(), encode_word(self.run, Word.BYE))
            self._disconnected()
            await connection.close()
        self._peers.clear()

    @property
    def connected(self) -> bool:
        """True while there is a connection to NATS that is not known to be lost."""
        return self._connection is not None

    @property
    def peers(self) -> Mapping[str, Peer]:
        """The links by run, down ones included."""
        return self._peers

    # -- sending ----------------------------------------------------------------------------------

    def to(self, run: str) -> Peer:
        """Return the link to a run. A new one is down until the run answers.

        Ask for it each time: a link that was down for long is replaced by a new one.
        """
        peer = self._peers.get(run)
        if peer is None:
            if run == self.run or not _NAME.fullmatch(run) or len(run) > RUN_BYTES:
                raise ValueError(f"{run!r} is not another run")
            link = Link(self._sessions, self._loop.time(), self._timing)
            command = f"PUB {self._all}.{run} ".encode()
            peer = self._peers[run] = Peer(self, run, link, command)
            self.queue(peer)
        return peer

    def forget(self, run: str) -> None:
        """Drop the link to a run that has ended. Call this when its end is known."""
        peer = self._peers.pop(run, None)
        if peer is not None:
            was_up = peer.up
            peer.link.cut(self._loop.time())
            self._follow(peer, was_up)

    def cut(self, peer: Peer, reason: str) -> None:
        """Break a link on both sides."""
        _log.warning("link_cut", run=peer.run, reason=reason)
        was_up = peer.up
        peer.link.cut(self._loop.time())
        self._follow(peer, was_up)

    def queue(self, peer: Peer) -> None:
        """Send what waits for this run as soon as `Timing.gather_s` allows."""
        if not peer.queued:
            peer.queued = True
            self._queue.append(peer)
            self._come_due()

    def soon(self, work: Callable[[], None]) -> None:
        """Call `work` before the next batches leave; its items leave with them.

        They leave after this turn of the event loop, with everything else that waits.
        """
        self._work.append(work)
        if self._due is not Due.NOW:
            self._due = Due.NOW
            self._loop.call_soon(self._flush)

    def _come_due(self) -> None:
        if self._due is not Due.NO:
            return
        wait_s = self._flushed + self._timing.gather_s - time.monotonic()
        if self._alarm is not None and wait_s > 0:
            self._due = Due.LATER
            self._alarm.set(wait_s)
        else:
            self._due = Due.NOW
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._due = Due.NOW  # items that the work sends leave below
        work, self._work = self._work, []
        for each in work:
            try:
                each()
            except Exception:  # noqa: BLE001, the other work and the batches must go on
                _log.exception("work_failed")
        queue, self._queue = self._queue, []
        self._due = Due.NO
        if self._work:
            self.soon(self._work.pop())
        if not queue:
            return
        if self._alarm is not None:
            self._flushed = time.monotonic()  # the time of a loop counts milliseconds
        connection = self._connection
        commands = []
        for peer in queue:
            peer.queued = False
            if connection is None:
                peer.drop()
                continue
            for payload in peer.take(self.run, self.most_bytes):
                commands.append(b"%b%d\r\n%b\r\n" % (peer.command, len(payload), payload))
        if connection is not None:
            connection.send(commands[0] if len(commands) == 1 else b"".join(commands))
            if connection.buffered() > MOST_WAITING:
                _log.error("nats_too_slow", at=connection.at, waiting=connection.buffered())
                connection.abort()
                self._disconnected()

    def _publish(self, subject: bytes, payload: bytes) -> None:
        if self._connection is not None:
            self._connection.send(b"PUB %b %d\r\n%b\r\n" % (subject, len(payload), payload))

    # -- receiving --------------------------------------------------------------------------------

    def _receive(self, payload: bytes) -> None:
        """Take a message. The callback that reads the socket calls this, so it never raises."""
        try:
            said = decode(payload)
        except MalformedError as error:
            self._malformed += 1
            if self._malformed == 1:
                _log.error("message_malformed", reason=str(error), size=len(payload))
            return
        if not isinstance(said, Said):
            self._take(said)
        elif said.run != self.run:
            if said.word is Word.BYE:
                self.forget(said.run)
            elif said.run not in self._peers:
                self._meet(said.run)

    def _meet(self, run: str) -> Peer | None:
        """Make a link to a run that was unknown, if it can be one."""
        if run == self.run or not _NAME.fullmatch(run) or len(run) > RUN_BYTES:
            return None
        if len(self._peers) >= MOST_PEERS:
            _log.error("too_many_runs", run=run, most=MOST_PEERS)
            return None
        return self.to(run)

    def _take(self, batch: Batch) -> None:
        run, session, known, number, items, calls = batch
        peer = self._peers.get(run) or self._meet(run)
        if peer is None:
            return
        link = peer.link
        was_up = link.up
        full = bool(items) or bool(calls)
        counts = link.receive(session, known, number, self._loop.time(), full)
        if link.owes or link.up is not was_up:
            self._follow(peer, was_up)
        if not counts:
            return
        try:
            if items:
                for take in self.on_items:
                    take(run, items)
            if calls:
                for take in self.on_calls:
                    take(run, calls)
        except Exception:  # noqa: BLE001, nothing may end the reading of the socket
            _log.exception("items_failed", run=run)
            self.cut(peer, "its items could not be handled")

    def _follow(self, peer: Peer, was_up: bool) -> None:
        """Act on a change of a link: call `on_up` or `on_reset`, and answer the peer."""
        if peer.link.owes and peer.run in self._peers:
            self.queue(peer)
        if peer.up == was_up:
            return
        if was_up:
            peer.drop()
        _log.info("link_up" if peer.up else "link_reset", run=peer.run)
        for tell in self.on_up if peer.up else self.on_reset:
            try:
                tell(peer.run)
            except Exception:  # noqa: BLE001, nothing may end the reading of the socket
                _log.exception("link_change_failed", run=peer.run, up=peer.up)

    # -- the connection ---------------------------------------------------------------------------

    async def _connect(self) -> None:
        subjects = (self._all, f"{self._all}.{self.run}")
        connection = await connect(self._access, subjects, self._receive, self._disconnected)
        self.most_bytes = connection.max_payload - OVERHEAD
        self._connection = connection
        self._silent_s = self._next_hello = 0.0
        self._tick()
        for note in self.on_connected:
            note(True)
        _log.info("nats_connected", at=connection.at)

    def _disconnected(self) -> None:
        """Break all links, because the connection is lost."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if not self._closing:
            _log.warning("nats_lost", at=connection.at)
            for note in self.on_connected:
                note(False)
        connection.lost.set()
        now = self._loop.time()
        for peer in tuple(self._peers.values()):
            was_up = peer.up
            peer.link.cut(now)
            self._follow(peer, was_up)

    async def _keep(self) -> None:
        """Connect again whenever the connection is lost."""
        pause, said = FIRST_PAUSE_S, False
        while True:
            connection = self._connection
            if connection is not None:
                await connection.lost.wait()
                await connection.close()
                self._disconnected()
                pause, said = FIRST_PAUSE_S, False
                continue
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            try:
                await self._connect()
            except ConnectError as error:
                if not said:
                    _log.error("nats_unreachable", reason=str(error))
                    said = True

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._timing.beat_s)
            connection = self._connection
            if connection is not None:
                self._silent_s = (
                    0.0 if connection.take_heard() else self._silent_s + self._timing.beat_s
                )
                if self._silent_s >= self._timing.deaf_s:
                    _log.error("nats_silent", at=connection.at, silent_s=self._silent_s)
                    connection.abort()
                    self._disconnected()
            self._tick()

    def _tick(self) -> None:
        """Let all links notice silence and send beats; say hello to new runs."""
        now = self._loop.time()
        for peer in tuple(self._peers.values()):
            was_up = peer.up
            peer.link.tick(now)
            self._follow(peer, was_up)
            if (
                not peer.up
                and now - max(peer.link.changed, peer.link.heard) > self._timing.forget_s
            ):
                del self._peers[peer.run]
        if self._connection is not None and now >= self._next_hello:
            self._next_hello = now + self._timing.hello_s
            self._publish(self._all.encode(), encode_word(self.run, Word.HELLO))
