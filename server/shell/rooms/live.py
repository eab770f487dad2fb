"""The part of a server that runs rooms: all that a request about a room needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.core.limits import ServerLimits
from server.core.lobby.room_index import RoomIndex
from server.core.storage import Store
from server.core.terms import RoomTimes
from server.shell.advice.desk import AdviceDesk
from server.shell.doors import Doors
from server.shell.journal.committer import Committer
from server.shell.peer import Peer
from server.shell.phrases.limits import PhraseLimits
from server.shell.rooms.effects import RoomEffects
from server.shell.rooms.following import RoomFollowing
from server.shell.rooms.opening import RoomOpener
from server.shell.rooms.publisher import RoomPublisher
from server.shell.rooms.registry import RoomRegistry


class LiveRooms:
    """Build the parts that run rooms; callers use the parts directly.

    `publisher` handles a move, `following` a peer that reconnects, `opener` a new room, and
    `registry.rebuild` a failed commit. `index` has all rooms, `connected` the connected peers by
    player name. `effects` learns of what happens in rooms.
    """

    def __init__(
        self,
        index: RoomIndex,
        store: Store,
        committer: Committer,
        connected: Mapping[str, Peer],
        effects: RoomEffects,
        doors: Doors,
        advice: AdviceDesk,
        limits: ServerLimits,
        times: RoomTimes,
        now: Callable[[], int],
        date: Callable[[], int],
    ) -> None:
        self.index = index
        self.committer = committer
        self.effects = effects
        self.doors = doors
        self.advice = advice
        self.limits = limits
        self.now = now
        self.phrases = PhraseLimits()
        self.registry = RoomRegistry(index, store, committer, times, now)
        self.publisher = RoomPublisher(self.registry, committer, effects, now, date)
        self.following = RoomFollowing(self.registry, committer, connected, now)
        self.opener = RoomOpener(index, self.registry, self.publisher, self.following, times, now)
