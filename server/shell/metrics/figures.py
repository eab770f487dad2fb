"""The figures and problems of a running server, for probes, monitoring and admins."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from typing import Any, Final

from prometheus_client.core import Metric

from doublecross.server.core.storage import StoreError
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.front import Front
from doublecross.server.shell.metrics.counts import Totals
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.traffic import PeerTraffic
from doublecross.server.shell.upkeep.service_time import ServiceTime
from doublecross.server.supervisor import Supervisor

STALLED_S: Final = 5.0
"""A commit that takes longer is a problem of the server."""
ANSWER_S: Final = 2.0
"""How many seconds the database may take to answer."""
UNKNOWN: Final = "unknown"
"""The version of a source tree that is not installed."""

NO_REVIEWS: Final[Mapping[str, Any]] = {
    "workers": 0,
    "waiting": 0,
    "working": 0,
    "made": 0,
    "failed": 0,
    "seconds": 0.0,
}
"""The figures of the reviews at a server that makes none."""

_CONNECTION_LIMITS: Final = ("connections", "connections_per_address", "origin", "bans")
_HTTP_LIMITS: Final = (
    "http_connections",
    "http_connections_per_address",
    "http_unread_per_address",
)
_QUESTION_LIMITS: Final = ("questions", "questions_per_address")
_MESSAGE_LIMITS: Final = ("message_rate", "waiting_answers", "unread_per_address")


@cache
def version() -> str:
    """Return the version of the package, which is read from its files once."""
    try:
        return metadata.version("doublecross")
    except metadata.PackageNotFoundError:  # a source tree that is not installed
        return UNKNOWN


class Figures(ABC):
    """The figures and problems of one process; subclasses say where its parts are.

    `database` is its kind, sqlite or postgresql, and `ping` waits for its answer. A single server
    has no `name`.
    """

    def __init__(
        self,
        name: str,
        database: str,
        front: Front,
        connections: PeerTraffic,
        advice: AdviceService,
        service: ServiceTime,
        supervisor: Supervisor,
        ping: Callable[[], Awaitable[None]],
    ) -> None:
        self.name = name
        self.database = database
        self.front = front
        self.connections = connections
        self.service = service
        self._advice = advice
        self._supervisor = supervisor
        self._ping = ping
        self._began_s = time.monotonic()

    # -- where the parts are -------------------------------------------------------------------

    @abstractmethod
    def authority(self) -> Authority | None:
        """Return the authority; a node of a cluster has one only while it is the leader."""

    @abstractmethod
    def rooms(self) -> Sequence[LiveRooms]:
        """Return what runs rooms here, each with its committer."""

    @abstractmethod
    def epoch(self) -> str:
        """Return a text that is different after every start."""

    @abstractmethod
    def is_draining(self) -> bool:
        """Return whether nothing new may begin."""

    def absence(self, *, at_once: bool) -> str:
        """Return why this server is no part of its cluster now, or an empty text.

        `at_once`: also for reasons that may pass within seconds.
        """
        return ""

    # -- problems ------------------------------------------------------------------------------

    def tasks(self) -> Mapping[str, str]:
        """Return the state of each long-lived task: ``running``, or why it has ended."""
        down = self._supervisor.down
        return {name: down.get(name, "running") for name in self._supervisor.tasks}

    def trouble(self) -> str:
        """Return why nothing can be stored, or an empty text."""
        if "committer" in self._supervisor.down:
            return "the task committer is down"
        for rooms in self.rooms():
            writer = rooms.committer.writer
            if writer.trouble:
                return writer.trouble
            if writer.busy_s() > STALLED_S:
                return f"a commit has been waiting for {writer.busy_s():.0f} s"
        return ""

    def can_store(self) -> bool:
        """Return whether commits succeed and may be shown, as far as it is known."""
        return not self.trouble()

    def not_ready(self) -> str:
        """Return why the server accepts no new connections or rooms; an empty text if it does."""
        if self.front.gate.is_closing:
            return "The server is stopping."
        if absence := self.absence(at_once=True):
            return f"{absence[0].upper()}{absence[1:]}."
        if self.is_draining():
            return "The server is draining: games in play go on, and nothing new begins."
        if trouble := self.trouble():
            return f"Nothing can be stored: {trouble}."
        if any(rooms.committer.full for rooms in self.rooms()):
            return "Too many requests wait for the storage."
        if self.front.gate.is_full:
            return "As many connections are open as the server may have."
        return ""

    async def problem(self) -> str:
        """Return what is wrong in one sentence, or an empty string."""
        if self.front.gate.is_closing:
            return "the server is stopping"
        for name, reason in self._supervisor.down.items():
            return f"the task {name} is down: {reason}"
        if absence := self.absence(at_once=False):
            return absence
        if trouble := self.trouble():
            return f"nothing can be stored: {trouble}"
        try:
            # Last, because the rest is known without the database.
            async with asyncio.timeout(ANSWER_S):
                await self._ping()
        except StoreError as error:
            return str(error)
        except TimeoutError:
            return "the database does not answer"
        return ""

    async def health(self) -> dict[str, Any]:
        """Return the fields of `doublecross.server.shell.web.answers.HealthReport`."""
        problem, totals = await self.problem(), self.totals()
        players = {peer.name for peer in self.connections.peers if peer.player is not None}
        return {
            "status": "failing" if problem else "ok",
            "problem": problem,
            "storage": self.trouble() or "ok",
            "tasks": self.tasks(),
            "stalls_ms": self.service.spared_ms(),
            "epoch": self.epoch(),
            "uptime_s": round(self.uptime_s(), 1),
            "connections": len(self.connections.peers),
            "players": len(players),
            "rooms": sum(len(rooms.index) for rooms in self.rooms()),
            "commits": totals.commits,
            "events": totals.events,
            "failed_commits": totals.failures,
            "reviews": self.reviews(),
        }

    # -- figures -------------------------------------------------------------------------------

    def uptime_s(self) -> float:
        """Return how long the server has run, in seconds."""
        return time.monotonic() - self._began_s

    def totals(self) -> Totals:
        """Return the counters of the rooms since the start."""
        return Totals().with_all(self.rooms())

    def reviews(self) -> Mapping[str, Any]:
        """Return the figures of the reviews, which are made where the authority is."""
        authority = self.authority()
        return NO_REVIEWS if authority is None else authority.reviews.figures()

    def queues(self) -> dict[str, int]:
        """Return how much waits in each queue."""
        authority = self.authority()
        return {
            "commit": sum(rooms.committer.backlog for rooms in self.rooms()),
            "records": 0 if authority is None else authority.record_turns.waiting,
            "reading": self.front.gate.turns.waiting,
            "long_answers": self.connections.turns.waiting,
            "advice": self._advice.waiting,
            "reviews": self.reviews()["waiting"],
            "passwords": 0 if authority is None else authority.accounts.passwords.waiting,
        }

    def address_hits(self) -> Counter[Action]:
        """Return how often each limit of an address has refused something."""
        return self.front.admission.hits

    def message_hits(self) -> Counter[str]:
        """Return how often each limit of a connection has refused something."""
        return self.connections.hits

    def refusals(self) -> Counter[str]:
        """Return how many requests were refused with each error code."""
        return self.connections.refusals

    def limit_hits(self) -> dict[str, int]:
        """Return how often each limit has refused something."""
        front, addresses, messages = self.front, self.address_hits(), self.message_hits()
        authority = self.authority()
        return {
            **{f"address_{action.name.lower()}": addresses[action] for action in Action},
            **{limit: front.gate.hits[limit] for limit in _CONNECTION_LIMITS},
            **{limit: front.http.hits[limit] for limit in _HTTP_LIMITS},
            **{limit: messages[limit] for limit in _MESSAGE_LIMITS},
            "open_files": front.files.hits,
            **{limit: self._advice.hits[limit] for limit in _QUESTION_LIMITS},
            "passwords": 0 if authority is None else authority.accounts.passwords.hits,
        }

    def own_metrics(self) -> Iterator[Metric]:
        """Return the metrics that only servers of this kind have."""
        return iter(())

    def summary(self) -> dict[str, Any]:
        """Return the figures that an overview for admins adds up."""
        totals, lags = self.totals(), self.service.lags
        return {
            "name": self.name,
            "version": version(),
            "uptime_s": round(self.uptime_s(), 1),
            "connections": len(self.connections.peers),
            "rooms": sum(len(rooms.index) for rooms in self.rooms()),
            "moves": totals.moves,
            "commits": totals.commits,
            "durations": (totals.durations.counts, totals.durations.total),
            "lags": (lags.counts, lags.total),
            "queues": self.queues(),
            "limit_hits": self.limit_hits(),
            "refusals": dict(self.refusals()),
            "dropped": dict(self.connections.dropped),
        }


class ServerFigures(Figures):
    """The figures of a single server."""

    def __init__(
        self,
        authority: Authority,
        database: str,
        front: Front,
        connections: PeerTraffic,
        service: ServiceTime,
        supervisor: Supervisor,
    ) -> None:
        super().__init__(
            "",
            database,
            front,
            connections,
            authority.advice,
            service,
            supervisor,
            authority.store.ping,
        )
        self._authority = authority

    def authority(self) -> Authority:
        """Return the authority."""
        return self._authority

    def rooms(self) -> Sequence[LiveRooms]:
        """Return what runs all rooms."""
        return [self._authority.rooms]

    def epoch(self) -> str:
        """Return the epoch of the server."""
        return self._authority.config.epoch

    def is_draining(self) -> bool:
        """Return whether nothing new may begin."""
        return self._authority.availability.draining

    def not_ready(self) -> str:
        """Return why the server accepts no new connections or rooms; an empty text if it does."""
        if reason := super().not_ready():
            return reason
        is_full = len(self._authority.lobby.rooms) >= self._authority.config.limits.rooms
        return "As many rooms are open as the server may have." if is_full else ""
