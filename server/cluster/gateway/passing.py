"""Send the requests of this node's clients to the owners that can be reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from doublecross.protocol.client_messages import Request
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import pack
from doublecross.server.cluster.far_clients.sending import Link
from doublecross.server.cluster.gateway.peer import Asked, GatewayPeer
from doublecross.server.core.cluster_storage import LEADER

AT_ONCE: Final = 10_000
"""The most clients that one item names, because a link refuses items that are too large."""


class OwnRooms(Protocol):
    """The rooms of the logs that this node owns."""

    def owns(self, log: str) -> bool:
        """Return whether this node runs the rooms of a log."""
        ...

    def ask(self, peer: GatewayPeer, message: Request) -> bool:
        """Carry out a request about one of these rooms, and answer it."""
        ...

    def show(self, peer: GatewayPeer, room: str, *, offered: bool, request_id: int | None) -> bool:
        """Let a peer follow a room from a snapshot on; see `OwnedLogs.show`."""
        ...

    def arrive(self, peer: GatewayPeer, session: int) -> bool:
        """Note that a player is connected here."""
        ...

    def depart(self, peer: GatewayPeer) -> None:
        """Note that the connection of a player is gone."""


class Passing:
    """Pass requests to their owners; first say who the client is if an owner does not know it.

    `run` is the own run. `owner` returns the run that owns a log, or None. `link` returns the link
    to a run, which may be the own one.
    """

    def __init__(
        self,
        run: str,
        owner: Callable[[str], str | None],
        link: Callable[[str], Link],
        rooms: OwnRooms,
    ) -> None:
        self._run = run
        self._owner = owner
        self._link = link
        self._rooms = rooms

    def to_leader(self, *fields: Any) -> bool:
        """Send an item to the leader; return whether there is one that can be reached."""
        leader = self._owner(LEADER)
        return leader is not None and self._link(leader).later(pack(fields))

    def ask_for_rooms(self, numbers: list[int]) -> bool:
        """Ask the leader for the rooms of these clients; return whether it can be reached."""
        starts = range(0, len(numbers), AT_ONCE)
        return all(self.to_leader(items.ROOMS, numbers[at : at + AT_ONCE]) for at in starts)

    def send(self, peer: GatewayPeer, asked: Asked) -> None:
        """Send a request to its owner, if there is one that can be reached."""
        run = self._owner(asked.log)
        if run is None:
            return
        if asked.log == LEADER:
            sent = self.return_to(peer, run) and self._link(run).later(
                pack((items.SAID, peer.number, asked.data, [*peer.followed, *peer.elsewhere]))
            )
        elif run == self._run:
            if self._rooms.owns(asked.log):
                asked.run = run
                if asked.room:
                    request_id = asked.message.id
                    self._rooms.show(peer, asked.room, offered=True, request_id=request_id)
                else:
                    self._rooms.ask(peer, asked.message)
            return
        else:
            fields: tuple[Any, ...] = (items.ASKED, peer.number, asked.data)
            if asked.room:
                fields = (items.SHOW, peer.number, asked.room, True, asked.message.id)
            sent = self.attach(peer, run) and self._link(run).send(pack(fields))
        if sent:
            asked.run = run

    def return_to(self, peer: GatewayPeer, leader: str) -> bool:
        """Make sure that the leader knows the client; return whether it can be reached."""
        if peer.leader != leader:
            assert peer.introduction is not None
            fields = (items.BACK, peer.number, peer.introduction.fields())
            if not self._link(leader).later(pack(fields)):
                return False
            peer.leader = leader
        return True

    def attach(self, peer: GatewayPeer, run: str) -> bool:
        """Make sure that a node with rooms knows the client; return whether it can be reached."""
        if run not in peer.attached:
            assert peer.introduction is not None
            fields = (items.ATTACHED, peer.number, peer.introduction.fields())
            if not self._link(run).send(pack(fields)):
                return False
            peer.attached.add(run)
        return True
