"""One node of a cluster: the logs that it owns, perhaps the leader, and its links to the others.

Theory of operation
-------------------
The `LeaseHolder` tells the node which logs it owns (`taken`, `lost`) and who owns the others
(`changed`). The `Hub` tells it which runs can be reached (`linked`, `reset`). The `Network` passes
the items that arrive to `take`.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a request            `Gateway.said` -> `OwnedLogs.ask`, or a link -> `FarPeers`, `LeaderConnections`
a frame for clients  `ItemSender` -> a link -> `Gateway.take`
a room opens         the leader's `FarRooms.open` -> a link -> `RunningLog`
a node dies          `reset` and `changed` -> far peers depart, the leader asks the next owners;
                     `taken` -> `RunningLog.start`; then everywhere `Gateway.catch_up`
===================  ===========================================================================
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.far_clients import items as client_items
from doublecross.server.cluster.far_clients.far_peers import FarPeers
from doublecross.server.cluster.gateway.gateway import Gateway
from doublecross.server.cluster.items import (
    KINDS,
    Ask,
    Finish,
    Leaving,
    OwnersChanged,
    Phrases,
    Runs,
    Settle,
    Settled,
    item_of,
    pack,
)
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.own_leader import OwnLeader
from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.rooms.reporter import AskedLogs
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.cluster_storage import LEADER, Claim, ClusterSnapshot
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.analysis.advice import AdviceService, Adviser
from doublecross.server.shell.metrics.counts import Totals
from doublecross.server.shell.peer import Peer

RETRY_S: Final = 0.2
"""Seconds until a log that could not be read is read again."""

_log = structlog.get_logger("cluster")


class Node:
    """Run the logs of this node; see the module's docstring.

    `adviser` gives advice to people who play bots, and ends with the node.
    """

    def __init__(self, parts: NodeParts, adviser: Adviser | None = None) -> None:
        network, config = parts.network, parts.config
        self.run = network.run
        self._parts = parts
        self.network = network
        loop = asyncio.get_running_loop()
        self._owners: dict[str, str] = {}
        """The live run that owns each log."""
        self._logs: frozenset[str] = frozenset()
        """All logs but the leader's, also those without a live owner."""
        self._runs: frozenset[str] = frozenset()
        self.advice = AdviceService(
            adviser, most_each=config.addresses.questions, most=config.addresses.all_questions
        )
        self.logs = OwnedLogs(parts.may_show)
        self.gateway = Gateway(network, self.owner, self.logs, loop.time, self._exists, parts.place)
        self.logs.moved_away = self.gateway.moved_away
        self.far = FarPeers(self.logs, network.send, config.limits, network.soon, loop.time)
        self.running: dict[str, RunningLog] = {}
        self.past = Totals()
        """The counters of logs that this node has owned before."""
        self.own_leader = OwnLeader(parts, self.advice, self.owners)
        self._claims: dict[str, Claim] = {}
        self.on_owners_changed: Callable[[], None] = lambda: None
        """Called when another node says that owners of logs have changed."""
        self.on_taken_away: Callable[[str], None] = lambda _: None
        """Called with a log after a commit, or another node, has told that it is elsewhere."""
        self.on_leaving: Callable[[str], None] = lambda _: None
        """Called with a run that gives up its logs and takes none any more."""
        self.on_runs: Callable[[str], None] = lambda _: None
        """Called with a log whose rooms another node runs from now on."""
        self._asked = AskedLogs()
        self._starts: dict[str, asyncio.Task[None]] = {}
        """The tasks that start the logs of this node."""
        self._tasks = BackgroundTasks()
        network.on_item = self.take

    @property
    def leader(self) -> RunningLeader | None:
        """The leader, if this node is it. It may not be open yet."""
        return self.own_leader.running

    def _exists(self, log: str) -> bool:
        # Without a lease this node cannot know: another one may have made the log meanwhile.
        known = log == LEADER or log in self._logs or log in self._claims
        return known or not self._parts.may_show()

    def owner(self, log: str) -> str | None:
        """Return the live run that owns a log, or None."""
        return self._owners.get(log)

    # -- calls of the lease holder -------------------------------------------------------------

    def resumed(self) -> None:
        """Answer the requests that have waited for the lease.

        It holds again, or for the first time, and no other run has taken a log meanwhile.
        """
        self._say_runs(*self._answered_logs())

    def _answered_logs(self) -> list[str]:
        return self.logs.names + ([LEADER] if self.own_leader.answering else [])

    def ended(self) -> None:
        """Drop all logs, because the run has ended; its `LeaseHolder` does nothing any more."""
        for log in list(self._claims):
            self.lost(log)

    def changed(self, snapshot: ClusterSnapshot) -> None:
        """Note the nodes and the owners of logs."""
        self._owners = {
            log.log: log.owner
            for log in snapshot.logs.values()
            if log.owner is not None and log.owner in snapshot.live
        }
        self._logs = frozenset(snapshot.logs.keys() - {LEADER})
        self._runs = frozenset(snapshot.nodes)
        self.network.keep(self._runs - {self.run})
        if self.leader is not None:
            self.leader.owners_changed(self.owners())
        self.gateway.catch_up()

    def owners(self) -> Mapping[str, str | None]:
        """Return the run that owns each log; None: a dead node did, and nobody does yet.

        The leader must not open before it knows the rooms of the latter too.
        """
        own = self._claims.keys() - {LEADER}
        return {log: self._owners.get(log) for log in sorted(self._logs | own)}

    def taken(self, claim: Claim) -> None:
        """Start a log that this node owns from now on."""
        self._claims[claim.log] = claim
        self._owners[claim.log] = self.run
        self.network.send_all(pack(OwnersChanged()))
        self._starts[claim.log] = self._tasks.start(self._start(claim))

    def lost(self, log: str) -> None:
        """Drop a log that another run owns now, or that is gone; give nobody an answer for it."""
        self._disown(log)
        if log == LEADER:
            leader = self._drop_leader()
            if leader is not None:
                leader.stop()
                self._tasks.start(leader.close())
            self._say_lost(LEADER)
            return
        waiting, running = self._drop(log)
        self._say_lost(log)
        if running is not None:
            self.gateway.unanswered([*waiting, *running.stop()])

    def _drop(self, log: str) -> tuple[Iterable[tuple[Peer, int]], RunningLog | None]:
        """Answer no more for a log with rooms; return the requests that wait, and what runs it."""
        waiting = self.logs.drop(log)
        running = self.running.pop(log, None)
        if running is not None:
            self.past.add(running.rooms)
        return waiting, running

    def _learn_owner(self, run: str, log: str) -> None:
        """Believe another node that it runs a log, while PostgreSQL does not answer this one.

        So this node's players go on there. If the message was late and the log is here after all,
        the lease brings it back (`on_taken_away`).
        """
        if self._parts.may_show():
            return
        claim = self._claims.get(log)
        if claim is not None:
            self._taken_away(claim)
        self._owners[log] = run

    def _taken_away(self, claim: Claim) -> None:
        """Drop a log after a commit has found that it is lost."""
        if self._claims.get(claim.log) is claim:
            self.lost(claim.log)
            self.on_taken_away(claim.log)

    def _drop_leader(self) -> RunningLeader | None:
        leader = self.own_leader.drop()
        if leader is not None:
            self.past.add(leader.authority.rooms)
        return leader

    def told_state(self, run: str, fields: Any) -> None:
        """Keep the state that the leader sends to all nodes; this handles a call."""
        if self.own_leader.kept.take(fields):
            for running in self.running.values():
                running.rooms.availability.draining = self.is_draining

    @property
    def is_draining(self) -> bool:
        """True while the cluster drains, so that nothing new begins."""
        return self.own_leader.kept.newest.draining

    async def _start(self, claim: Claim) -> None:
        """Run a log from now on; try that until it succeeds, because all clients wait for it."""
        start = self.own_leader.start if claim.log == LEADER else self._start_log
        while True:
            own = OwnedLog(claim, self._parts.store_of(claim), lambda: self._taken_away(claim))
            try:
                await start(own)
                break
            except Exception as error:  # noqa: BLE001 - see above
                bug = None if isinstance(error, StoreError) else error
                _log.error("log_not_read", log=claim.log, reason=str(error), exc_info=bug)
                await asyncio.sleep(RETRY_S)
        self._say_runs(claim.log)

    async def _start_log(self, own: OwnedLog) -> None:
        log, last_entry_id = own.claim.log, await own.store.last_entry_id()
        running = RunningLog(self._parts, own, self.logs.sessions, self.advice, last_entry_id)
        try:
            restored = await running.start()
        except BaseException:
            running.stop()
            raise
        self.running[log] = running
        running.rooms.availability.draining = self.is_draining
        self.logs.add(log, running.rooms)
        asked = self._asked.of(log)
        if asked is not None:
            running.handlers[Ask](*asked)
        _log.info("log_runs", log=log, rooms=restored)

    def _say_runs(self, *logs: str) -> None:
        """Let all nodes know, also this one, that this node can answer for these logs."""
        for log in logs:
            self.network.send_all(pack(Runs(log)))
        # First comes what this node has sent back to itself in this turn.
        asyncio.get_running_loop().call_soon(self.gateway.catch_up)

    # -- links ---------------------------------------------------------------------------------

    def linked(self, run: str) -> None:
        """Note that a run can be reached. It may be one that PostgreSQL does not answer."""
        if self._parts.may_show():
            for log in self._answered_logs():
                self.network.send(run, pack(Runs(log)))
        if self.leader is not None:
            self.leader.logs.ask(run)
        self.gateway.catch_up()

    def connected(self, on: bool) -> None:
        """Note that NATS can be reached again, or cannot.

        Without NATS, players at other nodes cannot move here. So clocks stand still, and nobody
        loses a match who only seems to be away.
        """
        if on or self._runs - {self.run}:
            self._clocks_run(on)

    def _clocks_run(self, on: bool) -> None:
        if self._parts.time.watch is not None:
            self._parts.time.watch.storage_works(self, on)

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken: what was sent before may be lost."""
        self.gateway.link_broke(run)
        self.far.link_broke(run)
        self._asked.reset(run)
        for running in self.running.values():
            running.reporter.reset(run)
        if self.leader is not None:
            self.leader.reset(run)

    def take(self, run: str, fields: Sequence[Any]) -> None:
        """Handle an item from a run."""
        if fields[0] in KINDS:
            self._obey(run, item_of(fields))
            return
        self.own_leader.take(run, fields)
        self.far.take(run, fields)
        self.gateway.take(run, fields)

    def _obey(self, run: str, item: Any) -> None:
        """Handle an item between the leader and the owner of a log."""
        leader = self.leader
        if leader is not None and type(item) in leader.handlers:
            leader.handlers[type(item)](run, item)
            return
        if isinstance(item, Ask):
            self._asked.note(run, item)
            for log in item.logs:
                if log in self.running:
                    self.running[log].handlers[Ask](run, item)
        elif isinstance(item, OwnersChanged):
            self.on_owners_changed()
            # This node may have known the new owner earlier than the owner itself.
            self.gateway.catch_up()
        elif isinstance(item, Leaving):
            self.on_leaving(run)
        elif isinstance(item, Runs):
            self._learn_owner(run, item.log)
            self.on_runs(item.log)
            self.gateway.catch_up()
        elif isinstance(item, Settle):
            stored = [running.settled(item.games) for running in self.running.values()]
            self._tasks.start(self._settle(run, item.number, stored))
        elif isinstance(item, Finish | Phrases):
            for running in self.running.values():
                running.handlers[type(item)](run, item)
        else:
            owner = self.running.get(log_of_room(getattr(item, "room", "")))
            if owner is not None and type(item) in owner.handlers:
                owner.handlers[type(item)](run, item)

    async def _settle(self, run: str, number: int, stored: Sequence[Awaitable[bool]]) -> None:
        self.network.send(run, pack(Settled(number, all(await asyncio.gather(*stored)))))

    def _say_lost(self, log: str) -> None:
        """Tell all gateways that a log is not here any more.

        They cannot see every loss for themselves: the next owner may be this run again, with
        another token.
        """
        self.gateway.lost_log(self.run, log)
        self.network.send_all(client_items.pack((client_items.LOST, log)))

    # -- the end -------------------------------------------------------------------------------

    async def close(self) -> None:
        """Free what still runs after the run has ended, or has given up its logs."""
        self._clocks_run(True)
        self.logs.close()
        await self.advice.close()
        for start in self._starts.values():
            start.cancel()
        await self._tasks.ended()

    async def settle_log(self, log: str) -> None:
        """Store everything that waits in a log, and answer for it no more."""
        self._disown(log)
        waiting, running = self._drop(log)
        if running is not None:
            try:
                await running.settle()
            finally:
                # Answers to requests that waited for the storage may have shown a room to a peer.
                self.logs.let_go(running.rooms)
                self.gateway.unanswered(waiting)
        self._say_lost(log)

    async def settle_leader(self) -> None:
        """Store everything that waits in the leader, and answer as the leader no more."""
        self._disown(LEADER)
        leader = self._drop_leader()
        if leader is not None:
            await leader.settle()

    def _disown(self, log: str) -> None:
        """Note that this node does not own a log any more, which it may still be starting."""
        self._claims.pop(log, None)
        if self._owners.get(log) == self.run:
            del self._owners[log]
        if log in self._starts:
            self._starts.pop(log).cancel()
