"""Pass the requests of this node's clients to the nodes that answer them, and back.

Theory of operation
-------------------
Requests about rooms go to the owner of the room's log: the first letters of a room's id are those
of its log. Those about the lobby are answered here (`lobby.py`). All others go to the leader. What
this node owns itself, it answers at once.

A client without a login waits while there is no leader, because the leader may be moving.

Nodes come and go. When the link to a node breaks, or a log gets another owner, all requests and
rooms that were there are marked `NOWHERE`. `Passing.catch_up` then sends them to the present owner:
first who the client is, then the rooms that it follows, then its requests, oldest first. The owner
shows a room by a snapshot, so the client sees the room as it is stored, whatever was lost. A
request that may have been carried out, and that must not be carried out twice, is left to the
client (see `repeating.py`).

A request without an answer for `PATIENCE_S` seconds is refused with `storage_failed`. A log that
this node does not know may be a new one, of which it will hear in a moment, or one that was
deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from doublecross.protocol.client_messages import FollowLobby, Hello, Ping, Request
from doublecross.protocol.errors import ErrorCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import How, Introduction, pack
from doublecross.server.cluster.gateway.lobby import GatewayLobby, refuse_late
from doublecross.server.cluster.gateway.passing import Passing
from doublecross.server.cluster.gateway.peer import NOWHERE, Asked, GatewayPeer, payload_of
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import SECOND_HELLO

PATIENCE_S: Final = 10.0
"""How long a request waits for an owner that can be reached, in seconds."""
EARLY_S: Final = 5.0
"""How long a client without a login waits for a leader, in seconds: longer than a leader moves."""
AT_ONCE: Final = 10_000
"""The most clients that one item names, because a link refuses items that are too large."""
UNKNOWN_S: Final = 3.2
"""How long a request waits for a log that does not exist as far as this node knows, in seconds.

Longer than a lease: a node whose lease holds has read the logs meanwhile.
"""


class Gateway:
    """All connections of this node, and the nodes that have their requests.

    `owner` returns the run that owns a log, or None. `time` returns seconds. `exists` returns
    whether there is a log, as far as this node knows. `place` returns this node's HTTP address for
    welcomes, and the version of the page there.
    """

    def __init__(
        self,
        network: Network,
        owner: Callable[[str], str | None],
        rooms: OwnedLogs,
        time: Callable[[], float],
        exists: Callable[[str], bool] = lambda _: True,
        place: Callable[[], tuple[str | None, str | None]] = lambda: (None, None),
    ) -> None:
        self._owner = owner
        self._later = network.later
        self._rooms = rooms
        self._passing = Passing(network, owner, rooms)
        self._time = time
        self.peers: dict[int, GatewayPeer] = {}
        """All connections by number."""
        self.on_admitted: Callable[[GatewayPeer], None] = lambda _: None
        """Called with each peer whose player has logged in."""
        self._exists = exists
        self._rooms_from = NOWHERE
        """The leader that was asked in which rooms the players have seats."""
        self._place = place
        self.lobby = GatewayLobby(lambda: self._passing.to_leader(items.LOBBY, items.OF_NODE), time)

    # -- from clients --------------------------------------------------------------------------

    def open(self, peer: GatewayPeer) -> None:
        """Tell the leader of a new connection."""
        self.peers[peer.number] = peer
        self._open(peer)

    def _open(self, peer: GatewayPeer) -> None:
        """Tell the leader, if there is one, of a client without a login and what it has said."""
        leader, number = self._owner(LEADER), peer.number
        about = peer.websocket.subprotocol, peer.source, peer.address, *self._place()
        if self._passing.to_leader(items.OPENED, number, *about):
            peer.leader = leader or NOWHERE
            for data in peer.early:
                self._passing.to_leader(items.SAID, number, data)

    def said_early(self, peer: GatewayPeer, data: bytes | str) -> None:
        """Pass on a message of a client that has not logged in yet."""
        peer.early.append(data)
        if peer.leader == NOWHERE:
            self._open(peer)
        elif peer.leader == self._owner(LEADER):
            self._passing.to_leader(items.SAID, peer.number, data)

    def said(self, peer: GatewayPeer, message: Request, data: bytes | str) -> None:
        """Answer a request of a player, or pass it on. It was admitted already."""
        peer.asks(message.id)
        kind = type(message)
        if kind in ROOM_HANDLERS:
            log: str = log_of_room(message.room)  # type: ignore[attr-defined]
            if self._rooms.owns(log):
                self._rooms.ask(peer, message)
                return
        elif kind is Ping:
            peer.send({"type": "pong", "id": message.id})
            return
        elif kind is Hello:
            peer.refuse(message.id, ErrorCode.HELLO_FIRST, SECOND_HELLO)
            return
        elif isinstance(message, FollowLobby):
            self.lobby.request(peer, message, self._owner(LEADER))
            return
        else:
            log = LEADER
        asked = peer.asked[message.id] = Asked(log, message, data, self._time())
        peer.waiting += 1
        if log == LEADER and self._owner(LEADER) != peer.leader:
            self._passing.catch_up(peer)
        else:
            self._passing.request(peer, asked)

    def lost(self, peer: GatewayPeer) -> None:
        """Forget a connection that has ended, here and everywhere."""
        if self.peers.pop(peer.number, None) is None:
            return
        gone = pack((items.GONE, peer.number))
        # A leader whose lease seems to have lapsed may renew it. One that could not answer for a
        # moment may know the client.
        runs = peer.attached | {peer.leader, self._owner(LEADER) or NOWHERE}
        for run in runs - {NOWHERE}:
            self._later(run, gone)
        self._rooms.depart(peer)
        self.lobby.lost(peer)

    # -- from owners ---------------------------------------------------------------------------

    def take(self, run: str, fields: Sequence[Any]) -> None:
        """Carry out an item from an owner, if it is for a gateway."""
        kind = fields[0]
        if kind == items.FRAME:
            self._frame(run, fields[1], fields[2])
        elif kind == items.LOST:
            self.lost_log(run, fields[1])
        elif kind == items.NOT_YET and fields[1] == items.OF_NODE:
            self._forget_asking(run)
        elif kind in self._HANDLERS:
            peer = self.peers.get(fields[1])
            if peer is not None:
                self._HANDLERS[kind](self, run, peer, *fields[2:])

    def _frame(self, run: str, frame: bytes, numbers: list[int]) -> None:
        """Send a frame to these connections."""
        peers = self.peers
        if len(numbers) > 1:
            for number in numbers:
                peer = peers.get(number)
                if peer is not None:
                    peer.websocket.write(frame)
        elif numbers[0] == items.OF_NODE:
            self.lobby.take(run, payload_of(frame))
        else:
            peer = peers.get(numbers[0])
            # Before the login, the present leader gets everything too.
            knows = peer is not None and (peer.introduction or run == peer.leader)
            if peer is not None and knows and peer.is_news(payload_of(frame)):
                peer.heard = True
                peer.websocket.write(frame)

    def _follows(self, run: str, peer: GatewayPeer, room: str, on: bool | None) -> None:
        if on is not None:
            peer.offered.discard(room)
        if on:
            peer.elsewhere[room] = run
            if self._owner(log_of_room(room)) not in (run, None):
                self._passing.catch_up(peer)  # the owner was another one by then
        elif on is None:
            if peer.elsewhere.get(room) == run:
                peer.elsewhere[room] = NOWHERE
            for asked in list(peer.asked.values()):
                if asked.room == room and asked.run == run:
                    self._passing.request_elsewhere(peer, asked)
        elif peer.elsewhere.get(room) == run:
            del peer.elsewhere[room]

    def _admitted(self, run: str, peer: GatewayPeer, fields: Any) -> None:
        if run != peer.leader:
            return  # a former leader; the present one gets the hello too
        found = peer.introduction = Introduction.of(fields)
        peer.early = []
        found.introduce(peer)
        self._rooms.arrive(peer, found.session)
        self.on_admitted(peer)
        self._passing.catch_up(peer)  # it may have heard of rooms before

    def _seated(self, run: str, peer: GatewayPeer, rooms: list[str]) -> None:
        for room in rooms:
            if room not in peer.elsewhere and room not in peer.followed:
                peer.elsewhere[room] = NOWHERE
                peer.offered.add(room)
        if peer.introduction is not None:
            self._passing.catch_up(peer)

    def _rights(self, _: str, peer: GatewayPeer, fields: Any) -> None:
        if peer.introduction is not None:
            peer.introduction = Introduction.of(fields)
            peer.allow(peer.introduction.rights)

    def _bounced(self, run: str, peer: GatewayPeer, data: bytes | str) -> None:
        asked = peer.asked.get(peer.codec.decode_request(data).id)
        if asked is not None and asked.run == run:
            self._passing.request_elsewhere(peer, asked)

    def _showing(self, _: str, peer: GatewayPeer, room: str, request_id: int) -> None:
        asked = peer.asked.get(request_id)
        if asked is not None and asked.log == LEADER:
            asked.log, asked.room, asked.run = log_of_room(room), room, NOWHERE
            self._passing.request(peer, asked)

    def _not_yet(self, run: str, peer: GatewayPeer) -> None:
        if peer.leader == run and run == self._rooms_from:
            self._rooms_from = NOWHERE  # it passes over clients that it does not know
        self._passing.not_leader(peer, run)

    def _unknown(self, run: str, peer: GatewayPeer) -> None:
        self._passing.forget_node(peer, run)
        if peer.introduction is not None and not peer.is_closing:
            self._passing.catch_up(peer)

    def _returned(self, _: str, peer: GatewayPeer, data: bytes | str) -> None:
        self.said(peer, peer.codec.decode_request(data), data)

    def _ended(self, _: str, peer: GatewayPeer, code: int, reason: str, how: int) -> None:
        peer.is_closing = True
        if how == How.CLOSE:
            peer.websocket.close(code, reason)
        elif how == How.END:
            peer.end(code, reason)
        else:
            peer.abort()

    def _paused(self, _: str, peer: GatewayPeer, on: bool) -> None:
        if on:
            peer.websocket.pause()
        else:
            peer.websocket.resume()

    _HANDLERS: Final[Mapping[int, Callable[..., None]]] = {
        items.FOLLOWS: _follows,
        items.ADMITTED: _admitted,
        items.RIGHTS: _rights,
        items.SEATED: _seated,
        items.SHOWING: _showing,
        items.BOUNCED: _bounced,
        items.RETURNED: _returned,
        items.NOT_YET: _not_yet,
        items.UNKNOWN: _unknown,
        items.ENDED: _ended,
        items.PAUSED: _paused,
    }

    # -- other owners --------------------------------------------------------------------------

    def link_broke(self, run: str) -> None:
        """Note that what was sent to a run, and what it has sent, may be lost.

        That may be a room in which a client has just got a seat.
        """
        self._forget_asking(run)
        for peer in list(self.peers.values()):
            self._passing.forget_leader(peer, run)
            self._passing.forget_node(peer, run)

    def _forget_asking(self, run: str) -> None:
        """Ask the next leader for what this node itself needs, if a run was asked for it."""
        if run == self._rooms_from:
            self._rooms_from = NOWHERE
        self.lobby.leader_lost(run)

    def lost_log(self, run: str, log: str) -> None:
        """Note that a run does not have a log any more, and will answer nothing.

        The next owner, which may be the same run, tells all nodes, and `catch_up` follows.
        """
        if log == LEADER:
            self._forget_asking(run)
        for peer in list(self.peers.values()):
            if log == LEADER:
                self._passing.forget_leader(peer, run)
            else:
                self._passing.forget(peer, run, log.__eq__)

    def unanswered(self, asked: Iterable[tuple[object, int | None]]) -> None:
        """End the connections to this node whose requests were lost with a log.

        `asked` are peers, each with the number of its request, if it has made one. Requests that
        were kept here are sent again.
        """
        for peer, request_id in asked:
            if (
                isinstance(peer, GatewayPeer)
                and request_id not in peer.asked
                and not peer.is_closing
            ):
                self._passing.end(peer)

    def moved_away(self, room: str, peers: list[Peer]) -> None:
        """Note that a room, which these peers followed here, has another owner now."""
        for peer in peers:
            if isinstance(peer, GatewayPeer):
                peer.elsewhere[room] = NOWHERE

    def catch_up(self) -> None:
        """Send everything that is `NOWHERE` to its owner, if that can be reached now.

        Call this when a link has come up, when a log has another owner, or when it may be answered
        for again.
        """
        leader = self._owner(LEADER)
        for peer in list(self.peers.values()):
            if peer.is_closing:
                continue
            if peer.introduction is not None:
                self._passing.catch_up(peer)
            elif leader not in (None, peer.leader):
                if peer.leader != NOWHERE:
                    self._passing.forget_leader(peer, peer.leader)
                if not peer.is_closing:
                    self._open(peer)
        if leader is not None:
            self._ask_for_rooms(leader)
        self.lobby.catch_up(leader)

    def _ask_for_rooms(self, leader: str) -> None:
        """Ask the leader for the rooms of which clients may not have heard."""
        if leader != self._rooms_from:
            known = [number for number, peer in self.peers.items() if peer.introduction is not None]
            parts = (known[at : at + AT_ONCE] for at in range(0, len(known), AT_ONCE))
            if all(self._passing.to_leader(items.ROOMS, part) for part in parts):
                self._rooms_from = leader

    def sweep(self) -> None:
        """Refuse requests that could not be sent to an owner for too long."""
        now_s = self._time()
        self.lobby.sweep(PATIENCE_S)
        for peer in list(self.peers.values()):
            waits = peer.introduction is None and peer.leader == NOWHERE and not peer.is_closing
            if waits and now_s - peer.last_message_s > EARLY_S:
                self._passing.end(peer)
            waiting = [each for each in peer.asked.items() if each[1].run == NOWHERE]
            for request_id, asked in waiting:
                waited_s = now_s - asked.at_s
                if waited_s > UNKNOWN_S and not self._exists(asked.log):
                    room_id = asked.room or asked.message.room  # type: ignore[attr-defined]
                    text = "There is no room {room}."
                    peer.refuse(request_id, ErrorCode.UNKNOWN_ROOM, text, room_id)
                elif waited_s > PATIENCE_S:
                    refuse_late(peer, request_id)
