"""The tournaments that this server runs, by id and by player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Any

from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import TournamentRow
from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.tournaments.core.seasons import base_of, number_of
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.messages import unreadable
from doublecross.server.tournaments.running import RunningTournament


class TournamentRegistry:
    """Hold the running tournaments; every tournament starts and stops running here."""

    def __init__(self) -> None:
        self.running: dict[str, RunningTournament] = {}
        self.unreadable: set[str] = set()
        """The ids of tournaments whose stored rows cannot be read."""
        self._entered: dict[str, set[str]] = {}
        """The ids of the running tournaments of each player, by name."""
        self._newest: dict[str, str] = {}
        """By the id of the first season, the newest running season of a ladder."""

    def allows_phrases(self, tournament_id: str) -> bool:
        """Return whether the players of a tournament may say phrases to each other."""
        running = self.running.get(tournament_id)
        return running is None or running.wire.phrases

    def add(self, row: TournamentRow, wire: WireTerms, core: Tournament) -> RunningTournament:
        """Add a tournament, in place of one with the same id."""
        running = RunningTournament(row, wire, core)
        self.running[running.id] = running
        base = base_of(running.id)
        self._newest[base] = max(self._newest.get(base, base), running.id, key=number_of)
        self.enter(running, core.entrants)
        return running

    def enter(self, running: RunningTournament, entrants: Iterable[Entrant]) -> None:
        """Note that these entrants are in the tournament, or were in it before."""
        for entrant in entrants:
            present = running.core.find(entrant.name)
            assert present is not None
            running.numbers[entrant.name] = present.number
            self._entered.setdefault(entrant.name, set()).add(running.id)

    def remove(self, tournament_id: str) -> RunningTournament | None:
        """Remove a tournament and return it; return None if it does not run."""
        running = self.running.pop(tournament_id, None)
        if running is not None:
            if self._newest.get(base_of(tournament_id)) == tournament_id:
                del self._newest[base_of(tournament_id)]
            for name in running.numbers:
                entered = self._entered[name]
                entered.discard(tournament_id)
                if not entered:
                    del self._entered[name]
        return running

    def of_player(self, name: str) -> Sequence[RunningTournament]:
        """Return the running tournaments that a player has entered."""
        return [self.running[tournament_id] for tournament_id in self._entered.get(name, ())]

    def season_after(self, tournament_id: str) -> str | None:
        """Return the id of the running season of a ladder if it is later than this one."""
        newest = self._newest.get(base_of(tournament_id))
        later = newest is not None and number_of(newest) > number_of(tournament_id)
        return newest if later else None

    def find(self, tournament_id: str) -> RunningTournament:
        """Return a tournament that has not ended, or the running season of the same ladder.

        Raises:
            Refused: no such tournament runs, or it is being reloaded.
        """
        running = self.running.get(self.season_after(tournament_id) or tournament_id)
        if running is None:
            self.check_readable(tournament_id)
            raise Refused(
                ErrorCode.UNKNOWN_TOURNAMENT,
                "Tournament {tournament_id} has ended, or there is none.",
                tournament_id,
            )
        if running.stale:
            raise Refused(
                ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again in a moment."
            )
        return running

    def check_readable(self, tournament_id: str) -> None:
        """Check that no attempt to read the rows of a tournament has failed.

        Raises:
            Refused: its rows cannot be read.
        """
        if tournament_id in self.unreadable:
            raise unreadable(tournament_id)

    def lobby_entry(self, tournament_id: str) -> dict[str, Any] | None:
        """Return a tournament's entry in the lobby as last shown, or None if it has none."""
        running = self.running.get(tournament_id)
        return None if running is None else running.shown

    def newest(self, most: int) -> list[dict[str, Any]]:
        """Return the lobby's entries of the newest tournaments, `most` at most."""
        shown = (running for running in self.running.values() if running.shown is not None)
        newest = nlargest(most, shown, key=lambda running: (running.row.created_ms, running.id))
        return [running.shown for running in newest if running.shown is not None]
