"""Begin the next season of a ladder without an end, and end the one before.

The rows of the next season are queued before the end of the present one. So a server that is killed
between the two loads both, and then ends the earlier one.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import structlog

from doublecross.games.api import Game
from doublecross.games.registry import make_game
from doublecross.protocol.common import MAX_INT
from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.server.background import BackgroundTasks
from doublecross.server.tournaments.core.seasons import next_id
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.host import RoomHost
from doublecross.server.tournaments.messages import (
    FirstOpenings,
    Openings,
    core_terms,
    find_openings,
    terms_text,
)
from doublecross.server.tournaments.presence import EntrantPresence
from doublecross.server.tournaments.registry import TournamentRegistry
from doublecross.server.tournaments.running import RunningTournament
from doublecross.server.tournaments.writing import TournamentWriter

DRAW_PAUSE_S: Final = 0.02
"""How long the server draws no openings after it has drawn those of a tournament."""

_log = structlog.get_logger("tournaments")


class Seasons:
    """Draw the openings of new tournaments, and begin the seasons of ladders."""

    def __init__(
        self,
        host: RoomHost,
        registry: TournamentRegistry,
        writer: TournamentWriter,
        presence: EntrantPresence,
    ) -> None:
        self._host = host
        self._registry = registry
        self._writer = writer
        self._presence = presence
        self._drawing = asyncio.Lock()
        """Held while a thread draws openings."""
        self._beginning: set[str] = set()
        """The ids of the tournaments whose next season a task begins."""
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        """Cancel the tasks that begin seasons."""
        await self._tasks.close()

    async def draw(
        self, game: Game, terms: WireTerms, listed: Openings = ()
    ) -> tuple[FirstOpenings, str]:
        """Return the first openings of a tournament, and a sentence if there are too few.

        They are those in `listed`, or else drawn.
        """
        # In a thread, because this can block the event loop for too long. One at a time and with a
        # pause, because such a thread takes the interpreter from the event loop.
        async with self._drawing:
            found = await asyncio.to_thread(find_openings, game, terms, listed)
            await asyncio.sleep(DRAW_PAUSE_S)
        return found

    def check(self, running: RunningTournament) -> None:
        """Begin the next season of a ladder if it is time; end a season that has a later one."""
        if running.ended or running.id in self._beginning:
            return
        if self._registry.season_after(running.id):
            self._end(running)
        elif running.core.season_over:
            self._beginning.add(running.id)
            self._tasks.start(self._begin(running))

    async def _begin(self, running: RunningTournament) -> None:
        try:
            await self.begin_next(running, keep=True)
        except Exception:  # noqa: BLE001 - the season goes on, and the next tick tries again
            _log.exception("season_failed", tournament=running.id)
        finally:
            self._beginning.discard(running.id)

    async def begin_next(self, running: RunningTournament, *, keep: bool) -> None:
        """Begin the season after `running`, which ends; with `keep`, pass on its ratings.

        Those who have played in it, or are connected, are in the next one. Who was set aside stays
        so.
        """
        seed = ((running.wire.seed or 0) + 1) % MAX_INT
        terms = running.wire.model_copy(update={"seed": seed})
        game = make_game(terms.settings.game, terms.settings.params)
        # Openings that were listed, or all that the game has, are those of every season.
        listed = () if running.core.terms.more_openings else running.core.terms.openings
        openings, _ = await self.draw(game, terms, listed)
        # The season may have ended, or was read again, during the await.
        present = self._registry.running.get(running.id) is running and not running.stale
        if not present or running.ended or self._registry.season_after(running.id):
            return
        core, now = running.core, self._host.date()
        season, ratings = next_id(running.id), core.carried() if keep else {}
        following = Tournament(core_terms(season, terms, openings, ratings))
        for each in core.standings():
            plays = each.state == "in" and (each.games or each.name in self._host.players)
            if plays or each.state == "aside":
                number = len(following.entrants)
                following.join(each.name, each.engine, core.entrants[each.number].at_once, now)
                if not plays:
                    following.set_aside(number, each.reason)
        following.start(now)
        row = replace(
            running.row,
            tournament_id=season,
            status="open",
            terms=terms_text(terms, openings, ratings),
            created_ms=now,
            started_ms=now,
        )
        new = self._registry.add(row, terms, following)
        new.begun_ms = self._host.now()
        self._writer.store(new, RowChanges(tuple(following.entrants)), whole=True)
        self._end(running)
        for name in new.numbers:
            self._presence.refresh(name)

    def _end(self, running: RunningTournament) -> None:
        """End a season; games that are being played go on and count in it."""
        _log.info("season_ended", tournament=running.id)
        self._writer.store(running, running.core.cancel())
