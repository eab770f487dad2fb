"""The figures of one node, for its own probes and for the hall, which adds them up."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from doublecross.server.cluster.edge.connections import EdgeConnections
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.core.cluster_storage import HALL
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.metrics.counts import LogCounts
from doublecross.server.shell.metrics.figures import Counts, count, limit_hits, version
from doublecross.server.shell.metrics.health import ANSWER_S, STALLED_S

AWAY_S: Final = 10.0
"""How long a healthy node may be without the hall, in seconds: longer than a move of the hall."""
FIGURES: Final = "figures"
"""The name of the call that asks a node for `NodeFigures.told`."""
ROOMS: Final = "room figures"
"""The name of the call that asks a node for `NodeFigures.of_rooms`."""
NO_REVIEWS: Final[Mapping[str, Any]] = {
    "workers": 0,
    "waiting": 0,
    "working": 0,
    "made": 0,
    "failed": 0,
    "seconds": 0.0,
}


class NodeFigures:
    """The figures and problems of one node, for monitoring.

    `holds` returns whether the lease holds, and `away` why this node is no part of the cluster now;
    an empty text if it is.
    """

    def __init__(
        self,
        process: ProcessParts,
        node: Node,
        connections: EdgeConnections,
        holds: Callable[[], bool],
        away: Callable[[], str],
    ) -> None:
        self.name = process.name
        self.node = node
        self.connections = connections
        self.front = process.front
        self.service = process.service
        self.supervisor = process.supervisor
        self.holds = holds
        self.away = away
        self._ping = process.storage.ping
        self._began_s = self._hall_s = time.monotonic()

    def hall(self) -> str | None:
        """Return the run that is the hall, or None."""
        return self.node.owner(HALL)

    # -- problems ------------------------------------------------------------------------------

    @property
    def committers(self) -> Iterable[Committer]:
        """The committers of the logs that this node owns, the hall's included."""
        found = [running.side.rooms.committer for running in self.node.running.values()]
        hall = self.node.hall
        return found if hall is None else [*found, hall.authority.committer]

    def trouble(self) -> str:
        """Return why nothing can be stored, or an empty text."""
        for committer in self.committers:
            if committer.writer.trouble:
                return committer.writer.trouble
            if committer.writer.busy_s() > STALLED_S:
                return f"a commit has been waiting for {committer.writer.busy_s():.0f} s"
        return ""

    def not_ready(self) -> str:
        """Return why the node accepts no new connections or rooms; an empty text if it does."""
        if self.front.gate.is_closing:
            return "The server is stopping."
        if away := self.away():
            return f"{away[0].upper()}{away[1:]}."
        if not self.holds():
            return "The lease of this node has lapsed, so it shows nobody anything."
        if not self.reaches_hall():
            return "No node that can be reached is the hall at this moment."
        if self.node.is_draining:
            return "The server is draining: games in play go on, and nothing new begins."
        if trouble := self.trouble():
            return f"Nothing can be stored: {trouble}."
        if any(committer.full for committer in self.committers):
            return "Too many requests wait for the storage."
        if self.front.gate.is_full:
            return "As many connections are open as the server may have."
        return ""

    def reaches_hall(self) -> bool:
        """Return whether this node is the hall and open for business, or can reach the hall."""
        run, hall = self.hall(), self.node.hall
        if run == self.node.run:
            return hall is not None and hall.is_open
        return run in self.node.reachable()

    def check_hall(self) -> None:
        """Note the time while the hall can be reached; call this several times a second."""
        if self.reaches_hall():
            self._hall_s = time.monotonic()

    async def problem(self) -> str:
        """Return what is wrong with this node in one sentence, or an empty string."""
        if self.front.gate.is_closing:
            return "the server is stopping"
        for name, reason in self.supervisor.down.items():
            return f"the task {name} is down: {reason}"
        if away := self.away():
            return away
        if not self.holds():
            return "the lease of this node has lapsed"
        if time.monotonic() - self._hall_s > AWAY_S:
            return f"no node that can be reached has been the hall for {AWAY_S:g} s"
        if trouble := self.trouble():
            return f"nothing can be stored: {trouble}"
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._ping()
        except StoreError as error:
            return str(error)
        except TimeoutError:
            return "the database does not answer"
        return ""

    def tasks(self) -> Mapping[str, str]:
        """Return the state of each long-lived task: ``running``, or why it has ended."""
        down = self.supervisor.down
        return {name: down.get(name, "running") for name in self.supervisor.tasks}

    # -- figures -------------------------------------------------------------------------------

    def counts(self) -> LogCounts:
        """Return the counters of this node, also of logs that are elsewhere by now."""
        found = LogCounts()
        found.add_all(self.node.past)
        for running in self.node.running.values():
            found.add(running.side.rooms)
        if self.node.hall is not None:
            found.add(self.node.hall.authority.rooms)
        return found

    def reviews(self) -> Mapping[str, Any]:
        """Return the figures of the reviews, which are made where the hall is."""
        hall = self.node.hall
        return NO_REVIEWS if hall is None else hall.authority.reviews.figures()

    def queues(self) -> dict[str, int]:
        """Return how much waits in each queue."""
        hall = self.node.hall
        found = {
            "commit": sum(committer.backlog for committer in self.committers),
            "records": 0,
            "reading": self.front.gate.turns.waiting,
            "advice": self.node.advice.waiting,
            "reviews": self.reviews()["waiting"],
            "passwords": 0,
        }
        if hall is not None:
            found["records"] = hall.authority.record_turns.waiting
            found["passwords"] = hall.authority.accounts.passwords.waiting
        return found

    def limit_hits(self) -> dict[str, int]:
        """Return how often each limit has refused something."""
        hall = self.node.hall
        actions = Counter(self.front.admission.hits)
        messages = Counter(self.connections.hits)
        if hall is not None:
            actions.update(hall.authority.admission.hits)
            messages.update(hall.connections.hits)
        front = self.front
        return limit_hits(actions, messages, front.gate, front.http, front.files)

    def refusals(self) -> Counter[str]:
        """Return how many requests were refused here with each error code."""
        found = self.connections.refusals + self.node.far.refusals
        hall = self.node.hall
        return found if hall is None else found + hall.connections.refusals

    def uptime_s(self) -> float:
        """Return how long the node has run, in seconds."""
        return time.monotonic() - self._began_s

    def links(self) -> int:
        """Return how many other nodes can be reached."""
        return len(self.node.reachable())

    async def count(self) -> Counts:
        """Count the connections to this node, and the rooms of its logs."""
        rooms = [running.side.rooms.registry for running in self.node.running.values()]
        return await count(self.connections.peers, rooms)

    # -- for the hall --------------------------------------------------------------------------

    def told(self, run: str, value: Any) -> dict[str, Any]:
        """Return the figures for the hall; this handles the call `FIGURES`."""
        counts = self.counts()
        rooms = sum(len(each.side.rooms.registry.channels) for each in self.node.running.values())
        return {
            "name": self.name,
            "version": version(),
            "uptime_s": round(self.uptime_s(), 1),
            "connections": len(self.connections.peers),
            "rooms": rooms,
            "moves": counts.moves,
            "commits": counts.commits,
            "durations": (counts.durations.counts, counts.durations.total),
            "lags": (self.service.lags.counts, self.service.lags.total),
            "queues": self.queues(),
            "limit_hits": self.limit_hits(),
            "refusals": dict(self.refusals()),
            "dropped": dict(self.connections.dropped),
        }

    def of_rooms(self, run: str, value: Any) -> dict[str, tuple[int, int]]:
        """Return the ply and the spectators of these rooms; this handles the call `ROOMS`."""
        found = {}
        for room_id in value:
            rooms = self.node.logs.of(room_id)
            channel = None if rooms is None else rooms.registry.channels.get(room_id)
            if channel is not None:
                match = channel.room.match
                found[room_id] = (0 if match is None else match.ply, channel.spectators)
        return found
