"""Count the moves, games and commits of a node, also in logs that it has lost since."""

from __future__ import annotations

from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.upkeep.histogram import COMMIT_EVENTS, COMMIT_S, Histogram


class LogCounts:
    """The counters of some logs together."""

    def __init__(self) -> None:
        self.moves = 0
        self.finished = 0
        self.commits = 0
        self.events = 0
        self.failures = 0
        self.durations = Histogram(COMMIT_S)
        self.sizes = Histogram(COMMIT_EVENTS)

    def add(self, rooms: LiveRooms) -> None:
        """Add the counters of a log."""
        publisher, writer = rooms.publisher, rooms.committer.writer
        self.moves += publisher.moves
        self.finished += publisher.finished
        self.commits += writer.commits
        self.events += writer.events
        self.failures += writer.failures
        self.durations.include(writer.durations.counts, writer.durations.total)
        self.sizes.include(writer.sizes.counts, writer.sizes.total)

    def add_all(self, other: LogCounts) -> None:
        """Add the counters of other logs."""
        self.moves += other.moves
        self.finished += other.finished
        self.commits += other.commits
        self.events += other.events
        self.failures += other.failures
        self.durations.include(other.durations.counts, other.durations.total)
        self.sizes.include(other.sizes.counts, other.sizes.total)
