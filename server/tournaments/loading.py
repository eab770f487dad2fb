"""Load tournaments from the storage, when the server starts and after a failed commit.

Theory of operation
-------------------
Results are stored in finished games and nowhere else. The tag of a game, in the first event of its
room and in its row, says which game of which tournament it is. After a restart a tournament is
rebuilt from its rows, from the finished games with its tags, and from the tags of open rooms, of
which those of correspondence games may sleep in the storage. After
a failed commit the same is done at once, because it is uncertain what was stored. Until then the
tournament is *stale*: no game begins and nothing is changed.

Rooms go on while a tournament is being read. A game that ended before the reading is among the rows
that are read, because finished games are stored first. Games that end or whose rooms vanish during
the reading are collected in `_reading`. The game of every other room of the tournament has not
ended, so it is live.

A tournament whose rows cannot be read is not run, and requests about it are refused. The other
tournaments go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from doublecross.protocol.common import PairTag
from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.storage import Store, StoreError, TournamentRow
from doublecross.server.core.tournament_rows import GameOutcome, Tag
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.host import RoomHost
from doublecross.server.tournaments.messages import (
    StoredTournament,
    outcome_of,
    parse_terms,
    read_tournament,
    rebuild,
    tag_of,
)
from doublecross.server.tournaments.presence import EntrantPresence
from doublecross.server.tournaments.registry import TournamentRegistry
from doublecross.server.tournaments.running import RunningTournament
from doublecross.server.tournaments.wakeups import WakeUps
from doublecross.server.tournaments.writing import TournamentWriter

RETRY_MS: Final = 1000
"""The least time between two reloads of a tournament after failures, in milliseconds."""

AFTER_START_MS: Final = 3_600_000
"""No tournament ends for want of players so soon after it was loaded, in milliseconds."""

_log = structlog.get_logger("tournaments")


def _may_sleep(row: TournamentRow) -> bool:
    """Return whether games of a tournament that was ended may go on in rooms that sleep."""
    with suppress(LookupError, TypeError, ValueError):
        return row.status == "cancelled" and parse_terms(row.terms).settings.time.by_days
    return False


@dataclass(slots=True)
class _Reading:
    """The games of a tournament that have ended, or whose rooms vanished, while it is read."""

    ended: list[GameOutcome] = field(default_factory=list)
    lost: set[Tag] = field(default_factory=set)


class TournamentLoader:
    """Build running tournaments from their stored rows, games and open rooms."""

    def __init__(
        self,
        host: RoomHost,
        store: Store,
        registry: TournamentRegistry,
        writer: TournamentWriter,
        presence: EntrantPresence,
        wakeups: WakeUps,
        idle_ms: int,
    ) -> None:
        self._host = host
        self._store = store
        self._registry = registry
        self._writer = writer
        self._presence = presence
        self._wakeups = wakeups
        self._idle_ms = idle_ms
        self._reading: dict[str, _Reading] = {}
        """By tournament that is being read."""
        self._retry: dict[str, int] = {}
        """By tournament, when to read it again, in milliseconds."""
        self._failed_ms: dict[str, int] = {}
        """By tournament, when its last reload was requested, in milliseconds."""
        self._tasks = BackgroundTasks()

    async def load(self) -> None:
        """Load all tournaments that have not ended, or that still have rooms.

        The rooms must be restored already.

        Raises:
            StoreError: the database fails.
        """
        # Finished games must be stored before they are read.
        await self._host.settled()
        tags = (room.terms.tag for room in self._host.games())
        live = {tag.tournament for tag in tags if tag is not None}
        for row in await self._store.tournaments():
            if row.status in ("open", "running") or row.tournament_id in live or _may_sleep(row):
                await self._load_one(row.tournament_id)

    async def close(self) -> None:
        """Cancel the tasks that still read the storage."""
        await self._tasks.close()

    def note_end(self, outcome: GameOutcome) -> None:
        """Keep the outcome of a game whose tournament is being read."""
        reading = self._reading.get(outcome.tag.tournament)
        if reading is not None:
            reading.ended.append(outcome)

    def note_lost(self, tag: PairTag) -> None:
        """Note that the room of a game vanished, if its tournament is being read."""
        reading = self._reading.get(tag.tournament)
        if reading is not None:
            reading.lost.add(tag_of(tag))

    def reload(self, running: RunningTournament) -> None:
        """Rebuild a tournament from the storage, because a commit or a game has failed.

        If it was rebuilt less than `RETRY_MS` ago, wait for that long first.
        """
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
        """Read the tournaments again that are due at `now`."""
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
        """Rebuild a tournament from the storage, in place of the one that runs.

        Raises:
            StoreError: the database fails.
        """
        before = self._registry.running.get(tournament_id)
        # Before the first await, so that no outcome is lost.
        reading = self._reading[tournament_id] = _Reading()
        try:
            await self._host.settled()
            found = await read_tournament(self._store, tournament_id)
            if found is None:
                self._writer.forget(tournament_id)
            else:
                in_rooms = await self._in_rooms(found)
                outcomes = [*map(outcome_of, found.games), *reading.ended]
                known = {outcome.tag for outcome in outcomes}
                # The room of a game that has ended may still be open.
                live = in_rooms - known
                # Use a thread, because thousands of games would block the event loop for too long.
                made = await asyncio.to_thread(rebuild, found, outcomes, live)
                self._registry.unreadable.discard(tournament_id)
                last_ms = max((outcome.finished_ms for outcome in outcomes), default=0)
                self._go_on(found.row, *made, before, last_ms)
                self._record(tournament_id, reading.ended, known)
                self._withdraw(tournament_id, live & reading.lost)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one unreadable tournament must not stop the server
            _log.exception("tournament_unreadable", tournament=tournament_id)
            self._writer.forget(tournament_id)
            self._registry.unreadable.add(tournament_id)
        finally:
            del self._reading[tournament_id]
        if before is not None:
            # Players of a tournament that does not go on may have slots in others now.
            for name in before.numbers:
                self._presence.refresh(name)

    def _record(
        self, tournament_id: str, ended: Sequence[GameOutcome], known: Collection[Tag]
    ) -> None:
        """Record the games that ended while the tournament was being rebuilt."""
        for outcome in ended:
            running = self._registry.running.get(tournament_id)
            if running is not None and outcome.tag not in known:
                self._writer.store(running, running.core.record(outcome))
                self._writer.release(running)

    def _withdraw(self, tournament_id: str, lost: Collection[Tag]) -> None:
        """Withdraw the games whose rooms vanished while the tournament was being rebuilt."""
        running = self._registry.running.get(tournament_id)
        if running is not None:
            for tag in lost:
                self._writer.store(running, running.core.withdraw(tag))

    async def _in_rooms(self, found: StoredTournament) -> set[Tag]:
        """Return the tags of the tournament's games that have rooms, also those that sleep."""
        tournament_id = found.row.tournament_id
        here = self._live(tournament_id)
        if not parse_terms(found.row.terms).settings.time.by_days:
            return here
        players = {entrant.name for entrant in found.entrants}
        asleep = await self._host.asleep(tournament_id, players)
        # A room may have gone to sleep during the reading, or come back.
        return here | {tag_of(tag) for _, tag in asleep} | self._live(tournament_id)

    def _live(self, tournament_id: str) -> set[Tag]:
        """Return the tags of the tournament's games that have rooms in memory."""
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
        last_ms: int,
    ) -> None:
        """Run a tournament that was read, in place of `before`.

        `last_ms` is the date at which its last game ended.
        """
        self._writer.forget(row.tournament_id)
        running = self._registry.add(row, wire, core)
        joined = (entrant.joined_ms for entrant in core.entrants)
        stored_ms = max(last_ms, row.created_ms, row.started_ms or 0, *joined)
        # The time in which the server did not run is nobody's fault. A date can be later than the
        # time for deadlines, which stands still while the server does.
        now = self._host.now()
        running.active_ms = max(min(stored_ms, now), now - self._idle_ms + AFTER_START_MS)
        if before is not None:
            running.begun_ms = before.begun_ms
            running.waits = before.waits
            running.gone = {n: since for n, since in before.gone.items() if n < len(core.entrants)}
        self._writer.show(running)
        self._writer.store(running, changes)
        for name in running.numbers:
            self._presence.refresh(name)
        self._wakeups.wake(running.id)
        if before is not None:
            # The state that was sent before the storage failed may be wrong.
            self._writer.notify(running, {row.owner, *running.numbers})
        self._writer.release(running)
