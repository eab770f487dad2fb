"""Run the leader while this node owns its log: an `Authority` whose rooms other nodes run.

Theory of operation
-------------------
`RunningLeader` joins the parts of this folder, which the authority lets it make (`Elsewhere`).
The node calls `owners_changed` with the owners of all logs but the leader's, and `logs.ask` and
`reset` for each link, and passes the items that arrive to `handlers`. `start` waits until the rooms
of all logs are known, and then loads what must be read after them. Before that the leader must
handle no requests, and nobody may call `Authority.tick` or `sweep`.

The leader never speaks to an owner about clients. When a room is to be shown, it tells the node
that holds the connection, which asks the owner.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a room opens         `Lobby` -> `FarRooms.prefix`, `FarRooms.open` -> `Openings`; then `Reports`
                     when the owner has stored it
an event of a room   `Reports` -> `server/core/cards.py`, `RoomSubscribers`
a node dies          `reset`, `owners_changed` -> `LeaderLogs` asks the next owner,
                     which reports -> `Reports` -> `LogReader` reads what was missed
the leader moves     `start` -> the same for every log
a room sleeps        `Reports` forgets it; its players count it (`RoomIndex.sleeping`)
===================  ===========================================================================
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Final

import structlog

from doublecross.server.cluster.far_clients.far_websocket import FarClients
from doublecross.server.cluster.leader.connections import LeaderConnections
from doublecross.server.cluster.leader.logs import LeaderLogs
from doublecross.server.cluster.leader.missed import MissedGames, SleepingCounts
from doublecross.server.cluster.leader.offers import StoredOffers
from doublecross.server.cluster.leader.reading import LogReader
from doublecross.server.cluster.leader.reports import Reports
from doublecross.server.cluster.leader.rooms import FarRooms
from doublecross.server.cluster.leader.state import LeaderState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.storage import JournalEntry
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import LOOK_VERSION, look_of
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.periodic import every, repeat

TICK_S: Final = 0.05
"""Seconds between two checks for what is due in tournaments."""
SWEEP_S: Final = 0.25
"""Seconds between two checks for expired offers and changes of the lobby."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of entries that no open offer needs."""
TOKENS_S: Final = 30.0
"""Seconds between two checks for connections whose tokens have ended."""
SESSION_BITS: Final = 32
"""How many bits of a session's number count the logins of one leader.

The bits above are the fencing token of the leader, so a later leader has larger numbers.
"""

_log = structlog.get_logger("cluster")


class RunningLeader:
    """Be the leader until its log is lost or given up.

    `state` is the state of the former leader, which this node has kept.

    `doublecross.server.shell.authority.Elsewhere` documents the methods that an authority calls.
    """

    def __init__(
        self,
        parts: NodeParts,
        own: OwnedLog,
        advice: AdviceService,
        state: LeaderState,
        last_entry_id: int,
    ) -> None:
        self.token = own.claim.token
        self._own = own
        self._state = state
        config, time = parts.config, parts.time
        self._times, self._now = config.times, time.now
        self.may_show = parts.may_show
        self.logs = LeaderLogs(self.token, parts.network.later)
        self.logs.used = parts.used_logs
        # For reading, no claim has to hold.
        self._reader = LogReader(
            own.store, lambda log: parts.store_of(Claim(log, 0)).journal(), config.times, time.now
        )
        self.authority = Authority(
            own.store,
            parts.rng,
            config,
            time,
            last_entry_id,
            advice,
            parts.reviewer(),
            self,
        )
        self.connections = LeaderConnections(
            self.authority,
            FarClients(parts.network.later, asyncio.get_running_loop().call_soon),
            self.token << SESSION_BITS,
            parts.patience,
        )
        self.authority.accounts.on_rights = self.connections.rights_changed
        self.is_open = False

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
            self._times,
            self._now,
        )
        self.missed = MissedGames(
            self._own.store, lambda: rooms.settled(games=True), subscribers.match_found
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
        self.handlers = self.reports.handlers
        self.sleeping = SleepingCounts(self._own.store.sleeping, index)
        self.reports.on_read = self.sleeping.count
        return rooms

    def make_offer_log(self, committer: Committer) -> StoredOffers:
        """Make the object that stores the offers of an authority."""
        self.offers = StoredOffers(committer)
        return self.offers

    def owners_changed(self, owners: Mapping[str, str | None]) -> None:
        """Note which run owns each log, except the leader's; None: the log has no owner now."""
        self._index.nodes = max(1, len({run for run in owners.values() if run is not None}))
        self.reports.vanish_all(self.logs.owners_changed(owners))

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken: what was sent before may be lost."""
        self.connections.link_broke(run)
        self.logs.reset(run)
        self.rooms.reset(run)

    async def start(self, owners: Callable[[], Mapping[str, str | None]]) -> None:
        """Wait until all rooms are known, and serve clients from then on.

        `owners` returns the run that owns each log, or None for one without an owner that lives.

        Raises:
            StoreError: the database fails, or a node does not answer.
        """
        own = self._own
        own.commit(self.authority.committer)
        await own.store.complete_looks(LOOK_VERSION, look_of)
        await self.authority.accounts.load()
        await self.authority.turn_messages.load()
        self.authority.announcements.kept = self._state.announcement
        self.authority.drain(self._state.draining)
        self.owners_changed(owners())
        await self._open(own.store.journal())
        own.keep(
            partial(every, TICK_S, self.authority.tick),
            partial(every, SWEEP_S, self.authority.sweep),
            partial(repeat, TOKENS_S, self.authority.accounts.sweep),
            partial(repeat, CLEAN_S, self.offers.clean),
        )
        self.is_open = True
        _log.info("leader_open", rooms=len(self.authority.lobby.rooms))

    async def _open(self, entries: AsyncIterator[JournalEntry]) -> None:
        """Wait until all rooms are known, then load offers, ratings and tournaments.

        `entries` are those of the leader's log. The owners of offers have the grace period to
        connect again.
        """
        authority = self.authority
        offers = await self.offers.load(entries)
        await self.logs.known()
        self._reopen(offers)
        # Matches that have ended without a report are among the stored games from here on.
        await self.rooms.settled(games=True)
        async for played in self._own.store.rated_games():
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

    def _reopen(self, offers: list[Offer]) -> None:
        """Open offers again, except those that have led to a room."""
        lobby, now = self.authority.lobby, self._now()
        accepted = {room.terms.origin for room in lobby.rooms.values()}
        for offer in offers:
            if offer.offer_id in accepted:
                self.offers.accepted(offer.offer_id)
            else:
                lobby.reopen(offer, now)
                self.authority.lobby_feed.seek_changed(offer, True)

    def stop(self) -> None:
        """Stop being the leader at once: nobody gets an answer."""
        self.is_open = False
        self._own.stop()

    async def close(self) -> None:
        """Free what the leader still holds."""
        self.stop()
        await self.reports.close()
        await self.missed.close()
        await self.sleeping.close()
        await self.authority.end()

    async def settle(self) -> None:
        """Begin nothing new, and store everything that waits."""
        self.authority.close()
        await self._own.settle()
        await self.close()
