"""Open, show and end rooms for the rest of the leader, by orders to the nodes that run them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PlayerInfo
from doublecross.server.cluster.items import Finish, Open, Order, Phrases, Settle, Settled, pack
from doublecross.server.cluster.leader.connections import run_of, show
from doublecross.server.cluster.leader.logs import LeaderLogs
from doublecross.server.cluster.leader.openings import Opening, Openings
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import StoreError
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import SNAPSHOT_BYTES
from doublecross.server.shell.rooms.opening import room_for_two, shown_to
from doublecross.server.shell.sessions import Sessions

SETTLE_S: Final = 20.0
"""How long the nodes may take, in seconds; a node may die meanwhile and another take over."""
RETRY_S: Final = 0.02
"""How long to wait after a lost reply, in seconds, until the loss of its node is known too."""


class FarRooms:
    """Let other nodes run the rooms.

    `doublecross.server.shell.rooms.api.Rooms` documents each method.

    `index` has the rooms without their moves. `allows_phrases` returns whether the players of a
    tournament may say phrases to each other.
    """

    def __init__(
        self,
        index: RoomIndex,
        logs: LeaderLogs,
        committer: Committer,
        allows_phrases: Callable[[str], bool],
        sessions: Sessions,
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._logs = logs
        self._send = logs.send
        self._committer = committer
        self._index = index
        self._tournament_allows = allows_phrases
        self._sessions = sessions
        self._times = times
        self._now = now
        self.openings = Openings(index)
        self.orders: dict[int, Order] = {}
        """The orders that are not carried out yet, by number."""
        self._numbers = count(1)
        self._waiting: dict[int, tuple[str, asyncio.Future[bool | None]]] = {}
        """The runs that were asked to store, and whether they have; None: the reply is lost."""

    # -- opening and showing rooms -------------------------------------------------------------

    def prefix(self, players: Sequence[str]) -> str:
        """Return the id of a log for a new room, of a node with one of the players if possible."""
        peers = [peer for name in players for peer in self._sessions.of(name)]
        return self._logs.choose([run_of(peer) for peer in peers])

    def open(
        self,
        room: Room,
        events: list[Event],
        asked: Sequence[tuple[Peer, int]],
        undo: Callable[[], None] | None = None,
    ) -> None:
        """Send a new room to the owner of its log; see `Rooms.open`.

        Whatever the leader has queued, such as an offer or the pairing of a tournament, is stored
        and answered before the owner hears of the room.
        """
        opening = Opening(room, events, list(asked), undo)
        self.openings.add(opening)
        self._logs.add(room.id)

        def send() -> None:
            owner = self._logs.owner(room.id)
            # If it cannot be sent, the log shows after the break that the room does not exist.
            if owner is not None and self.openings.get(room.id) is opening:
                self._send(owner, pack(Open(room.id, tuple(events), self._allows_phrases(room))))

        def fail() -> None:
            if self.openings.get(room.id) is opening:
                self._logs.drop(room.id)
                self.openings.fail(room.id)

        self._committer.after(send, fail)

    def open_with(
        self, terms: RoomTerms, players: tuple[PlayerInfo, PlayerInfo], undo: Callable[[], None]
    ) -> None:
        """Open a room for two players, and send it to the owner of its log."""
        room, events = room_for_two(terms, players, self._times, self._now())
        self._index.add(room)
        self.open(room, events, (), undo)

    def _allows_phrases(self, room: Room) -> bool:
        tag = room.terms.tag
        return tag is None or self._tournament_allows(tag.tournament)

    def tell_phrases(self, rooms: Sequence[Room]) -> None:
        """Tell the owners of these rooms which of their tournaments have no phrases."""
        for room in rooms:
            owner = self._logs.owner(room.id)
            if owner is not None and room.terms.tag is not None and not self._allows_phrases(room):
                self._send(owner, pack(Phrases(room.terms.tag.tournament, False)))

    def show(self, peer: Peer, room: Room, request_id: int, *, origin: str | None = None) -> None:
        """Let the node of a peer show it a room, once it is stored."""
        if room.id in self.openings:
            self.openings.wait(room.id, peer, request_id)
        else:
            peer.pay(SNAPSHOT_BYTES)
            show(peer, room.id, request_id)

    def confirm(self, room_id: str) -> None:
        """Note that a new room is stored, and let it be shown; see `shown_to`.

        Whoever has logged in meanwhile has not found the room in the welcome.
        """
        asked = self.openings.confirm(room_id)
        if asked is not None:
            for peer, request_id in shown_to(self._index[room_id], asked, self._sessions):
                show(peer, room_id, request_id)

    def depart(self, peer: Peer) -> None:
        """Forget a peer whose connection is gone."""
        self.openings.depart(peer)

    # -- ending what is played -----------------------------------------------------------------

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """Let the owner of a room end the match in play; see `Rooms.forfeit`."""
        room.seat_or_refuse(player)
        room.match_or_refuse()
        self._order("forfeit", room, player, reason)

    def end_rematch(self, room: Room, player: str) -> None:
        """Let the owner of a room end an offer; see `Rooms.end_rematch`."""
        self._order("end_rematch", room, player)

    def close(self, room: Room, reason: str) -> None:
        """Let the owner of a room close it; see `Rooms.close`."""
        self._order("close", room, reason=reason)

    def _order(self, what: str, room: Room, player: str = "", reason: str = "") -> None:
        """Let the owner of a room carry out an order, now or when it can be reached again."""
        phrase = Sentence(reason).phrase
        item = Order(next(self._numbers), what, room.id, player, reason, phrase)
        if all(waiting[1:] != item[1:] for waiting in self.orders.values()):
            self.orders[item.number] = item
            owner = self._logs.owner(item.room)
            if owner is not None:
                self._send(owner, pack(item))

    def repeat(self, log: str) -> None:
        """Send the orders for the rooms of a log again, because they may be lost."""
        for item in self.orders.values():
            owner = self._logs.owner(item.room)
            if owner is not None and log_of_room(item.room) == log:
                self._send(owner, pack(item))

    def obeyed(self, number: int) -> None:
        """Forget an order that is carried out, or that failed; the caller may repeat it."""
        self.orders.pop(number, None)

    # -- storing -------------------------------------------------------------------------------

    def is_stored(self, room: Room) -> bool:
        """Return whether a room is stored and no order waits for it."""
        waits = any(item.room == room.id for item in self.orders.values())
        return not waits and room.id not in self.openings

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued at any node is stored; see `Rooms.settled`.

        Raises:
            StoreError: it could not be stored, or not in time.
        """
        await self._committer.settled(games=games)
        try:
            async with asyncio.timeout(SETTLE_S):
                while True:
                    await self._logs.known()
                    seen = self._logs.changes
                    stored = await self._ask_all(games)
                    if False in stored:
                        raise StoreError(
                            "A node could not store the requests before this one; try again."
                        )
                    # When a node is lost, its logs get a new owner, which must be asked too.
                    if None not in stored and seen == self._logs.changes:
                        return
                    await asyncio.sleep(RETRY_S)
        except TimeoutError:
            raise StoreError("A node of the cluster does not answer; try again later.") from None

    async def _ask_all(self, games: bool) -> list[bool | None]:
        asked: dict[int, asyncio.Future[bool | None]] = {}
        try:
            for run in sorted(self._logs.owners):
                number = next(self._numbers)
                asked[number] = asyncio.get_running_loop().create_future()
                self._waiting[number] = run, asked[number]
                if not self._send(run, pack(Settle(number, games))):
                    asked[number].set_result(None)
            return await asyncio.gather(*asked.values())
        finally:
            for number in asked:
                self._waiting.pop(number, None)

    def reply(self, run: str, item: Settled) -> None:
        """Note the reply of a node."""
        asked, future = self._waiting.get(item.number, ("", None))
        if future is not None and asked == run and not future.done():
            future.set_result(item.stored)

    def reset(self, run: str) -> None:
        """Note that a node cannot be reached any more."""
        for asked, future in self._waiting.values():
            if asked == run and not future.done():
                future.set_result(None)

    def finish_soon(self) -> None:
        """Store all finished games in the next commit of each node."""
        self._committer.games_due()
        for run in self._logs.owners:
            self._send(run, pack(Finish()))
