"""The leader of a cluster: an `Authority` whose rooms other nodes run.

Theory of operation
-------------------
`Leader` joins the parts of this folder. It is made before the authority, which lets it make them::

    leader = Leader(token, send, clients, store, entries, times, now, may_show)
    authority = Authority(..., elsewhere=leader)

`RunningLeader` calls `owners_changed` with the owners of all logs but the leader's, and `linked`
and `reset` for each link. The node passes the items that arrive to `handlers`. `open` waits until
the rooms of all logs are known, and then loads what must be read after them. Before that the leader
must handle no requests, and nobody may call `Authority.tick` or `sweep`. `offers.clean` deletes old
entries of its log; it is called from time to time.

The leader never speaks to an owner about clients. When a room is to be shown, it tells the node
that holds the connection, which asks the owner.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a room opens         `Lobby` -> `FarRooms.prefix`, `FarRooms.open` -> `Openings`; then `Reports`
                     when the owner has stored it
an event of a room   `Reports` -> `server/core/cards.py`, `RoomSubscribers`
a node dies          `Leader.reset`, `Leader.owners_changed` -> `LeaderLogs` asks the next owner,
                     which reports -> `Reports` -> `LogReader` reads what was missed
the leader moves     `Leader.linked` -> the same for every log -> `Leader.open`
a room sleeps        `Reports` forgets it; its players count it (`RoomIndex.sleeping`)
===================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping

from doublecross.server.cluster.items import Handlers, Send
from doublecross.server.cluster.leader.logs import LeaderLogs
from doublecross.server.cluster.leader.missed import MissedGames, SleepingCounts
from doublecross.server.cluster.leader.offers import StoredOffers
from doublecross.server.cluster.leader.reading import LogReader
from doublecross.server.cluster.leader.reports import Reports
from doublecross.server.cluster.leader.rooms import Clients, FarRooms
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.storage import JournalEntry, Store
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.sessions import Sessions


class Leader:
    """Join the parts of the leader; see the module's docstring.

    `token` is the fencing token of the leader's log. `send` sends an item to a run, the own one
    included. `entries` yields the stored entries of a log.
    `may_show` returns whether the lease of this node holds.

    `doublecross.server.shell.authority.Elsewhere` documents the methods that an authority calls.
    """

    def __init__(
        self,
        token: int,
        send: Send,
        clients: Clients,
        store: Store,
        entries: Callable[[str], AsyncIterator[JournalEntry]],
        times: RoomTimes,
        now: Callable[[], int],
        may_show: Callable[[], bool],
    ) -> None:
        self.logs = LeaderLogs(token, send)
        self._clients = clients
        self._store = store
        self._reader = LogReader(store, entries, times, now)
        self._times = times
        self._now = now
        self.may_show = may_show

    def make_rooms(
        self,
        index: RoomIndex,
        committer: Committer,
        sessions: Sessions,
        subscribers: RoomSubscriber,
        allows_phrases: Callable[[str], bool],
    ) -> FarRooms:
        """Make the rooms of an authority, which their owners run."""
        self._index = index
        self.rooms = rooms = FarRooms(
            index,
            self.logs,
            committer,
            allows_phrases,
            sessions,
            self._clients,
            self._times,
            self._now,
        )
        self.missed = MissedGames(
            self._store, lambda: rooms.settled(games=True), subscribers.match_found
        )
        self.reports = Reports(
            index,
            self.logs,
            rooms,
            self._reader,
            subscribers,
            self.missed.read,
            lambda origin: self.offers.accepted(origin),
        )
        self.sleeping = SleepingCounts(self._store.sleeping, index)
        self.reports.on_read = self.sleeping.count
        return rooms

    def make_offer_log(self, committer: Committer) -> StoredOffers:
        """Make the object that stores the offers of an authority."""
        self.offers = StoredOffers(committer)
        return self.offers

    @property
    def handlers(self) -> Handlers:
        """The handlers of items from owners of logs."""
        return self.reports.handlers

    def owners_changed(self, owners: Mapping[str, str | None]) -> None:
        """Note which run owns each log, except the leader's; None: the log has no owner now."""
        self._index.nodes = max(1, len({run for run in owners.values() if run is not None}))
        self.reports.vanish_all(self.logs.owners_changed(owners))

    def linked(self, run: str) -> None:
        """Note that a run can be reached."""
        self.logs.linked(run)

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken: what was sent before may be lost."""
        self.logs.reset(run)
        self.rooms.reset(run)

    async def open(self, authority: Authority, entries: AsyncIterator[JournalEntry]) -> None:
        """Wait until all rooms are known, then load offers, ratings and tournaments.

        `entries` are those of the leader's log. The owners of offers have the grace period to
        connect again.

        Raises:
            StoreError: the database fails, or a node does not answer.
        """
        offers = await self.offers.load(entries)
        await self.logs.known()
        self._reopen(authority, offers)
        # Matches that have ended without a report are among the stored games from here on.
        await self.rooms.settled(games=True)
        async for played in self._store.rated_games():
            authority.ratings.add(played)
        self.reports.on_turn = authority.rooms.turns.tell
        self.reports.open()
        await authority.director.load()

        def read() -> None:
            self.sleeping.count()
            # A room that slept may have come back and ended without a report.
            authority.director.reload_by_days()

        self.reports.on_read = read
        self.rooms.tell_phrases(list(authority.lobby.rooms.values()))

    def _reopen(self, authority: Authority, offers: list[Offer]) -> None:
        """Open offers again, except those that have led to a room."""
        lobby, now = authority.lobby, self._now()
        accepted = {room.terms.origin for room in lobby.rooms.values()}
        for offer in offers:
            if offer.offer_id in accepted:
                self.offers.accepted(offer.offer_id)
            else:
                lobby.reopen(offer, now)
                authority.lobby_feed.seek_changed(offer, True)

    async def close(self) -> None:
        """End the tasks of the leader."""
        await self.reports.close()
        await self.missed.close()
        await self.sleeping.close()
