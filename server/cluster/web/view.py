"""Collect the figures of all nodes at the leader, for admins."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, Final

from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.web.figures import FIGURES, ROOMS
from doublecross.server.shell.metrics.figures import UNKNOWN
from doublecross.server.shell.metrics.overview import overview, room_line

ASK_S: Final = 2.0
"""How long a node may take for its figures, in seconds; one that takes longer is left out."""


class ClusterView:
    """The view of a whole cluster for admins.

    `doublecross.server.shell.web.managing.admin.View` documents the methods.
    """

    def __init__(self, leader: RunningLeader, calls: NodeCalls) -> None:
        self._leader = leader
        self._calls = calls

    async def overview(self) -> dict[str, Any]:
        """Return the sum of the figures of all nodes; see `View.overview`.

        The `epoch` changes when other nodes are counted, because the counters then jump.
        """
        told = await self._calls.ask_all(FIGURES, None, ASK_S)
        epoch = blake2b(" ".join(sorted(told)).encode(), digest_size=8).hexdigest()
        return {
            **overview(self._leader.authority, epoch, told.values()),
            "nodes": [
                {key: each[key] for key in ("name", "connections", "rooms", "moves")}
                # An older node tells no version.
                | {"version": each.get("version", UNKNOWN), "leader": run == self._calls.own}
                for run, each in sorted(told.items(), key=lambda pair: str(pair[1]["name"]))
            ],
        }

    async def rooms(self, limit: int) -> tuple[Sequence[dict[str, Any]], int]:
        """Return the newest rooms, and how many rooms there are; see `View.rooms`.

        The ply and the spectators are 0 when the owner of a room does not answer.
        """
        index = self._leader.authority.lobby.rooms
        newest = list(islice(reversed(list(index.values())), limit))
        told = await self._calls.ask_all(ROOMS, [room.id for room in newest], ASK_S)
        details = ChainMap(*told.values())
        return [room_line(room, *details.get(room.id, (0, 0))) for room in newest], len(index)
