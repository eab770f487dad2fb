"""The stores of nodes, and the connections of players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Any

from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.storage import Batch, JournalEntry, StoreError
from doublecross.server.shell.rooms.channel import split_frames
from tests.fakes.store import FakeSleeping, FakeStore


class NodeStore(FakeStore):
    """The store of one node: tables that all nodes share, and logs that only their owners write.

    A commit is refused as a whole when it writes to a log that `owns` does not contain.
    """

    def __init__(self, shared: FakeStore, logs: dict[str, list[JournalEntry]]) -> None:
        super().__init__()
        self.players, self.accounts = shared.players, shared.accounts
        self.games_by_id, self.tournament_rows = shared.games_by_id, shared.tournament_rows
        self.entrants, self.pairings = shared.entrants, shared.pairings
        self.logs = logs
        self.owns: set[str] = set()
        self.sleeping = FakeSleeping(
            shared.sleeping.all, lambda room: bool({log_of_room(room), "leader"} & self.owns)
        )

    def _store(self, batch: Batch) -> None:
        found: dict[str, bytes] = {}
        frames = () if batch.entry is None else split_frames(batch.entry.frames)
        for event, frame in frames:
            log = log_of_room(event["room"]) if "room" in event else "leader"
            found[log] = found.get(log, b"") + frame
        if not found.keys() <= self.owns:
            raise StoreError("Another node owns this log.")
        super()._store(batch)
        for log, joined in found.items():
            entries = self.logs.setdefault(log, [])
            # The leader's node writes its log alone, so its entries have the committer's numbers.
            number = len(entries) + 1
            if log == "leader":
                assert batch.entry is not None
                number = batch.entry.entry_id
            entries.append(JournalEntry(number, 0, joined))

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """Delete entries of the leader's log."""
        await super().delete_entries(set(entry_ids) & self.entries.keys())
        entries = self.logs["leader"]
        entries[:] = [entry for entry in entries if entry.entry_id not in entry_ids]

    async def entries_of(self, log: str) -> AsyncIterator[JournalEntry]:
        for entry in list(self.logs.get(log, ())):
            await asyncio.sleep(0)  # as from a database, where others go on meanwhile
            yield entry


class Client:
    """A connection of a player at a node. `messages` has what all nodes have sent to it."""

    def __init__(self, run: str, number: int, player: PlayerInfo) -> None:
        self.run = run
        self.number = number
        self.player = player
        self.messages: list[dict[str, Any]] = []

    @property
    def name(self) -> str:
        return self.player.name

    def take(self) -> list[dict[str, Any]]:
        """Return and forget all messages since the last call."""
        taken = list(self.messages)
        self.messages.clear()
        return taken

    def answers(self, request_id: int) -> list[dict[str, Any]]:
        """Return the answers to a request that are among the messages."""
        return [message for message in self.messages if message.get("id") == request_id]
