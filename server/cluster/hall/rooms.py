"""Open, show and end rooms for the rest of the hall, by commands to the nodes that run them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import count
from typing import NamedTuple

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.cluster.hall.logs import HallLogs
from doublecross.server.cluster.hall.openings import Opening, Openings
from doublecross.server.cluster.hall.settling import Settling
from doublecross.server.cluster.items import (
    Close,
    Depart,
    EndRematch,
    Forfeit,
    Open,
    PeerCard,
    Phrases,
    Show,
    pack,
)
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import Refused, storage_silent
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.answers import refuse_unstored
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import check_may_follow
from doublecross.server.shell.rooms.opening import room_for_two, shown_to
from doublecross.server.shell.sessions import Sessions


class _Showing(NamedTuple):
    """A request that the owner of a room answers by showing it."""

    run: str
    room: str
    peer: Peer
    request_id: int


class FarRooms:
    """Let other nodes run the rooms.

    `doublecross.server.shell.rooms.api.Rooms` documents each method.

    `index` has the rooms without their moves. `card_of_peer` returns the card of a peer.
    `allows_phrases` returns whether the players of a tournament may say phrases to each other.
    """

    def __init__(
        self,
        index: RoomIndex,
        logs: HallLogs,
        committer: Committer,
        allows_phrases: Callable[[str], bool],
        sessions: Sessions,
        card_of_peer: Callable[[Peer], PeerCard],
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._index = index
        self._logs = logs
        self._send = logs.send
        self._committer = committer
        self._tournament_allows = allows_phrases
        self._sessions = sessions
        self._card_of_peer = card_of_peer
        self._limits = index.limits
        self._times = times
        self._now = now
        self.openings = Openings(index)
        self.settling = Settling(logs, committer)
        self.commands: dict[int, Forfeit | EndRematch | Close] = {}
        """The commands that are not carried out yet, by number."""
        self._numbers = count(1)
        self._showing: dict[int, _Showing] = {}
        self._shown: dict[Peer, set[str]] = {}
        """The nodes that were told of a connection, by its peer."""

    # -- opening and showing rooms -------------------------------------------------------------

    def prefix(self, players: Sequence[str]) -> str:
        """Return the id of a log for a new room, of a node with one of the players if possible."""
        peers = [peer for name in players for peer in self._sessions.of(name)]
        return self._logs.choose([self._card_of_peer(peer).run for peer in peers])

    def open(
        self,
        room: Room,
        events: list[Event],
        asked: Sequence[tuple[Peer, int]],
        undo: Callable[[], None] | None = None,
    ) -> None:
        """Send a new room to the owner of its log; see `Rooms.open`.

        Whatever the hall has queued, such as an offer or the pairing of a tournament, is stored and
        answered before the owner hears of the room.
        """
        opening = Opening(room, shown_to(room, asked, self._sessions), undo)
        self.openings.add(opening)
        self._logs.add(room.id)

        def send() -> None:
            owner = self._logs.owner(room.id)
            # If it cannot be sent, the log shows after the break that the room does not exist.
            if owner is not None and self.openings.get(room.id) is opening:
                phrases = self._allows_phrases(room)
                shown = tuple((self._tell(peer, owner), asked) for peer, asked in opening.players)
                self._send(owner, pack(Open(room.id, tuple(events), shown, phrases)))

        def fail() -> None:
            if self.openings.get(room.id) is opening:
                self._logs.drop(room.id)
                self.openings.fail(room.id, answered=False)

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

    def _tell(self, peer: Peer, run: str) -> PeerCard:
        """Return the card of a peer for this run, and remember that the run has it."""
        self._shown.setdefault(peer, set()).add(run)
        return self._card_of_peer(peer)

    def show(
        self,
        peer: Peer,
        room: Room,
        request_id: int,
        *,
        seq: int | None = None,
        origin: str | None = None,
    ) -> None:
        """Let the owner of a room show it, once it is stored; the owner charges the peer."""
        if self.openings.is_unconfirmed(room.id):
            self.openings.wait(room.id, peer, request_id)
        else:
            self.show_stored(peer, room, request_id, seq, origin)

    def show_stored(
        self,
        peer: Peer,
        room: Room,
        request_id: int | None,
        seq: int | None = None,
        origin: str | None = None,
    ) -> None:
        """Show a room that is stored to a peer.

        Raises:
            Refused: its owner cannot be reached.
        """
        owner = self._logs.owner(room.id)
        if owner is None:
            raise storage_silent()
        number, card = next(self._numbers), self._tell(peer, owner)
        if not self._send(owner, pack(Show(number, room.id, card, request_id, seq, origin))):
            raise storage_silent()
        if request_id is not None:
            self._showing[number] = _Showing(owner, room.id, peer, request_id)
            peer.waiting += 1

    def show_when_stored(self, peer: Peer) -> None:
        """Show a player's rooms as soon as they are stored, if they are not stored yet.

        Their owners show them too, but the node of the player may miss that.
        """
        for room in self._index.seated(peer.name):
            if self.openings.is_unconfirmed(room.id):
                self.openings.wait(room.id, peer, None)

    def shown(self, run: str, number: int) -> None:
        """Note that a node has answered by showing a room."""
        showing = self._showing.get(number)
        if showing is not None and showing.run == run:
            del self._showing[number]
            showing.peer.waiting -= 1

    def abandon(self, logs: Collection[str]) -> None:
        """Refuse the requests that the owners of these logs will not answer any more."""
        for number, (run, room_id, peer, request_id) in list(self._showing.items()):
            if log_of_room(room_id) in logs:
                self.shown(run, number)
                refuse_unstored(peer, request_id)

    def refuse_closed(self, opening: Opening) -> None:
        """Refuse the requests that opened a room, because it is closed already."""
        for peer, request_id in opening.players:
            if request_id is not None:
                code, text = ErrorCode.UNKNOWN_ROOM, "Room {room} was closed."
                peer.refuse(request_id, code, text, opening.room.id)

    def confirm(self, room_id: str) -> None:
        """Note that a new room is stored, and show it for the requests that came late."""
        for peer, request_id in self.openings.confirm(room_id):
            self._show_again(peer, self._index[room_id], request_id)

    def answered(self, room_id: str) -> None:
        """Note that the owner of a room has answered the requests that opened it."""
        self.openings.remove(room_id)

    def answer(self, room_id: str) -> None:
        """Show a room that is stored to its players, although a former owner may have done it.

        Answers to requests that are answered already are dropped where the connections are.
        """
        self.confirm(room_id)
        opening = self.openings.remove(room_id)
        for peer, request_id in () if opening is None else opening.players:
            self._show_again(peer, self._index[room_id], request_id)

    def _show_again(self, peer: Peer, room: Room, request_id: int | None) -> None:
        try:
            self.show_stored(peer, room, request_id, origin=room.terms.origin)
        except Refused as refused:
            if request_id is not None:
                peer.refuse(request_id, refused.code, refused.sentence)

    def check_may_follow(self, peer: Peer, room: str = "") -> None:
        """Check that a peer may follow one more room; see `Rooms.check_may_follow`."""
        check_may_follow(peer, room, self._limits)

    def depart(self, peer: Peer) -> None:
        """Forget a peer whose connection is gone, and tell the nodes that know it."""
        self.openings.depart(peer)
        for number, showing in list(self._showing.items()):
            if showing.peer is peer:
                self.shown(showing.run, number)
        runs = self._shown.pop(peer, None)
        if runs:
            card = self._card_of_peer(peer)
            for run in runs:
                self._send(run, pack(Depart(card.run, card.connection)))

    # -- ending what is played -----------------------------------------------------------------

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """Let the owner of a room end the match in play; see `Rooms.forfeit`."""
        room.seat_or_refuse(player)
        room.match_or_refuse()
        phrase = Sentence(reason).phrase
        self._command(Forfeit(next(self._numbers), room.id, player, reason, phrase))

    def end_rematch(self, room: Room, player: str) -> None:
        """Let the owner of a room end an offer; see `Rooms.end_rematch`."""
        self._command(EndRematch(next(self._numbers), room.id, player))

    def close(self, room: Room, reason: str) -> None:
        """Let the owner of a room close it; see `Rooms.close`."""
        self._command(Close(next(self._numbers), room.id, reason, Sentence(reason).phrase))

    def _command(self, item: Forfeit | EndRematch | Close) -> None:
        """Let the owner of a room carry out a command, now or when it can be reached again."""
        if all(waiting[1:] != item[1:] for waiting in self.commands.values()):
            self.commands[item.number] = item
            owner = self._logs.owner(item.room)
            if owner is not None:
                self._send(owner, pack(item))

    def repeat(self, log: str) -> None:
        """Send the commands for the rooms of a log again, because they may be lost."""
        for item in self.commands.values():
            owner = self._logs.owner(item.room)
            if owner is not None and log_of_room(item.room) == log:
                self._send(owner, pack(item))

    def obeyed(self, number: int) -> None:
        """Forget a command that is carried out, or that failed; the caller may repeat it."""
        self.commands.pop(number, None)

    # -- storing -------------------------------------------------------------------------------

    def is_stored(self, room: Room) -> bool:
        """Return whether a room is stored and no command waits for it."""
        waits = any(item.room == room.id for item in self.commands.values())
        return not waits and not self.openings.is_unconfirmed(room.id)

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued at any node is stored; see `Rooms.settled`."""
        await self.settling.settled(games)

    def finish_soon(self) -> None:
        """Store all finished games in the next commit of each node."""
        self.settling.finish_soon()
