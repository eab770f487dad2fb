"""Start and stop the leader at this node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.leader.state import KeptState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.core.lobby.lobby import ID_LETTERS
from doublecross.server.shell.analysis.advice import AdviceService

EPOCH_LETTERS: Final = 12
"""How many letters the epoch of a cluster has."""

EARLY_FIELDS: Final = 3
"""How many fields `SAID` has before the login of its client."""
FROM_CLIENTS: Final = frozenset(
    (items.OPENED, items.SAID, items.BACK, items.ROOMS, items.LOBBY, items.GONE)
)
"""The kinds of items that a node sends to the leader for its clients."""


class OwnLeader:
    """Start and stop the leader of this node. `running` is the leader as soon as it begins to open.

    `owners` returns the owners of all logs; see `Node.owners`.

    Clients wait at their nodes until the leader is open. They also wait while the lease does not
    hold, because even a refusal might be wrong: another node may be the leader by then.
    """

    def __init__(
        self,
        parts: NodeParts,
        advice: AdviceService,
        owners: Callable[[], Mapping[str, str | None]],
    ) -> None:
        self._parts = parts
        self._advice = advice
        self._owners = owners
        self.running: RunningLeader | None = None
        self.kept = KeptState()
        self.on_change: Callable[[RunningLeader | None], None] = lambda _: None
        """Called when this node has become the leader, and when it stops being the leader."""

    async def start(self, own: OwnedLog) -> None:
        """Open the leader. Cancel this if it is lost meanwhile, after `drop`.

        Raises:
            StoreError: see `RunningLeader.start`.
        """
        parts, state = self._parts, self.kept.newest
        last_entry_id = await own.store.last_entry_id()
        made = "".join(parts.rng.choices(ID_LETTERS, k=EPOCH_LETTERS))
        config = replace(parts.config, epoch=state.epoch or made)
        self.running = leader = RunningLeader(
            replace(parts, config=config), own, self._advice, state, last_entry_id
        )
        try:
            await leader.start(self._owners)
        except Exception:
            await leader.close()
            self.running = None
            raise
        self.on_change(leader)

    def take(self, run: str, fields: Sequence[Any]) -> None:
        """Handle an item from the gateway of a node, if it is for the leader.

        While the leader cannot answer, send back what was said, which its node keeps.
        """
        kind, about = fields[:2]
        if kind not in FROM_CLIENTS:
            return
        leader = self.answering
        if leader is None and kind == items.GONE:
            leader = self.running  # nobody is answered
        if leader is not None:
            leader.connections.take(run, fields)
        elif kind in (items.ROOMS, items.LOBBY):
            self._parts.network.send(run, pack((items.NOT_YET, items.OF_NODE)))
        elif kind == items.SAID and len(fields) > EARLY_FIELDS:
            self._parts.network.send(run, pack((items.BOUNCED, about, fields[2])))
        elif kind != items.GONE:
            self._parts.network.send(run, pack((items.NOT_YET, about)))

    @property
    def answering(self) -> RunningLeader | None:
        """The leader if it is here and may answer."""
        leader = self.running
        return leader if leader is not None and leader.is_open and self._parts.may_show() else None

    def drop(self) -> RunningLeader | None:
        """Stop being the leader; return the leader that was running, if any."""
        leader, self.running = self.running, None
        if leader is not None:
            self.on_change(None)
        return leader
