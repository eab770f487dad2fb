"""Send items to the other runs of a cluster, and take theirs.

Each run listens to a NATS subject of its own. The items for a run that several turns of the event
loop send leave in one message. `server/cluster/core/link.py` guarantees: between `on_up` and
`on_reset` all items arrive once and in order, and a loss resets the link on both sides.

Nothing is kept for a run that cannot be reached: `Hub.send` then returns False. So the sender
decides at once what to tell its players.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Set
from functools import partial
from itertools import count
from typing import Any, Final

import nats.errors
import structlog
from nats.aio.msg import Msg

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.core import link
from doublecross.server.cluster.core.link import ITEM_OVERHEAD, OVERHEAD, RUN_BYTES, Link
from doublecross.server.cluster.links.access import Access, Client, ConnectError, connect

GATHER_S: Final = 0.001
"""The least time between two messages, in seconds; 0: send after each turn with items.

A message costs mostly the wake-ups of three processes, so gathering items halves its cost.
"""
LATE_S: Final = 0.0005
MOST_LATE_S: Final = 0.05
"""For how long items that are not urgent wait for others, in seconds for each link, and at most.

All nodes talk with the leader, each of them little. So it gets 2,000 messages a second, however
many nodes there are, and few nodes need not wait.
"""
MOST_LINKS: Final = 1024
"""The most runs that a run has links to."""

_NAME: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{RUN_BYTES}}}")
_log = structlog.get_logger("links")


class Hub:
    """The links of this run to all other runs of its cluster.

    `run` is unique for this start of the node, and `cluster` is the same for all its nodes; both
    consist of letters, digits, hyphens and underscores. Whoever wants to hear of something adds a
    function to one of the lists `on_...`.
    """

    def __init__(self, access: Access, cluster: str, run: str) -> None:
        for name in (cluster, run):
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} cannot be a part of a NATS subject")
        self.run = run
        self.on_items: list[Callable[[str, list[bytes]], None]] = []
        """Called with the run and the items of each batch, in the task that read it."""
        self.on_connected: list[Callable[[bool], None]] = []
        """Called with False when the connection is lost, and with True when there is one again."""
        self.on_up: list[Callable[[str], None]] = []
        """Called with a run that can be reached from now on."""
        self.on_reset: list[Callable[[str], None]] = []
        """Called with a run whose link broke: what was sent to it may be lost."""
        self.on_call: Callable[[Msg], Awaitable[None]] | None = None
        """Takes the requests of other runs; set it before the hub opens."""
        self.connected = False
        """True while there is a connection to NATS that is not known to be lost."""
        self.most_bytes = 0
        """The most bytes of items in one message."""
        self._access = access
        self._subject = f"doublecross.{cluster}."
        self._client: Client
        self._is_closing = False
        self._tasks = BackgroundTasks()
        self._loop = asyncio.get_running_loop()
        self._sessions = count(1).__next__
        self._links: dict[str, Link] = {}
        self._known: Set[str] = frozenset()
        self._up: set[str] = set()
        self._due: dict[str, Link] = {}  # the links that send something soon
        self._late: dict[str, Link] = {}  # the links that send something later
        self._late_timer: asyncio.Handle | None = None  # calls `_send_late`
        self._work: list[Callable[[], None]] = []
        self._timer: asyncio.Handle | None = None  # calls `_flush`
        self._flushed = 0.0

    async def open(self) -> None:
        """Connect to NATS, and keep the connection and the links until `close`.

        Raises:
            ConnectError: NATS cannot be used; the message tells the host why.
        """
        await self._connect()
        self._tasks.start(self._keep_up())

    async def _connect(self) -> None:
        self._client = client = await connect(self._access, self._lost)
        self.connected = True
        await client.listen(self._subject + self.run, self._receive)
        if self.on_call is not None:
            await client.subscribe(f"{self._subject}{self.run}.call", cb=self.on_call)
        self.most_bytes = client.max_payload - OVERHEAD
        _log.info("nats_connected", at=client.at)
        self._tell(self.on_connected, True)

    async def close(self) -> None:
        """End the links on both sides, and close the connection."""
        self._is_closing = True  # nats-py may lose the cancellation of a task
        await self._tasks.close()
        if self.connected:
            self._cut(*self._links)
            self._flush()
            self.connected = False
            await self._client.stop()

    async def _lost(self) -> None:
        if self.connected:
            self.connected = False
            self._client.abort()
            _log.warning("nats_lost", at=self._client.at)
            self._tell(self.on_connected, False)
            self._cut(*self._links)

    async def _keep_up(self) -> None:
        """Connect again when the connection is lost, and let links beat and notice silence."""
        said = ""
        while not self._is_closing:
            if self.connected and self._client.is_closed:
                await self._lost()  # nats-py calls back only if it closes without an error
            try:
                if not self.connected:
                    await self._connect()
                said = ""
            except (ConnectError, nats.errors.Error) as error:
                if str(error) != said:
                    _log.error("nats_unreachable", reason=str(error))
                said = str(error)
            now = self._loop.time()
            for run, each in tuple(self._links.items()):
                each.tick(now)
                self._follow(run, each)
                if not each.up and run not in self._known:
                    del self._links[run]
            await asyncio.sleep(link.BEAT_S)

    def keep(self, runs: Set[str]) -> None:
        """Have links to these runs from now on, and to those of the last call no more."""
        former, self._known = self._known, runs
        for run in former - runs:
            self._cut(run)
            del self._links[run]
        for run in runs - self._links.keys():
            self._meet(run)

    def reachable(self) -> list[str]:
        """Return the runs to which a link is up."""
        return list(self._up)

    def _meet(self, run: str) -> Link:
        self._links[run] = made = Link(self._sessions, self._loop.time())
        self._send_soon(run, made)
        return made

    def _cut(self, *runs: str) -> None:
        for run in runs:
            each = self._links[run]
            each.cut()
            self._follow(run, each)

    def _follow(self, run: str, changed: Link) -> None:
        """Act on a change of a link: call `on_up` or `on_reset`, and answer the peer."""
        if changed.owes:
            self._send_soon(run, changed)
        if changed.up != (run in self._up):
            self._up ^= {run}
            _log.info("link_up" if changed.up else "link_reset", run=run)
            self._tell(self.on_up if changed.up else self.on_reset, run)

    def _tell(self, listeners: Iterable[Callable[..., None]], *what: Any) -> None:
        for listener in listeners:
            try:
                listener(*what)
            except Exception:  # noqa: BLE001, the other listeners and links must go on
                _log.exception("listener_failed", what=what)

    def _receive(self, payload: bytes) -> None:
        """Take a message. The task that reads the socket calls this, so it never raises."""
        try:
            run, session, known, number, items = link.decode(payload)
        except ValueError as error:
            _log.error("message_malformed", reason=str(error), size=len(payload))
            return
        found = self._links.get(run)
        if found is None:
            if run == self.run or not _NAME.fullmatch(run) or len(self._links) >= MOST_LINKS:
                return
            found = self._meet(run)
        counts = found.receive(session, known, number, bool(items), self._loop.time())
        if found.owes or found.up != (run in self._up):
            self._follow(run, found)
        if counts:
            try:
                for take in self.on_items:
                    take(run, items)
            except Exception:  # noqa: BLE001, the other links must go on
                _log.exception("items_failed", run=run)
                found.cut()
                self._follow(run, found)

    def send(self, run: str, item: bytes, *, late: bool = False) -> bool:
        """Send an item soon; return False, and send nothing, if the link is down.

        A `late` item is not urgent, so it may wait for others.

        Raises:
            ValueError: the item does not fit into one message.
        """
        found = self._links.get(run)
        if found is None or not found.up:
            return False
        size = found.size + len(item) + ITEM_OVERHEAD
        if size > self.most_bytes:
            size -= found.size
            if size > self.most_bytes:
                raise ValueError(f"NATS does not take {size} bytes; raise its max_payload")
            self._publish(run, found)
        found.items.append(item)
        found.size = size
        if not late:
            self._send_soon(run, found)
        elif run not in self._due:
            self._late[run] = found
            if self._late_timer is None:
                self._send_late()
        return True

    def _send_late(self) -> None:
        late, self._late = self._late, {}
        wait_s = min(MOST_LATE_S, LATE_S * len(self._links))
        # Whoever comes after a pause does not wait.
        self._late_timer = self._loop.call_later(wait_s, self._send_late) if late else None
        for run, sender in late.items():
            if sender.items:
                self._send_soon(run, sender)

    def soon(self, work: Callable[[], None]) -> None:
        """Call `work` after this turn of the event loop, and then send everything that waits."""
        self._work.append(work)
        if len(self._work) == 1:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_soon(self._flush)

    async def request(self, run: str, payload: bytes, timeout_s: float) -> bytes:
        """Return what the `on_call` of a run answers; see `nats.aio.client.Client.request`."""
        return (await self._client.request(f"{self._subject}{run}.call", payload, timeout_s)).data

    def _send_soon(self, run: str, sender: Link) -> None:
        self._due[run] = sender
        if self._timer is None:
            wait_s = self._flushed + GATHER_S - self._loop.time()
            later = partial(self._loop.call_later, wait_s) if wait_s > 0 else self._loop.call_soon
            self._timer = later(self._flush)

    def _flush(self) -> None:
        work, self._work = self._work, []
        self._tell(work)  # what it sends leaves below
        due, self._due = self._due, {}
        self._timer = self._loop.call_soon(self._flush) if self._work else None
        if due:
            self._flushed = self._loop.time()
        for run, sender in due.items():
            self._publish(run, sender)

    def _publish(self, run: str, sender: Link) -> None:
        if self.connected:
            payload = link.encode((self.run, *sender.take()))
            self._client.send(f"{self._subject}{run}", payload)
