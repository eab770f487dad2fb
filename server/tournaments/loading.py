"""Reads tournaments from the storage: when the server starts, and when a commit has failed.

Theory of operation
-------------------
Results live in finished games and nowhere else: a game's tag, in the first event of its room and
in its row, says which game of which tournament it is. After a restart a tournament is built again
from its rows, the finished games with its tags, and the tags of the rooms that go on. When a commit
fails, the same is done at once, as nobody knows what was stored; until then it is *stale*, and
nothing is begun or changed in it.

While that is read the rooms go on. What ends before is among the rows that are read, because those
are stored first; what ends meanwhile is kept beside (`_reading`); every other room with a game of
the tournament is one whose end is still to come, and its game is live.

A tournament whose rows make no sense is left alone, and everybody who asks for it is refused; the
others go on.
"""

from __future__ import annotations

from typing import Final

import structlog

from protocol.common import TournamentTerms as WireTerms
from server.background import BackgroundTasks
from server.core.storage import Store, StoreError, TournamentRow
from server.tournaments.core.rows import GameOutcome, Tag
from server.tournaments.core.settlement import RowChanges
from server.tournaments.core.tournament import Tournament
from server.tournaments.host import RoomHost
from server.tournaments.messages import built, outcome_of, read_tournament, tag_of
from server.tournaments.presence import EntrantPresence
from server.tournaments.registry import TournamentRegistry
from server.tournaments.running import RunningTournament
from server.tournaments.wakeups import WakeUps
from server.tournaments.writing import TournamentWriter

RETRY_MS: Final = 1000
"""How long after a failure of the storage a tournament is read again, in milliseconds."""

_log = structlog.get_logger("tournaments")


class TournamentLoader:
    """Build running tournaments from what is stored. See the module's docstring."""

    def __init__(
        self,
        host: RoomHost,
        store: Store,
        registry: TournamentRegistry,
        writer: TournamentWriter,
        presence: EntrantPresence,
        wakeups: WakeUps,
    ) -> None:
        self._host = host
        self._store = store
        self._registry = registry
        self._writer = writer
        self._presence = presence
        self._wakeups = wakeups
        self._reading: dict[str, list[GameOutcome]] = {}
        """Tournaments that are being read, and which of their games have ended meanwhile."""
        self._retry: dict[str, int] = {}
        """When to read a tournament again."""
        self._failed_ms: dict[str, int] = {}
        """When a tournament was last to be read again."""
        self._tasks = BackgroundTasks()

    async def load(self) -> None:
        """Load all tournaments that have not ended, or that still have games; the rooms are there
        already.

        Raises:
            StoreError: the database fails.
        """
        await self._host.settled()
        tags = (room.terms.tag for room in self._host.games())
        live = {tag.tournament for tag in tags if tag is not None}
        for row in await self._store.tournaments():
            if row.status in ("open", "running") or row.tournament_id in live:
                await self._load_one(row.tournament_id)

    async def close(self) -> None:
        """End what still reads the storage."""
        await self._tasks.close()

    def note_end(self, outcome: GameOutcome) -> None:
        """Keep the end of a game for its tournament, if that is being read."""
        ended = self._reading.get(outcome.tag.tournament)
        if ended is not None:
            ended.append(outcome)

    def reload(self, running: RunningTournament) -> None:
        """Build a tournament again from what is stored, because a commit has failed; after a
        while, if that was tried just now."""
        if running.stale:
            return
        running.stale = True
        now = self._host.now()
        last = self._failed_ms.get(running.id)
        self._failed_ms[running.id] = now
        if last is None or now - last >= RETRY_MS:
            self._tasks.start(self._load_again(running.id))
        else:
            self._retry[running.id] = now + RETRY_MS

    def tick(self, now: int) -> None:
        """Read again what is due at `now`."""
        for tournament_id in [i for i, due in self._retry.items() if due <= now]:
            del self._retry[tournament_id]
            self._tasks.start(self._load_again(tournament_id))

    async def _load_again(self, tournament_id: str) -> None:
        try:
            await self._load_one(tournament_id)
        except StoreError as error:
            _log.error("tournament_not_read", tournament=tournament_id, reason=str(error))
            self._retry[tournament_id] = self._host.now() + RETRY_MS

    async def _load_one(self, tournament_id: str) -> None:
        """Build a tournament from what is stored, in place of the one that runs.

        Raises:
            StoreError: the database fails.
        """
        before = self._registry.running.get(tournament_id)
        ended = self._reading[tournament_id] = []
        try:
            await self._host.settled()
            found = await read_tournament(self._store, tournament_id)
            self._writer.forget(tournament_id)
            if found is not None:
                outcomes = [*map(outcome_of, found.games), *ended]
                known = {outcome.tag for outcome in outcomes}
                live = self._live(tournament_id) - known
                made = built(found, outcomes, live)
                self._registry.unreadable.discard(tournament_id)
                self._go_on(found.row, *made, before)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the server goes on
            _log.exception("tournament_unreadable", tournament=tournament_id)
            self._writer.forget(tournament_id)
            self._registry.unreadable.add(tournament_id)
        finally:
            del self._reading[tournament_id]
        if before is not None:
            for name in before.numbers:  # in others it may have time now
                self._presence.refresh(name)

    def _live(self, tournament_id: str) -> set[Tag]:
        """Return the tags of its games that have rooms."""
        return {
            tag_of(room.terms.tag)
            for room in self._host.games()
            if room.terms.tag is not None
            and room.terms.tag.tournament == tournament_id
            and room.match is not None
        }

    def _go_on(
        self,
        row: TournamentRow,
        wire: WireTerms,
        core: Tournament,
        changes: RowChanges,
        before: RunningTournament | None,
    ) -> None:
        """Run a tournament that was read, in place of `before`."""
        running = self._registry.add(row, wire, core)
        if before is not None:
            running.gone = {n: since for n, since in before.gone.items() if n < len(core.entrants)}
        self._writer.show(running)
        self._writer.store(running, changes)
        for name in running.numbers:
            self._presence.refresh(name)
        self._wakeups.wake(running.id)
        if before is not None:
            # What was sent, or was to be sent, before the storage failed may be wrong.
            self._writer.tell(running, {row.owner, *running.numbers})
        self._writer.release(running)
