"""The logs that this node owns, each with its rooms, and the players who use them.

Each connection of a player who uses them has a peer here, wherever the connection is: a
`GatewayPeer` if it is to this node, else a far peer. Where a player wants only one connection, the
newer login wins, even if its first request arrives before the end of the older connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from doublecross.protocol.client_messages import Request, Watch
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS, awake_first
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.traffic import BoundHandler, carry_out


@dataclass(frozen=True, slots=True)
class ServedLog:
    """The rooms of one log, and the handlers of requests about them.

    `waiting` has the tasks of requests whose handlers wait for something, such as for a room that
    sleeps, with their peers and ids.
    """

    rooms: LiveRooms
    handlers: Mapping[type[Request], BoundHandler]
    waiting: dict[asyncio.Task[None], tuple[Peer, int]] = field(default_factory=dict)


class OwnedLogs:
    """Find the rooms of this node, and carry out requests about them.

    `moved_away` is called with a room that another node owns from now on, and with the peers that
    followed it. `may_serve` returns whether the lease holds. Without a lease
    nobody is answered, not even with a refusal: it might be wrong, because another node may have
    the log.
    """

    def __init__(self, may_serve: Callable[[], bool]) -> None:
        self._may_serve = may_serve
        self.sessions = Sessions()
        """The peers of each player who is connected, here or elsewhere."""
        self.moved_away: Callable[[str, list[Peer]], None] = lambda _, __: None
        self._logs: dict[str, ServedLog] = {}
        self._logins: dict[Peer, int] = {}
        """The number of the login of each of these peers; a later one has a greater number."""
        self._tasks = BackgroundTasks()

    # -- the logs ------------------------------------------------------------------------------

    def add(self, log: str, rooms: LiveRooms) -> None:
        """Run the rooms of a log from now on."""
        handlers = {kind: awake_first(rooms, handler) for kind, handler in ROOM_HANDLERS.items()}
        self._logs[log] = ServedLog(rooms, handlers)

    def drop(self, log: str) -> Iterable[tuple[Peer, int]]:
        """Stop running the rooms of a log, because another node does or will.

        Nobody gets an answer. Return the requests whose handlers wait; see `ServedLog`. Other nodes
        do not hear that their players follow these rooms no more, because the players will follow
        them at the next owner.
        """
        owned = self._logs.pop(log, None)
        if owned is None:
            return ()
        self.let_go(owned.rooms)
        return [asked for task, asked in owned.waiting.items() if not task.done()]

    def let_go(self, rooms: LiveRooms) -> None:
        """Remove all followers of the rooms of a log that was dropped."""
        for room, channel in rooms.registry.channels.items():
            for peer in channel.peers:
                # The pop of a far peer would report this to its node; see `FarPeers`.
                dict.pop(peer.followed, room, None)
            self.moved_away(room, list(channel.peers))
            channel.peers.clear()

    @property
    def rooms(self) -> list[LiveRooms]:
        """The rooms of all logs."""
        return [owned.rooms for owned in self._logs.values()]

    @property
    def names(self) -> list[str]:
        """The logs whose rooms this node runs."""
        return list(self._logs)

    def of(self, room: str) -> LiveRooms | None:
        """Return the rooms of the log to which a room belongs, if this node owns it."""
        owned = self._logs.get(log_of_room(room))
        return None if owned is None else owned.rooms

    def owns(self, log: str) -> bool:
        """Return whether this node runs the rooms of a log, and may answer for them."""
        return log in self._logs and self._may_serve()

    # -- the players ---------------------------------------------------------------------------

    def arrive(self, peer: Peer, session: int) -> bool:
        """Note that a player is connected through this peer.

        Return False when a newer connection of the player has taken its place already.
        """
        if not peer.may_play or peer in self._logins:
            return True  # requests of the former are refused
        rivals = self.sessions.rivals(peer)
        if any(self._logins[each] > session for each in rivals):
            return False
        for old in rivals:
            old.replaced = True
            self.depart(old)
        self.sessions.add(peer)
        self._logins[peer] = session
        return True

    def depart(self, peer: Peer) -> None:
        """Note that the connection of a player is gone."""
        for room in list(peer.followed):
            rooms = self.of(room)
            if rooms is not None:
                rooms.following.unfollow(peer, room)
        self.sessions.remove(peer)
        self._logins.pop(peer, None)

    # -- their requests ------------------------------------------------------------------------

    def ask(self, peer: Peer, message: Request) -> bool:
        """Carry out a request about a room; return False if its log is not here."""
        room = getattr(message, "room", "")
        owned = self._logs.get(log_of_room(room))
        if owned is None or not self._may_serve():
            return False
        task = carry_out(owned.handlers.get(type(message)), peer, message, self._tasks)
        if task is not None:
            owned.waiting[task] = peer, message.id
            task.add_done_callback(owned.waiting.pop)
        return True

    def show(self, peer: Peer, room: str, *, offered: bool, request_id: int | None) -> bool:
        """Let a peer follow a room from a snapshot on, as the answer to a request if there is one.

        Without a request, return False if there is no such room. `offered` means that the peer may
        not have seen the room yet. It may also have seen the room and left it; return False then
        too.
        """
        rooms = self.of(room)
        found = None if rooms is None else rooms.index.get(room)
        if rooms is None or found is None:
            # It may sleep, if its owner could not be reached for a while.
            return request_id is not None and self.ask(peer, Watch(id=request_id, room=room))
        if offered and request_id is None and found.left_by(peer.name):
            return False
        origin = found.terms.origin if offered else None
        # A client that has asked hears that it failed.
        persist = request_id is None
        rooms.following.show(peer, found, request_id, origin=origin, persist=persist)
        return True

    def close(self) -> None:
        """End the requests that are still under way."""
        self._tasks.cancel()
