"""Run the tournaments of a server: open their games and record the results.

Theory of operation
-------------------
`server/tournaments/core` decides who plays whom. This folder does the I/O around it, and reaches
the rest of the server only through a `RoomHost`.

===========================  =======================================================================
what happens                 where
===========================  =======================================================================
the server starts            `Director.load` -> `TournamentLoader`
a request                    `requests.py` -> `core.Tournament` -> `Director.apply`
a player connects or leaves  `EntrantPresence.connected`, `refresh` -> `WakeUps.wake`
games can begin              `WakeUps` -> `Director` -> `core.Tournament.next_games` ->
                             `RoomHost.open_game`
a game ends                  `Director.game_over` -> `core.Tournament.record` -> `Director.apply`
rows are stored              `TournamentWriter` -> lobby, notices, the end of the tournament
a commit fails               `TournamentWriter` or `Director.game_lost` ->
                             `TournamentLoader.reload`
time passes                  `Director.tick`: reloads, wake-ups, absent players, starts and rounds
                             that are due, seasons
===========================  =======================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Final

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import EngineInfo, PairTag, PlayerInfo
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import Store
from doublecross.server.core.terms import span
from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.filling import spare_bots, wanted_bots
from doublecross.server.tournaments.host import RoomHost
from doublecross.server.tournaments.loading import TournamentLoader
from doublecross.server.tournaments.messages import rounds_due, wire_tag
from doublecross.server.tournaments.presence import BUSY_MS, EntrantPresence
from doublecross.server.tournaments.registry import TournamentRegistry
from doublecross.server.tournaments.running import EVENTS_ID, RunningTournament, outcome_of_room
from doublecross.server.tournaments.seasons import Seasons
from doublecross.server.tournaments.wakeups import WakeUps
from doublecross.server.tournaments.writing import TournamentWriter

_log = structlog.get_logger("tournaments")

TOO_FEW_MS: Final = 600_000
"""How long an event of the host waits for enough players after its start was due."""
TICK_MS: Final = 250
"""The time between two checks of all tournaments, in milliseconds."""
GAMES_PER_STEP: Final = 8
"""The most games of a tournament that begin before other work of the server gets a turn."""
FILL_MS: Final = 5_000
"""How long a start that is due waits for the bots that fill in, in milliseconds."""
FULL_MS: Final = 1000
"""How long a tournament waits when a room could not be opened, in milliseconds."""


class Director:
    """Begin games, record their results, and go on without absent players.

    A server has one director. When a tournament waits only for absent players, those who have been
    away for `no_show_ms` milliseconds lose their next games, and after `absence_ms` milliseconds
    they are set aside. A tournament that nobody starts or plays for `idle_ms` milliseconds ends.
    """

    def __init__(
        self,
        host: RoomHost,
        store: Store,
        registry: TournamentRegistry,
        rng: Random,
        *,
        no_show_ms: int,
        absence_ms: int,
        idle_ms: int,
    ) -> None:
        self.host = host
        self.store = store
        self.registry = registry
        self.rng = rng
        self.no_show_ms = no_show_ms
        self.absence_ms = absence_ms
        self.idle_ms = idle_ms
        self.closing = False
        """True when the server is stopping, so that no game begins any more."""
        self.paused = False
        """True while no game begins."""
        self.wakeups = WakeUps(self._begin)
        self.presence = EntrantPresence(host, registry, self.wakeups)
        # A lambda, because the loader does not exist yet.
        self.writer = TournamentWriter(host, registry, lambda running: self._loader.reload(running))
        self._loader = TournamentLoader(
            host, store, registry, self.writer, self.presence, self.wakeups, idle_ms
        )
        self.on_tick: Callable[[int], None] = lambda now: None
        """Called in each tick."""
        self.seasons = Seasons(host, registry, self.writer, self.presence)
        self._next_tick = 0

    async def load(self) -> None:
        """Load all unfinished tournaments; their rooms must be restored already.

        Raises:
            StoreError: the database fails.
        """
        await self._loader.load()

    async def close(self) -> None:
        """Cancel the tasks that still read the storage or begin a season."""
        await self._loader.close()
        await self.seasons.close()

    def pause(self, on: bool) -> None:
        """Begin no more games, or with False, go on."""
        self.paused = on
        for tournament_id in () if on else list(self.registry.running):
            self.wakeups.wake(tournament_id)

    def apply(self, running: RunningTournament, changes: RowChanges) -> None:
        """Store changes, and begin the games that they allow."""
        self.writer.store(running, changes)
        for entrant in changes.entrants:
            self.presence.count_slots(entrant.name)
        self.wakeups.wake(running.id)

    # -- games -------------------------------------------------------------------------------

    def game_over(self, room: Room) -> None:
        """Record the result of a game that has ended; its end is stored already."""
        outcome = outcome_of_room(room)
        # First, because the tournament may be being read at this moment.
        self._loader.note_end(outcome)
        running = self.registry.running.get(outcome.tag.tournament)
        # A stale tournament is being read again, and the loader includes this outcome.
        if running is not None and not running.stale:
            try:
                self.apply(running, running.core.record(outcome))
            except Exception:  # noqa: BLE001 - an error here must not stop the room
                self._rebuild(running)
        for player in room.players:
            if player is not None:
                self.presence.refresh(player.name)
        if running is not None:
            self.wakeups.put_last(running.id)  # its players' other tournaments get a turn first
            self.writer.release(running)

    def game_lost(self, tag: PairTag) -> None:
        """Reload the tournament of a game whose room vanished before the game ended."""
        self._loader.note_lost(tag)
        running = self.registry.running.get(tag.tournament)
        if running is not None:
            self._loader.reload(running)

    def reload_by_days(self) -> None:
        """Read the tournaments by days again, because nobody may have reported the end of games."""
        for running in self.registry.running.values():
            if running.by_days:
                self._loader.reload(running)

    def _begin(self, tournament_id: str) -> None:
        """Begin the games of a tournament that was woken, if it can go on."""
        running = self.registry.running.get(tournament_id)
        if running is None or running.stale or self.closing or self.paused:
            return
        try:
            self._begin_games(running)
        except Exception:  # noqa: BLE001 - one tournament must not stop the others
            self._rebuild(running)

    def _rebuild(self, running: RunningTournament) -> None:
        """Log a bug that occurred in a tournament, and rebuild the tournament from the storage."""
        _log.exception("tournament_failed", tournament=running.id)
        self._loader.reload(running)

    def _begin_games(self, running: RunningTournament) -> None:
        if running.core.status != "running":
            return
        self._begin_rounds(running)
        most = running.wire.games_at_once
        left = GAMES_PER_STEP
        if most is not None:
            left = min(left, most - len(running.core.live))
        date = self.host.date()  # the core compares it with the dates of games
        started = running.core.next_games(self.presence.slots(running), date, left)
        wake = started.wake_ms
        running.wake_ms = None if wake is None else self.host.now() + wake - date
        self.writer.store(running, started.changes)
        opened = [self._open(running, game) for game in started.games]
        for player in {number for game in started.games for number in game.players}:
            self.presence.count_slots(running.core.entrants[player].name)
        if len(opened) == GAMES_PER_STEP and all(opened):
            self.wakeups.wake(running.id)
        self.writer.notify_stored(running, self.presence.note_waits(running))

    def _open(self, running: RunningTournament, game: NewGame) -> bool:
        """Open the room of a game; return whether it is open.

        If that is not possible now, the game is withdrawn for a while.
        """
        first, second = (
            _info(entrant) if running.by_days else self.host.players.get(entrant.name)
            for entrant in map(running.core.entrants.__getitem__, game.players)
        )
        settings = running.wire.settings.model_copy(update={"opening": game.opening})
        if first and second:
            tag = wire_tag(game.tag)
            if self.host.open_game((first, second), settings, tag, self.game_lost):
                return True
        self.writer.store(running, running.core.withdraw(game.tag))
        running.wake_ms = self.host.now() + FULL_MS
        return False

    # -- time --------------------------------------------------------------------------------

    def awaited(self, running: RunningTournament) -> dict[str, int]:
        """Return who loses a game by not coming, and in how many milliseconds."""
        return self.presence.awaited(running, self.host.now(), self.no_show_ms)

    def tick(self, now: int) -> None:
        """Carry out what is due at `now`."""
        if now < self._next_tick or self.closing:
            return
        self._next_tick = now + TICK_MS
        self._loader.tick(now)
        self.presence.tick()
        self.on_tick(now)
        # A copy, because a tournament that ends is removed.
        for running in list(self.registry.running.values()):
            if running.stale:
                continue
            late = any(now - since >= BUSY_MS for since in running.waits.values())
            if late or (running.wake_ms is not None and running.wake_ms <= now):
                running.wake_ms = None
                self.wakeups.wake(running.id)
            if not self.paused:  # otherwise it waits for nobody
                self._end_absences(running, now)
            self.ask_bots(running)
            self._keep_time(running, now)
            self._end_if_idle(running, now)
            self.seasons.check(running)

    def start(self, running: RunningTournament) -> None:
        """Start a tournament.

        Raises:
            Refused: it has started already, or it has too few players.
        """
        date = self.host.date()
        changes = running.core.start(date)
        running.row = replace(running.row, started_ms=date)
        running.begun_ms = self.host.now()
        self.apply(running, changes)

    def ask_bots(self, running: RunningTournament) -> None:
        """Show in the lobby which bots should join the tournament now; let others make room."""
        for name in spare_bots(running, self.host.players):
            self.apply(running, running.core.leave(name, "makes room"))
        wanted = wanted_bots(running, self.host.players, self.host.date())
        if wanted != running.wanted:
            running.wanted = wanted
            if running.shown is not None:  # otherwise it is not stored yet
                self.writer.show(running)

    def _keep_time(self, running: RunningTournament, now: int) -> None:
        """Start a tournament, begin its next round, or end an arena, if it is time."""
        date, starts_ms = self.host.date(), running.wire.starts_ms
        if running.core.status == "open" and starts_ms is not None:
            if date < starts_ms + (FILL_MS if running.wanted else 0):
                running.active_ms = now
            else:
                with suppress(Refused):  # too few have joined; it starts when there are enough
                    self.start(running)
                    return
                if running.row.owner_id == EVENTS_ID and date >= starts_ms + TOO_FEW_MS:
                    running.note = Sentence(
                        "{name} has ended, because too few players came.", running.row.name
                    )
                    self.apply(running, running.core.cancel())
        elif self._begin_rounds(running):
            running.active_ms = now
            self.wakeups.wake(running.id)
        elif running.core.waiting_round is not None:
            running.active_ms = now
        elif changes := running.core.end_in_time(date):
            self.apply(running, changes)

    def _begin_rounds(self, running: RunningTournament) -> bool:
        """Let the games of those rounds begin that are due; return whether there are new ones."""
        new = running.core.begin_rounds(rounds_due(running.row, running.wire, self.host.date()))
        if new:
            # Who was away between two rounds has as long to come as at the start.
            running.begun_ms = self.host.now()
        return new

    def _end_if_idle(self, running: RunningTournament, now: int) -> None:
        """End a tournament that nobody has started or played for too long.

        A ladder without an end waits for players as long as it takes.
        """
        core = running.core
        if core.live or core.endless:
            running.active_ms = now
        elif now - running.active_ms >= self.idle_ms and not (running.ended or running.storing):
            running.note = Sentence(
                "{name} has ended, because nobody started it for {idle}."
                if core.status == "open"
                else "{name} has ended, because nobody played in it for {idle}.",
                running.row.name,
                span(self.idle_ms),
            )
            _log.info("idle_tournament_ended", tournament=running.id, status=core.status)
            self.apply(running, core.cancel())

    def _end_absences(self, running: RunningTournament, now: int) -> None:
        """Go on without entrants who have been away for too long, if the tournament waits for them.

        Nobody loses a game whose two players are both away. These are set aside after longer.
        """
        for number in self.presence.overdue(running, now, self.absence_ms):
            if not running.ended:
                _log.info("absent_set_aside", tournament=running.id, number=number)
                reason = f"was away for {self.absence_ms / 1000:g} s"
                self.apply(running, running.core.set_aside(number, reason))
        # One at a time, because after a loss others may have games to play.
        for number in self.presence.overdue(running, now, self.no_show_ms)[:1]:
            if not running.ended:
                self._lose_next_game(running, number)

    def _lose_next_game(self, running: RunningTournament, absent: int) -> None:
        """Let an absent entrant lose a game that its opponent is here for, if there is one."""
        core = running.core
        started = core.next_games({**running.slots, absent: 1}, self.host.date(), 1)
        self.writer.store(running, started.changes)
        for game in started.games:
            first, second = (_info(core.entrants[number]) for number in game.players)
            settings = running.wire.settings.model_copy(update={"opening": game.opening})
            seat = game.players.index(absent)
            try:
                room = self.host.lose_unplayed((first, second), seat, settings, wire_tag(game.tag))
            except Refused:
                self.writer.store(running, core.withdraw(game.tag))
                return
            _log.info("absent_lost", tournament=running.id, number=absent)
            self.apply(running, core.record(outcome_of_room(room)))


def _info(entrant: Entrant) -> PlayerInfo:
    """Return what records say about an entrant."""
    if not entrant.engine:
        return PlayerInfo(name=entrant.name, kind="human")
    name, _, version = entrant.engine.rpartition(" ")
    engine = EngineInfo(name=name, version=version)
    return PlayerInfo(name=entrant.name, kind="bot", engine=engine)
