"""Count what rooms and connections have done since the start, and how many there are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.upkeep.histogram import COMMIT_EVENTS, COMMIT_S, Histogram
from doublecross.server.shell.upkeep.periodic import Breaks

STEP_S: Final = 0.002
"""For how long rooms or connections are counted before other tasks have a turn, in seconds."""
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
    breaks = Breaks(STEP_S)
    # Copies, because connections and rooms come and go during the pauses.
    for peer in list(peers):
        found.connections[KINDS[None if peer.player is None else peer.player.kind]] += 1
        await breaks.take()
    for channel in [each for live in rooms for each in live.registry.channels.values()]:
        found.rooms[channel.room.status] += 1
        found.spectators += channel.spectators
        await breaks.take()
    return found
