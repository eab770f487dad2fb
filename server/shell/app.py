"""Start and stop the whole server: database, authority, websocket and HTTP in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import structlog
from starlette.types import ASGIApp

from doublecross.server.core.lobby.lobby import ID_LETTERS
from doublecross.server.core.storage import Store, StoreError
from doublecross.server.pictures.service import PictureService
from doublecross.server.shell.analysis.advice import AdviceService, Adviser
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.connection import Connections
from doublecross.server.shell.front import Front
from doublecross.server.shell.identity.names import LOOK_VERSION, look_of
from doublecross.server.shell.identity.rights import token_hash
from doublecross.server.shell.listening import Addresses, StartError
from doublecross.server.shell.metrics.figures import ServerFigures
from doublecross.server.shell.metrics.overview import ServerView
from doublecross.server.shell.rooms.recovery import open_rooms, recover
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep.periodic import every, repeat
from doublecross.server.shell.upkeep.service_time import Dates, ServiceTime, TimeSource
from doublecross.server.shell.web.app import leader_endpoints, make_http, reading_endpoints
from doublecross.server.shell.web.keys import signer_of
from doublecross.server.shell.web.managing.admin import AdminEndpoints
from doublecross.server.shell.web.openapi import described
from doublecross.server.shell.web.pictures import FairPictures
from doublecross.server.shell.web.probes import Probes
from doublecross.server.shell.web.reading import OwnMatches, Reading
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.supervisor import Supervisor

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner

_log = structlog.get_logger("server")

TICK_S: Final = 0.05
"""Seconds between two checks for expired clocks and other deadlines.

A late check favours nobody: a move that arrives after its deadline is judged by the time at which
it arrived.
"""
SWEEP_S: Final = 0.25
"""Seconds between two passes over connections, expired offers and lobby changes."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of journal entries that no room needs."""
CHECK_S: Final = 1.0
"""Seconds between two checks of a storage that fails."""
IDLE_CHECK_S: Final = 30.0
"""Seconds without a commit after which the storage is checked by writing."""
OWNER_CHECK_S: Final = 2.0
"""Seconds without a commit after which the server looks whether another one uses the database.

Each commit finds that out by itself.
"""
TOKENS_S: Final = 30.0
"""Seconds between two looks for connections whose tokens have ended."""
TLS_CHECK_S: Final = 86_400.0
"""Seconds between two looks at when the certificate expires."""
LAST_COMMIT_S: Final = 30.0
"""Seconds that a stopping server waits for its last commit."""
LAST_TASK_S: Final = 10.0
"""Seconds that a stopping server then waits for its connections, and again for its tasks."""
HOPELESS_S: Final = 1.0
"""Seconds that it waits instead while nothing can be stored."""


class DoublecrossServer:
    """Run one server in the current event loop: call `start`, later `stop`.

    A `store` of None opens the database that the settings name. `now` is the time on which clocks
    and deadlines run, in milliseconds since 1970, and never goes back. None uses the service time,
    which stands still while the server is stalled. A `now` also gives the dates, which otherwise
    are those of the system. `adviser` thinks for people who play bots, `reviewer` judges finished
    games, and both end with the server. Whoever has the `host_token` may manage the server over
    HTTP.
    """

    def __init__(
        self,
        settings: ServerSettings,
        store: Store | None = None,
        now: Callable[[], int] | None = None,
        adviser: Adviser | None = None,
        reviewer: Reviewer | None = None,
        host_token: str | None = None,
    ) -> None:
        self.settings = settings
        self._host_hash = None if host_token is None else token_hash(host_token)
        self._adviser = adviser
        self._reviewer = reviewer
        self.service = ServiceTime()
        self._now = now or self.service.now
        self._date = now or Dates()
        self._given_store = store
        self._store: Store | None = None
        self.front: Front
        self._signer: RecordSigner | None = None
        self._pictures = PictureService()
        self.supervisor: Supervisor
        """Runs all tasks that must not end before the server stops."""
        self.figures: ServerFigures
        self.authority: Authority
        self.connections: Connections
        self.addresses: Addresses
        self.name: str | None = None
        """A node of a cluster has a name instead."""
        self.restored = 0
        """The number of unfinished rooms that the server restored when it started."""

    async def start(self) -> Addresses:
        """Open the database, restore the unfinished rooms, and listen.

        Raises:
            StartError: a port is in use, or the database, the page or the certificate cannot be
                used.
        """
        settings = self.settings
        self.front = front = Front(settings)
        self._signer = signer_of(settings.signing_key)
        # Bind the ports first: a server that cannot listen must not touch the database, which
        # another server may be using.
        front.bind()
        try:
            await self._open()
        except StoreError as error:
            front.unbind()
            raise StartError(str(error)) from error
        front.open(self.authority.admission, self.authority.accounts.bans.why_not)
        self.addresses = front.addresses
        await front.serve(self._application(), self.connections, self.supervisor)
        if front.tls is not None:
            self.supervisor.watch("certificate", partial(every, TLS_CHECK_S, front.tls.warn))
        _log.info("started", ws=self.addresses.ws, http=self.addresses.http, rooms=self.restored)
        return self.addresses

    async def _open(self) -> None:
        settings = self.settings
        store = self._given_store
        if store is None:
            store = await SqlStore.open(database_url(settings.database))
        self._store = store
        rng = SystemRandom()
        self.supervisor = Supervisor()
        # Service time stands still without a beat, and what follows reads it.
        self.supervisor.watch("heartbeat", self.service.run)
        try:
            config = AuthorityConfig.of(settings, "".join(rng.choices(ID_LETTERS, k=12)))
            # A newcomer's name is compared with the stored looks, so none may be missing.
            await store.complete_looks(LOOK_VERSION, look_of)
            # Before anything reads the journal: a cluster that used this database has its rooms
            # elsewhere.
            if taken := await store.take_logs(open_rooms):
                _log.info("cluster_taken_over", rooms=taken)
            self.authority = Authority(
                store,
                rng,
                config,
                TimeSource(self._now, self._date, time.monotonic, self.service),
                await store.last_entry_id(),
                AdviceService(
                    self._adviser,
                    most_each=config.addresses.questions,
                    most=config.addresses.all_questions,
                ),
                self._reviewer,
            )
            await self.authority.accounts.load()
            await self.authority.turn_messages.load()
            self.restored = await recover(self.authority.rooms, store, settings.times)
        except StoreError:
            await self._close_store()
            raise
        self.connections = Connections(self.authority, settings.patience, self.front.place)
        self.figures = ServerFigures(
            self.authority,
            # Only the kind of database, because the URL may have a password.
            database_url(settings.database).partition(":")[0].partition("+")[0],
            self.front,
            self.connections,
            self.service,
            self.supervisor,
        )
        watch = self.supervisor.watch
        # The committer must run before the tournaments load, because they wait for commits. If it
        # ends by an error, nobody knows what became of the requests in its hands: no restart.
        watch("committer", self.authority.committer.run, restarts=0)
        watch("clocks", lambda: every(TICK_S, self.authority.tick))
        watch("sweep", lambda: every(SWEEP_S, self._sweep))
        watch("journal", partial(repeat, CLEAN_S, self.authority.rooms.registry.retention.clean))
        watch("storage", self._check_storage)
        watch("tokens", partial(repeat, TOKENS_S, self.authority.accounts.sweep))
        try:
            await self._load(store)
        except StoreError:
            await self._close_store()
            raise

    async def _load(self, store: Store) -> None:
        """Load the tournaments and the ratings.

        Raises:
            StoreError: the database fails, or cannot be written any more.
        """

        async def load() -> None:
            await self.authority.director.load()
            async for played in store.rated_games():
                self.authority.ratings.add(played)

        # The tournaments wait for commits. If the committer gives up, these would never come.
        loading = asyncio.ensure_future(load())
        failed = self.supervisor.failed
        await asyncio.wait((loading, failed), return_when=asyncio.FIRST_COMPLETED)
        if not loading.done():
            loading.cancel()
            raise StoreError(failed.result())
        await loading

    async def _close_store(self) -> None:
        """End all tasks and close the database."""
        self.supervisor.cancel()
        await self.supervisor.close(LAST_TASK_S)
        assert self._store is not None
        await self._store.close()

    def _application(self) -> ASGIApp:
        """Return what answers HTTP requests."""
        front, authority = self.front, self.authority
        reading = Reading(
            authority.store,
            authority.accounts,
            OwnMatches(authority.rooms),
            authority.reviews.find,
            authority.advice,
            authority.admission,
            authority.record_turns,
            front.sources,
            self._signer,
            authority.now,
        )
        pictures = FairPictures(self._pictures, front.sources)
        view = ServerView(self.figures)
        admin = AdminEndpoints(authority, view, front.sources, self._host_hash)
        endpoints = [
            *Probes(self.figures, self.settings.metrics).endpoints(),
            *reading_endpoints(reading, pictures, self._host_hash),
            *leader_endpoints(authority, front, pictures, admin.endpoints()),
        ]
        listing = authority.lobby_feed.listing
        return make_http(described(endpoints), front, authority.admission, lambda: listing.version)

    def _sweep(self) -> None:
        # After a stall, what a peer that seems silent has sent may not be read yet.
        self.connections.sweep(silent=not self.service.is_stalled())
        self.authority.sweep()

    async def _check_storage(self) -> None:
        """Check the storage: by writing while it fails or nobody plays, else by reading."""
        writer = self.authority.committer.writer
        while True:
            await asyncio.sleep(CHECK_S)
            idle_s = time.monotonic() - writer.last_s
            if writer.trouble or idle_s > IDLE_CHECK_S:
                await writer.check()
            elif idle_s > OWNER_CHECK_S:
                await writer.check_owner()

    def reload(self) -> None:
        """Load the certificate and its key again; before the start there is nothing to load."""
        if hasattr(self, "front"):
            self.front.reload()

    async def stop(self) -> None:
        """Stop the server without losing an event.

        Accept nothing new, notify all players, finish the commits, close the connections within
        the grace period, and abort those that are left. While nothing can be stored, do not wait
        for it: nobody has seen what is not stored.
        """
        # Refuse changes first, so that the last commit below really is the last.
        self.authority.close()
        # From now on tasks may end, such as uvicorn's.
        self.supervisor.stopping()
        self.front.close()
        notice = {"type": "closing", "grace_ms": round(self.settings.stop_s * 1000)}
        for peer in self.authority.peers.all:
            peer.send(notice)
        with contextlib.suppress(StoreError, TimeoutError):
            # Whatever waits for this commit must be sent before the connections close.
            async with asyncio.timeout(self._patience(LAST_COMMIT_S)):
                await self.authority.committer.settled()
        await self.connections.close_all(self.settings.stop_s)
        self.front.stop_http()
        await self._pictures.close()
        # `clean` deals with errors of the storage by itself.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience(LAST_TASK_S)):
                # Hellos may wait for commits, and cleaning stores a roster. So the committer still
                # runs.
                await self.connections.all_left()
                await self.authority.rooms.registry.retention.clean()
        await self.authority.rooms.sleeping.close()
        await self.authority.advice.close()
        await self.authority.end()
        await self.authority.committer.close()
        # The committer is not among these: it ends by itself when it has stored everything.
        self.supervisor.cancel(
            "heartbeat", "clocks", "sweep", "journal", "storage", "tokens", "certificate"
        )
        await self.supervisor.close(self._patience(LAST_TASK_S))
        if self._store is not None:
            with contextlib.suppress(StoreError, TimeoutError):
                async with asyncio.timeout(self._patience(LAST_TASK_S)):
                    await self._store.close()
        _log.info("stopped")

    def _patience(self, seconds: float) -> float:
        """Return how long a stopping server waits for something that may need the storage."""
        return seconds if self.figures.can_store() else min(seconds, HOPELESS_S)
