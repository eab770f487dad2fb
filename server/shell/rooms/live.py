"""The part of a server that runs rooms: all that a request about a room needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doublecross.protocol.common import PlayerInfo
from doublecross.server.core import commands
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.analysis.evaluating import Evaluations
from doublecross.server.shell.answers import Availability
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import RoomFollowing
from doublecross.server.shell.rooms.opening import RoomOpener
from doublecross.server.shell.rooms.phrase_limits import PhraseLimits
from doublecross.server.shell.rooms.publisher import RoomPublisher
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.rooms.sleeping import SleepingRooms
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.rooms.turns import TurnNotices
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.service_time import TimeSource


class LiveRooms:
    """Build the parts that run rooms, and implement `Rooms` with them.

    Requests about rooms use the parts directly: `publisher` handles a move, `following` a peer that
    reconnects, `opener` a new room, and `registry.rebuild` a failed commit. `index` has all rooms,
    `sessions` the connected players. `subscribers` hears what happens in rooms.
    `allows_phrases` returns whether the players of a tournament may say phrases to each other.
    """

    def __init__(
        self,
        index: RoomIndex,
        committer: Committer,
        sessions: Sessions,
        subscribers: RoomSubscriber,
        allows_phrases: Callable[[str], bool],
        advice: AdviceService,
        times: RoomTimes,
        time: TimeSource,
    ) -> None:
        self.index = index
        self.committer = committer
        self.subscribers = subscribers
        self.allows_phrases = allows_phrases
        self.availability = Availability(committer)
        self.advice = advice
        self.evaluations = Evaluations(advice)
        self.limits = index.limits
        self.now = now = time.now
        self.phrases = PhraseLimits()
        self.registry = RoomRegistry(index, committer, times, now)
        self.following = RoomFollowing(
            self.registry, committer, sessions, now, subscribers.player_left
        )
        self.publisher = RoomPublisher(
            self.registry, committer, subscribers, time, self.following.first_move_awaited
        )
        self.turns = TurnNotices(sessions, committer, now)
        self.publisher.on_turn = self.turns.came
        self.sleeping = SleepingRooms(
            committer.store.sleeping, committer, self.registry, index, times, time
        )
        self.sessions = sessions
        self.opener = RoomOpener(
            index, self.registry, self.publisher, self.following, sessions, times, now
        )

    # -- what the rest of the server does with rooms; `Rooms` documents it ------------------------

    def prefix(self, players: Sequence[str]) -> str:
        """Return nothing: the ids of the rooms of a single server begin with anything."""
        return ""

    def open(
        self,
        room: Room,
        events: list[Event],
        asked: Sequence[tuple[Peer, int]],
        undo: Callable[[], None] | None = None,
    ) -> None:
        """Open a room that is in the index already; `undo` is called if it cannot be stored."""
        self.opener.open(room, events, asked)
        # Right behind the events of the room, so it fails in the same batch.
        if undo is not None:
            self.committer.after(lambda: None, undo)

    def open_with(
        self, terms: RoomTerms, players: tuple[PlayerInfo, PlayerInfo], undo: Callable[[], None]
    ) -> None:
        """Open a room for two players; `undo` is called if it cannot be stored."""
        self.opener.open_with(terms, players)
        self.committer.after(lambda: None, undo)

    def show(self, peer: Peer, room: Room, request_id: int, *, origin: str | None = None) -> None:
        """Let a peer follow a room, as the answer to its request."""
        self.following.show(peer, room, request_id, origin=origin, charge=True)

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """Let a player lose the match in play."""
        self.publisher.publish(room, commands.forfeit(room, player, reason, self.now()))

    def close(self, room: Room, reason: str) -> None:
        """Close a room in the name of an admin."""
        self.publisher.publish(room, commands.close_by_admin(room, reason, self.now()))

    def end_rematch(self, room: Room, player: str) -> None:
        """End the rematch that a player offers."""
        self.publisher.publish(room, commands.rematch_elsewhere(room, player))

    def is_stored(self, room: Room) -> bool:
        """Return whether all events of a room are stored."""
        return room.seq <= self.registry.channels[room.id].last_seq

    def depart(self, peer: Peer) -> None:
        """Let a peer follow no room any more."""
        # A copy, because `unfollow` takes the room out.
        for room_id in list(peer.followed):
            self.following.unfollow(peer, room_id)

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued so far is stored."""
        await self.committer.settled(games=games)

    def finish_soon(self) -> None:
        """Store all finished games in the next commit."""
        self.committer.games_due()
