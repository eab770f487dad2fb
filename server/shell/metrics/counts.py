"""Count what rooms and connections have done since the start, and how many there are now."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.upkeep.histogram import COMMIT_EVENTS, COMMIT_S, Histogram

STEP: Final = 2000
"""After so many rooms or connections, other tasks have a turn before the count goes on."""
KINDS: Final = {"human": "person", "bot": "bot", None: "new"}
"""The kinds of connections by those of their players; those without a player are new."""


@dataclass(slots=True)
class Totals:
    """The counters of some `LiveRooms` together, since the start."""

    moves: int = 0
    finished: int = 0
    commits: int = 0
    events: int = 0
    failures: int = 0
    durations: Histogram = field(default_factory=partial(Histogram, COMMIT_S))
    sizes: Histogram = field(default_factory=partial(Histogram, COMMIT_EVENTS))

    def add(self, rooms: LiveRooms) -> None:
        """Add the counters of more rooms."""
        publisher, writer = rooms.publisher, rooms.committer.writer
        self.moves += publisher.moves
        self.finished += publisher.finished
        self.commits += writer.commits
        self.events += writer.events
        self.failures += writer.failures
        self.durations.include(writer.durations.counts, writer.durations.total)
        self.sizes.include(writer.sizes.counts, writer.sizes.total)

    def with_all(self, rooms: Iterable[LiveRooms]) -> Totals:
        """Return these counters and those of more rooms."""
        found = deepcopy(self)
        for each in rooms:
            found.add(each)
        return found


@dataclass(slots=True)
class Counts:
    """Numbers that are counted one by one: connections by kind, rooms by status, spectators."""

    connections: Counter[str] = field(default_factory=Counter)
    rooms: Counter[str] = field(default_factory=Counter)
    spectators: int = 0


async def count(peers: Iterable[Peer], rooms: Iterable[LiveRooms]) -> Counts:
    """Count these connections and rooms, with pauses for other tasks in between."""
    found = Counts()
    # A copy, because connections come and go during the pauses.
    connected = list(peers)
    for start in range(0, len(connected), STEP):
        for peer in connected[start : start + STEP]:
            found.connections[KINDS[None if peer.player is None else peer.player.kind]] += 1
        await asyncio.sleep(0)
    channels = [channel for each in rooms for channel in each.registry.channels.values()]
    for start in range(0, len(channels), STEP):
        for channel in channels[start : start + STEP]:
            found.rooms[channel.room.status] += 1
            found.spectators += channel.spectators
        await asyncio.sleep(0)
    return found
