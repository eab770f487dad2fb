"""Store the changes of tournaments, and then show them to the lobby and the players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from doublecross.server.core.storage import TournamentChange
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.host import RoomHost
from doublecross.server.tournaments.messages import NOBODY, tournament_state
from doublecross.server.tournaments.registry import TournamentRegistry
from doublecross.server.tournaments.running import RunningTournament


class TournamentWriter:
    """Store changed rows of tournaments, and show the changes once they are stored.

    `on_failure` takes a tournament whose changes could not be stored.
    """

    def __init__(
        self,
        host: RoomHost,
        registry: TournamentRegistry,
        on_failure: Callable[[RunningTournament], None],
    ) -> None:
        self._host = host
        self._registry = registry
        self._on_failure = on_failure

    def store(
        self, running: RunningTournament, changes: RowChanges | None, *, whole: bool = False
    ) -> None:
        """Queue the rows of `changes`; with `whole`, the tournament's own row too."""
        status, row = running.core.status, running.row
        news = status != row.status
        if news:
            finished_ms = self._host.date() if running.ended else None
            running.row = row = replace(row, status=status, finished_ms=finished_ms)
        entrants = () if changes is None else changes.entrants
        pairings = () if changes is None else changes.pairings
        if not (news or whole or entrants or pairings):
            return
        everybody = {row.owner, *running.numbers} if news else set()
        put_out = {entrant.name for entrant in entrants if entrant.state != "in"}
        running.active_ms = self._host.now()
        running.storing += 1
        self._host.commit(
            TournamentChange(row.tournament_id, row if news or whole else None, entrants, pairings),
            lambda: self._stored(running, everybody - put_out, put_out),
            lambda: self._not_stored(running),
        )
        if news and running.ended:
            # Everyone who reads that the tournament has ended must find all of its games.
            self._host.commit_games()

    def _stored(
        self, running: RunningTournament, everybody: Collection[str], put_out: Collection[str]
    ) -> None:
        """Show stored changes in the lobby, and send them to the players concerned.

        `everybody` are the players to notify of a new status. `put_out` are entrants who left or
        were set aside; each gets a state that includes this entrant's own row.
        """
        running.storing -= 1
        # The tournament is being read again, and is then shown as it was stored.
        if running.stale:
            return
        self.show(running)
        self.notify(running, everybody)
        for name in put_out:
            self._host.notify(name, self.state(running, player=name))
        self.release(running)

    def _not_stored(self, running: RunningTournament) -> None:
        running.storing -= 1
        self._on_failure(running)

    def state(
        self,
        running: RunningTournament,
        note: str = "",
        player: str | None = None,
        awaited: Mapping[str, int] = NOBODY,
    ) -> dict[str, Any]:
        """Return the state of a tournament as a message to `player`, or to everybody if None."""
        return tournament_state(
            running.row,
            running.wire,
            running.core,
            self._host.players,
            note=note or running.note,
            player=player,
            awaited=awaited,
            busy=running.busy,
            next_season=self._registry.season_after(running.id),
        )

    def show(self, running: RunningTournament) -> None:
        """Update the tournament's entry in the lobby."""
        entry = running.lobby_entry()
        if entry != running.shown:
            running.shown = entry
            self._host.show(running.id)

    def notify(self, running: RunningTournament, players: Collection[str]) -> None:
        """Send the tournament's state to these players.

        All get the same message, so that it is encoded only once.
        """
        if players:
            self._host.notify_all(players, self.state(running))

    def notify_stored(self, running: RunningTournament, players: Collection[str]) -> None:
        """Send the tournament's state to these players as soon as it is stored."""
        if players:
            self._host.commit(
                TournamentChange(running.id),
                lambda: self.notify(running, players),
                lambda: None,
            )

    def release(self, running: RunningTournament) -> None:
        """Remove the tournament if it has ended with all its games and everything is stored."""
        if running.ended and not (running.core.live or running.storing or running.stale):
            self.forget(running.id)

    def forget(self, tournament_id: str) -> None:
        """Remove a tournament from the server and from the lobby."""
        running = self._registry.remove(tournament_id)
        if running is not None and running.shown is not None:
            self._host.show(tournament_id)
