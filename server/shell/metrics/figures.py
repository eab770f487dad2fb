"""Take figures of a server for monitoring, and count in steps what takes long to count."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Final

from doublecross.server.shell.addresses.admission import Action, FileGuard
from doublecross.server.shell.addresses.handshake import Gate
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.connection import Connections
from doublecross.server.shell.front import Front
from doublecross.server.shell.http.gate import HttpGate
from doublecross.server.shell.metrics.health import Health
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.upkeep.service_time import ServiceTime

STEP: Final = 2000
"""After so many rooms or connections, other tasks have a turn before the count goes on."""
KINDS: Final = {"human": "person", "bot": "bot"}
NEW: Final = "new"
"""The kind of connections whose hello was not accepted yet."""
UNKNOWN: Final = "unknown"
"""The version of a source tree that is not installed."""

_CONNECTION_LIMITS: Final = ("connections", "connections_per_address", "origin", "bans")
_HTTP_LIMITS: Final = ("http_connections", "http_connections_per_address")
_MESSAGE_LIMITS: Final = ("message_rate", "waiting_answers")


@cache
def version() -> str:
    """Return the version of the package, which is read from its files once."""
    try:
        return metadata.version("doublecross")
    except metadata.PackageNotFoundError:  # a source tree that is not installed
        return UNKNOWN


@dataclass(frozen=True, slots=True)
class Observed:
    """The parts of one server.

    `database` is its kind: sqlite or postgresql.
    """

    authority: Authority
    connections: Connections
    health: Health
    service: ServiceTime
    front: Front
    database: str

    def not_ready(self) -> str:
        """Return why the server accepts no new connections or rooms; an empty text if it does."""
        writer = self.authority.committer.writer
        if self.authority.availability.closing:
            return "The server is stopping."
        if self.authority.availability.draining:
            return "The server is draining: games in play go on, and nothing new begins."
        if not self.health.can_store:
            return f"Nothing can be stored: {writer.trouble or 'a commit takes too long'}."
        if self.authority.committer.full:
            return "Too many requests wait for the storage."
        if self.front.gate.is_full:
            return "As many connections are open as the server may have."
        if len(self.authority.lobby.rooms) >= self.authority.config.limits.rooms:
            return "As many rooms are open as the server may have."
        return ""

    def queues(self) -> dict[str, int]:
        """Return how much waits in each queue."""
        authority = self.authority
        return {
            "commit": authority.committer.backlog,
            "records": authority.record_turns.waiting,
            "reading": self.front.gate.turns.waiting,
            "advice": authority.advice.waiting,
            "reviews": authority.reviews.figures()["waiting"],
            "passwords": authority.accounts.passwords.waiting,
        }

    def limit_hits(self) -> dict[str, int]:
        """Return how often each limit has refused something."""
        return limit_hits(
            self.authority.admission.hits,
            self.connections.hits,
            self.front.gate,
            self.front.http,
            self.front.files,
        )

    async def count(self) -> Counts:
        """Count the connections and rooms."""
        return await count(self.connections.peers, [self.authority.rooms.registry])


def limit_hits(
    actions: Counter[Action],
    messages: Counter[str],
    gate: Gate,
    http: HttpGate,
    files: FileGuard,
) -> dict[str, int]:
    """Return how often each limit has refused something.

    `actions` counts refusals by the limits of addresses, `messages` those of connections.
    """
    return {
        **{f"address_{action.name.lower()}": actions[action] for action in Action},
        **{limit: gate.hits[limit] for limit in _CONNECTION_LIMITS},
        **{limit: http.hits[limit] for limit in _HTTP_LIMITS},
        **{limit: messages[limit] for limit in _MESSAGE_LIMITS},
        "open_files": files.hits,
    }


@dataclass(slots=True)
class Counts:
    """Numbers that are counted one by one: connections by kind, rooms by status, spectators."""

    connections: Counter[str] = field(default_factory=Counter)
    rooms: Counter[str] = field(default_factory=Counter)
    spectators: int = 0


async def count(peers: Iterable[Peer], rooms: Iterable[RoomRegistry]) -> Counts:
    """Count these connections and rooms, with pauses for other tasks in between."""
    found = Counts()
    # A copy, because connections come and go during the pauses.
    connected = list(peers)
    for start in range(0, len(connected), STEP):
        for peer in connected[start : start + STEP]:
            found.connections[NEW if peer.player is None else KINDS[peer.player.kind]] += 1
        await asyncio.sleep(0)
    channels = [channel for registry in rooms for channel in registry.channels.values()]
    for start in range(0, len(channels), STEP):
        for channel in channels[start : start + STEP]:
            found.rooms[channel.room.status] += 1
            found.spectators += channel.spectators
        await asyncio.sleep(0)
    return found
