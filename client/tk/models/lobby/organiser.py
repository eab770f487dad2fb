"""Decide what the organiser of a tournament can do, and describe it."""

from __future__ import annotations

from typing import Final

from doublecross.client.language import plural, tr
from doublecross.client.tk.models.lobby.tournaments import TournamentsModel, entry_of
from doublecross.protocol.server_messages import TournamentState

LEAST_PLAYERS: Final = 2


class Organiser:
    """The organiser's actions on the chosen tournament, for the player of `model`.

    The admins of a server may organise, too, but only the server knows them: they use the command
    line.
    """

    def __init__(self, model: TournamentsModel) -> None:
        self._model = model
        self._warned = ""

    @property
    def organises(self) -> bool:
        """Return whether this player organises the chosen tournament, which has not ended."""
        return self._state is not None

    @property
    def may_start(self) -> bool:
        """Return whether the tournament can start: it is open and has at least two players."""
        state = self._state
        return state is not None and state.status == "open" and _here(state) >= LEAST_PLAYERS

    @property
    def starts_later(self) -> bool:
        """Return whether the tournament has not started."""
        return self._state is not None and self._state.status == "open"

    @property
    def line(self) -> str:
        """Return a sentence or two about what the organiser can do now; empty for anybody else."""
        state = self._state
        if state is None:
            return ""
        if state.status != "open":
            return tr("You organise it. Games begin by themselves.")
        if (here := _here(state)) < LEAST_PLAYERS:
            return tr("You organise it. Start it when at least two players have joined.")
        return plural(
            "You organise it. 1 player can play.",
            "You organise it. {n} players can play.",
            here,
        )

    def may_set_aside(self, player: str) -> bool:
        """Return whether `player` can be set aside."""
        return self._entry_state(player) == "in"

    def may_take_back(self, player: str) -> bool:
        """Return whether `player` was set aside and can come back."""
        state = self._state
        final = state is not None and (state.status, state.terms.format) == ("running", "knockout")
        return self._entry_state(player) == "aside" and not final

    def warning(self) -> str:
        """Return a warning to show once before the tournament is ended; empty for none."""
        state = self._state
        if state is None or self._warned == state.tournament:
            return ""
        self._warned = state.tournament
        if state.status == "open":
            return tr("No game will be played, and it cannot be undone. Press Call off again.")
        return tr(
            "No new games start; those in play continue and count. It cannot be undone. "
            "Press End it again."
        )

    def calm(self) -> None:
        """Forget the warning, because the person has done something else."""
        self._warned = ""

    @property
    def _state(self) -> TournamentState | None:
        """The state of the chosen tournament if this player organises it and it has not ended."""
        state = self._model.state
        if state is None or state.owner != self._model.me:
            return None
        return state if state.status in ("open", "running") else None

    def _entry_state(self, player: str) -> str:
        entry = None if self._state is None else entry_of(self._state, player)
        return "" if entry is None else entry.state


def _here(state: TournamentState) -> int:
    return sum(entrant.state == "in" for entrant in state.entrants)
