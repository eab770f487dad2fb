"""Track which entrants are connected and free to play, and who has been away for too long.

Theory of operation
-------------------
A tournament never waits for a player without end. A room that one player is away from ends by
itself. When no game is being played and none can begin because players are away, those who have
been away for too long lose the games for which their opponents are here, one after another. Those
who are away for much longer are set aside.

A person in a match with a clock elsewhere would lose it by being called away, so no game begins
until that match ends. The opponent waits for it for `BUSY_MS` at most.

In a tournament by days everybody counts as here, with any program, and games by days keep nobody
from other games: only the clock decides them.

A player who reconnects with another program loses the games that the former program began, gets no
new games, and counts as away. The reason is that bots are rated by name and version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.server.core.records import engine_text
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.tournaments.core.formats.registry import FORMATS
from doublecross.server.tournaments.host import RoomHost
from doublecross.server.tournaments.registry import TournamentRegistry
from doublecross.server.tournaments.running import RunningTournament
from doublecross.server.tournaments.wakeups import WakeUps

BUSY_MS: Final = 600_000
"""How long an opponent waits for the match of a busy entrant elsewhere, in milliseconds."""


class EntrantPresence:
    """Keep `slots`, `gone` and `busy` of running tournaments up to date, and wake tournaments."""

    def __init__(self, host: RoomHost, registry: TournamentRegistry, wakeups: WakeUps) -> None:
        self._host = host
        self._registry = registry
        self._wakeups = wakeups
        self._replaced: set[str] = set()
        """Players with games that a former program of theirs began."""

    def connected(self, name: str) -> None:
        """End the games of a former program of a player who has just connected, and count slots."""
        games = self._host.games_of(name)
        if games and self._end_games_of_others(name, games):
            self._replaced.add(name)
        if entered := self._registry.of_player(name):
            self._refresh(name, entered)

    def refresh(self, name: str) -> None:
        """Check again whether a player is connected and free, and wake the player's tournaments."""
        if entered := self._registry.of_player(name):
            self._refresh(name, entered)

    def _refresh(self, name: str, entered: Sequence[RunningTournament]) -> None:
        self.count_slots(name)
        for running in entered:
            self._wakeups.wake(running.id)

    def tick(self) -> None:
        """End the games of replaced programs again, because a commit of their end may fail."""
        for name in list(self._replaced):
            if not self._end_games_of_others(name, self._host.games_of(name)):
                self._replaced.discard(name)

    def _end_games_of_others(self, name: str, games: Sequence[Room]) -> bool:
        """End those games of `name` that another program than the present one has begun.

        Returns whether the end of any of them is not stored yet.
        """
        player = self._host.players.get(name)
        if player is None:
            return False
        found, engine = False, engine_text(player)
        for room in games:
            seat = room.seat_of(name)
            if seat is None or room.by_days or engine_text(room.players[seat]) == engine:
                continue
            if room.status == "playing":
                reason = Sentence("{name} reconnected with another program.", name)
                self._host.forfeit(room, name, reason)
            found = found or not self._host.is_stored(room)
        return found

    def _is_here(self, entrant: Entrant) -> bool:
        """Return whether the entrant is connected, with the program that it entered with."""
        player = self._host.players.get(entrant.name)
        return player is not None and engine_text(player) == entrant.engine

    def count_slots(self, name: str) -> None:
        """Update a player's slots, or the time since when the player is gone.

        A player's limit counts the games of all its tournaments together, except those by days.
        """
        entered = self._registry.of_player(name)
        games = {each.id: each.core.playing(each.numbers[name]) for each in entered}
        playing = sum(games[each.id] for each in entered if not each.by_days)
        for running in entered:
            number = running.numbers[name]
            entrant = running.core.entrants[number]
            here = running.by_days or self._is_here(entrant)
            others = games[running.id] if running.by_days else playing
            free = entrant.at_once - others if here else 0
            may = entrant.state == "in" and free > 0
            is_person = not (entrant.engine or running.by_days)
            if may and is_person and self._host.plays_elsewhere(name):
                running.busy.add(number)
                may = False
            else:
                running.busy.discard(number)
            if may:
                running.slots[number] = free
            else:
                running.slots.pop(number, None)
            if entrant.state == "in" and not here:
                running.gone.setdefault(number, self._host.now())
            else:
                running.gone.pop(number, None)

    def slots(self, running: RunningTournament) -> Mapping[int, int]:
        """Return `slots`, also those of busy entrants for whom an opponent has waited too long."""
        now = self._host.now()
        late = {n for pair, since in running.waits.items() if now - since >= BUSY_MS for n in pair}
        return {**running.slots, **dict.fromkeys(late & running.busy, 1)}

    def note_waits(self, running: RunningTournament) -> set[str]:
        """Note who waits only for busy entrants; return those of them who hear of it now."""
        core, now = running.core, self._host.now()
        told = {number for pair in running.waits for number in pair}
        could = running.busy | running.slots.keys() if running.busy else set()
        met = {number: core.could_meet(number, could) for number in running.busy}
        pairs = {(min(n, m), max(n, m)) for n, others in met.items() for m in others}
        running.waits = {pair: running.waits.get(pair, now) for pair in pairs}
        return {core.entrants[n].name for n, others in met.items() if others and n not in told}

    def overdue(self, running: RunningTournament, now: int, absence_ms: int) -> list[int]:
        """Return the absent entrants who keep a tournament from going on.

        These are all who have been away for `absence_ms` milliseconds, but only if no game is being
        played and none can begin.
        """
        since = self._since(running)
        late = sorted(number for number in since if now - since[number] >= absence_ms)
        return late if late and self._only_absent_play(running) else []

    def awaited(self, running: RunningTournament, now: int, absence_ms: int) -> dict[str, int]:
        """Return for whom a tournament waits, and in how many milliseconds that wait is over."""
        since = self._since(running)
        if not since or not self._only_absent_play(running):
            return {}
        names = running.core.entrants
        left = {names[n].name: then + absence_ms - now for n, then in since.items()}
        # Who is late already and still there has no game to lose, or an opponent who is away too.
        return {name: rest for name, rest in left.items() if rest > 0}

    def _only_absent_play(self, running: RunningTournament) -> bool:
        """Return whether games can begin, but none without those who are away.

        Otherwise a game waits for players who are connected, but busy elsewhere, or all games wait
        for the time of their round.
        """
        core = running.core
        return core.can_begin_without(()) and not core.can_begin_without(running.gone)

    def _since(self, running: RunningTournament) -> dict[int, int]:
        """Return who is away and since when, unless the tournament goes on without them anyway."""
        core = running.core
        busy = (
            core.live
            or running.storing
            or running.wake_ms is not None
            or self._wakeups.is_due(running.id)
        )
        if core.status != "running" or busy or FORMATS[core.terms.format].always_open:
            return {}  # in a format that is always open, no player waits for a particular other
        return {number: max(then, running.begun_ms) for number, then in running.gone.items()}
