"""Show the lobby to the clients of this node.

The leader sends each node the whole lobby once, and then its changes. The node answers all its
clients from that. So the leader's work and the bytes between the nodes do not grow with the players
who come and look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

import msgpack

from doublecross.protocol.client_messages import FollowLobby
from doublecross.protocol.codec import Codec
from doublecross.protocol.errors import ErrorCode
from doublecross.server.cluster.gateway.peer import NOWHERE, GatewayPeer
from doublecross.server.core.errors import Refused
from doublecross.server.shell.lobby.listing import MAX_RATINGS, MAX_SEEKS, MAX_TOURNAMENTS
from doublecross.server.shell.peer import MAX_BUFFERED, send_to_all
from doublecross.server.shell.wire.frames import framed
from doublecross.server.shell.wire.turns import ReadingTurns

_KEYS: Final = {"players": "name", "seeks": "seek", "rooms": "room", "tournaments": "tournament"}
"""The lists of the lobby, and which field of an entry names it."""
_MOST: Final = {"seeks": MAX_SEEKS, "tournaments": MAX_TOURNAMENTS}
"""The lists that changes can make longer than the leader shows them."""
_TOTALS: Final = ("players_total", "seeks_total", "rooms_total")
Entry = Mapping[str, Any]


class _Mirror:
    """The lobby as the leader has shown it."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        # The newest entry of each list is the last one here.
        self._lists = {
            name: {each[key]: each for each in reversed(state[name])} for name, key in _KEYS.items()
        }
        self._ratings: dict[tuple[str, str, str], Entry] = {}
        self._rate(state["ratings"])
        self._totals = {name: state[name] for name in _TOTALS}
        self._frames: dict[bool, bytes] = {}

    def change(self, change: Mapping[str, Any]) -> None:
        """Apply additions, changes and removals."""
        self._frames.clear()
        for name, key in _KEYS.items():
            entries = self._lists[name]
            for gone in change[f"{name}_gone"]:
                entries.pop(gone, None)
            entries.update((each[key], each) for each in change[name])
        self._rate(change["ratings"])
        self._totals = {name: change[name] for name in _TOTALS}

    def _rate(self, ratings: Iterable[Entry]) -> None:
        self._ratings.update(
            ((each["player"], each["game"], each["size"]), each) for each in ratings
        )
        if len(self._ratings) > 2 * MAX_RATINGS:
            self._forget_ratings()

    def _forget_ratings(self) -> None:
        """Forget the ratings of those who are in no list any more."""
        seated = (each for room in self._lists["rooms"].values() for each in room["players"])
        owners = (seek["player"] for seek in self._lists["seeks"].values())
        names = {each["name"] for each in (*seated, *owners) if each} | self._lists[
            "players"
        ].keys()
        self._ratings = {key: each for key, each in self._ratings.items() if key[0] in names}

    def frame(self, codec: Codec) -> bytes:
        """Return the whole lobby as an encoded `lobby_state` without an id."""
        found = self._frames.get(codec.text)
        if found is None:
            self._forget_ratings()
            lists = {
                name: list(islice(reversed(entries.values()), _MOST.get(name)))
                for name, entries in self._lists.items()
            }
            ratings = list(islice(self._ratings.values(), MAX_RATINGS))
            state = {"type": "lobby_state", **lists, "ratings": ratings, **self._totals}
            found = self._frames[codec.text] = codec.encode(state)
        return found


class _Request(NamedTuple):
    message: FollowLobby
    at_s: float


class GatewayLobby:
    """The lobby of this node, and its clients that follow it.

    `ask` asks the leader for the lobby; it returns False if the leader cannot be reached. `time`
    returns seconds.
    """

    def __init__(self, ask: Callable[[], bool], time: Callable[[], float]) -> None:
        self._ask = ask
        self._time = time
        self._leader = NOWHERE
        """The leader that was asked for the lobby."""
        self._mirror: _Mirror | None = None
        self._followers: dict[GatewayPeer, int] = {}
        """Who follows, with the id of the last request for it."""
        self._waiting: dict[GatewayPeer, list[_Request]] = {}
        """The requests that wait until the lobby is known."""
        self._turns = ReadingTurns()

    # -- from clients --------------------------------------------------------------------------

    def request(self, peer: GatewayPeer, message: FollowLobby, leader: str | None) -> None:
        """Answer a request to follow the lobby or to stop, now or when the lobby is known."""
        if peer in self._waiting or (self._mirror is None and message.on):
            peer.waiting += 1
            self._waiting.setdefault(peer, []).append(_Request(message, self._time()))
            self.catch_up(leader)
        else:
            self._answer(peer, message)

    def _answer(self, peer: GatewayPeer, message: FollowLobby) -> None:
        if not message.on:
            self._followers.pop(peer, None)
            peer.send({"type": "done", "id": message.id})
            return
        assert self._mirror is not None
        try:
            # Before the lobby is encoded, because that is what costs.
            peer.check_paid()
            peer.pay(len(self._mirror.frame(peer.codec)))
        except Refused as refused:
            peer.refuse(message.id, refused.code, refused.sentence)
            return
        self._followers[peer] = message.id
        self._show(peer)

    def _show(self, peer: GatewayPeer) -> None:
        """Send the whole lobby to a follower, as the answer to its last request."""
        request_id = self._followers.get(peer)
        if self._mirror is None or request_id is None:
            return  # it has gone, or the lobby will come again
        if peer.buffered() > MAX_BUFFERED:
            peer.abort()
            return
        codec = peer.codec
        answer = codec.with_id(self._mirror.frame(codec), request_id)
        # `GatewayPeer.send` would decode it to see which request it answers.
        peer.websocket.write(framed(answer, codec.text))

    def lost(self, peer: GatewayPeer) -> None:
        """Forget a connection that has ended."""
        self._followers.pop(peer, None)
        self._waiting.pop(peer, None)

    def sweep(self, patience_s: float) -> None:
        """Refuse requests that have waited for too long."""
        late = self._time() - patience_s
        for peer, requests in list(self._waiting.items()):
            if requests[0].at_s < late:
                del self._waiting[peer]
                for message, _ in requests:
                    peer.waiting -= 1
                    refuse_late(peer, message.id)

    # -- from the leader -------------------------------------------------------------------------

    def catch_up(self, leader: str | None) -> None:
        """Ask the present leader for the lobby, if it can be reached and somebody wants it."""
        if leader in (None, self._leader):
            return
        self.leader_lost(self._leader)
        if (self._followers or self._waiting) and self._ask():
            assert leader is not None
            self._leader = leader

    def leader_lost(self, run: str) -> None:
        """Note that a run sends no changes of the lobby any more."""
        if run == self._leader:
            self._leader, self._mirror = NOWHERE, None

    def take(self, run: str, payload: bytes) -> None:
        """Take the lobby, or a change of it, from the leader."""
        if run != self._leader:
            return
        message = msgpack.unpackb(payload)
        if message["type"] == "lobby_changed":
            if self._mirror is not None:
                self._mirror.change(message)
                send_to_all(self._followers, message)
            return
        self._mirror = _Mirror(message)
        loop = asyncio.get_running_loop()
        # One after the other, because there may be thousands.
        for peer in self._followers:
            self._turns.wait(loop, partial(self._show, peer))
        for peer in self._waiting:
            self._turns.wait(loop, partial(self._go_on, peer))

    def _go_on(self, peer: GatewayPeer) -> None:
        """Answer the requests of a client that have waited."""
        if self._mirror is None:
            return
        for message, _ in self._waiting.pop(peer, ()):
            peer.waiting -= 1
            self._answer(peer, message)


def refuse_late(peer: GatewayPeer, request_id: int) -> None:
    """Refuse a request whose owner could not be reached for too long."""
    peer.refuse(
        request_id,
        ErrorCode.STORAGE_FAILED,
        "The part of the server that should answer cannot be reached; try again in a moment.",
    )
