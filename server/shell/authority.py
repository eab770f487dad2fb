"""The authority: rooms, peers and the committer put together; what every handler works with.

Nothing here waits for the network or the disk. Where to look for what:

=============  ===============================================================================
a move         `handlers.move` -> `Room.move` -> `RoomPublisher.publish` -> `Committer` ->
               `EventDelivery` -> `Channel.release`
a reconnect    `hello` -> `Authority.arrive` -> `handlers.resume` -> `RoomFollowing.show`
a failed       `Committer` -> `RoomRegistry.rebuild`, then `Director.lost` for games of
commit         tournaments that are gone
a restart      `journal/recovery.py` -> `RoomRegistry.adopt`, then `Director.load`
a game's end   `RoomPublisher.released` -> ratings, `Director.over`
=============  ===============================================================================

Whatever shows a room to a peer goes through `answers.after_commit` or the publisher, so that
nothing is shown that is not stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.limits import ServerLimits
from server.core.lobby.lobby import Lobby
from server.core.rating_book import RatingBook
from server.core.storage import Store
from server.core.terms import RoomTimes
from server.shell.journal.committer import Committer
from server.shell.lobby_feed import LobbyFeed
from server.shell.offers import OfferOutcomes
from server.shell.peer import Peer
from server.shell.peers import ConnectedPeers
from server.shell.rooms.live import LiveRooms
from server.shell.tournaments.host import TournamentHost
from server.tournaments.director import Director
from server.tournaments.registry import TournamentRegistry


@dataclass(frozen=True, slots=True)
class AuthorityConfig:
    """What does not change while a server runs.

    `epoch` differs after every start. `admins` are names of players who may run everybody's
    tournaments. A player of a tournament may be away for `absence_ms` when only such players are
    waited for.
    """

    times: RoomTimes
    limits: ServerLimits
    epoch: str
    admins: frozenset[str] = frozenset()
    absence_ms: int = 600_000


class Authority:
    """Put the parts of a server together, and tell those whom it concerns when a player comes or
    goes, when a commit fails and when time passes. `now` gives milliseconds since 1970 and never
    goes back."""

    def __init__(
        self,
        store: Store,
        rng: Random,
        config: AuthorityConfig,
        now: Callable[[], int],
        last_entry_id: int = 0,
    ) -> None:
        self.store = store
        self.config = config
        self.now = now
        self.closing = False
        self.ratings = RatingBook()
        self.lobby = Lobby(rng, config.times, config.limits)
        self.committer = Committer(
            store,
            last_entry_id,
            now,
            lambda entry_id, room_ids: self.rooms.registry.stored(entry_id, room_ids),
            self._commit_failed,
        )
        self.peers = ConnectedPeers(self.committer)
        tournaments = TournamentRegistry()
        self.lobby_feed = LobbyFeed(
            self.lobby, self.committer, self.ratings, tournaments.newest, tournaments.line
        )
        self.rooms = LiveRooms(
            self.lobby,
            store,
            self.committer,
            self.peers.by_name,
            self.lobby_feed,
            self.ratings,
            config.times,
            now,
            lambda room: self.director.over(room),
        )
        self.offers = OfferOutcomes(
            self.lobby, self.lobby_feed, self.committer, self.peers, self.rooms.opener, now
        )
        host = TournamentHost(
            self.lobby, self.committer, self.peers, self.rooms, self.lobby_feed, config.limits, now
        )
        self.director = Director(
            host, store, tournaments, rng, admins=config.admins, absence_ms=config.absence_ms
        )

    def _commit_failed(self, room_ids: set[str]) -> None:
        """Put these rooms back to their last stored event."""
        for tag in self.rooms.registry.rebuild(room_ids):
            self.director.lost(tag)

    def arrive(self, peer: Peer, player: PlayerInfo) -> Peer | None:
        """Take in `peer`, who has said hello as `player`; return the connection that it
        replaces."""
        old = self.peers.by_name.get(player.name)
        if old is not None:
            old.replaced = old.deaf = True
            self.depart(old)
        peer.player = player
        self.peers.by_name[player.name] = peer
        self.lobby.arrive(player)
        self.lobby_feed.player(player.name, player)
        self.director.presence.arrived(player.name)
        return old

    def depart(self, peer: Peer) -> None:
        """Let go of a peer whose connection is gone."""
        for room_id in list(peer.followed):
            self.rooms.following.unfollow(peer, room_id)
        self.lobby_feed.follow(peer, False)
        if self.peers.by_name.get(peer.name) is peer:
            del self.peers.by_name[peer.name]
            self.lobby.depart(peer.name, self.now())
            self.lobby_feed.player(peer.name, None)
            self.director.presence.refresh(peer.name)

    def tick(self) -> None:
        """Carry out what is due in rooms (flags, rooms that nobody comes back to) and in
        tournaments."""
        now = self.now()
        self.director.tick(now)
        self.rooms.registry.scheduler.tick(now, self.rooms.publisher.publish)

    def sweep(self) -> None:
        """Send what may wait for a moment: offers that end, the lobby's changes, presence."""
        self.offers.expire()
        self.lobby_feed.flush()
        self.rooms.following.send_due_presence()

    def close(self) -> None:
        """Take no more requests that change something, and begin no more games."""
        self.closing = True
        self.director.closing = True

    def check_open(self) -> None:
        """Check that the server takes requests that change something.

        Raises:
            Refused: it is going down, or its storage is far behind.
        """
        if self.closing:
            raise Refused(ErrorCode.CLOSING, "The server is going down; come back in a moment.")
        if self.committer.full:
            raise Refused(ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again.")
