"""The rules for entering a tournament and for coming back to it."""

from __future__ import annotations

from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.tournaments.core.errors import TournamentError
from doublecross.server.tournaments.core.formats.api import Format
from doublecross.server.tournaments.core.ledger import Ledger


class EntryRules:
    """Check requests to enter, without changing anything."""

    def __init__(self, ledger: Ledger, format_: Format) -> None:
        self._ledger = ledger
        self._format = format_

    @property
    def takes_newcomers(self) -> bool:
        """True when the status and the format of the tournament let new players join now."""
        if self._ledger.status == "running":
            return self._ledger.terms.late or self._format.always_open
        return self._ledger.status == "open"

    def check_at_once(self, games: int) -> None:
        """Check how many games an entrant would play at once.

        Raises:
            TournamentError: fewer than one.
        """
        if games < 1:
            raise TournamentError("A player must play at least one game at a time.")

    def check_newcomer(self, name: str, engine: str) -> None:
        """Check a player who was not in the tournament before.

        Raises:
            TournamentError: the player may not enter.
        """
        terms = self._ledger.terms
        if not terms.invites(name):
            raise TournamentError(f"{name} is not invited to {terms.name}.")
        if not engine and not terms.people:
            raise TournamentError(f"{terms.name} is for bots only.")
        if not self.takes_newcomers:
            raise TournamentError(f"{terms.name} has started; nobody may join late.")

    def check_return(self, known: Entrant, engine: str) -> None:
        """Check a player who was in the tournament before, and who now plays as `engine`.

        Raises:
            TournamentError: the player may not come back.
        """
        terms = self._ledger.terms
        if known.state == "in":
            raise TournamentError(f"{known.name} is in {terms.name} already.")
        if known.state == "aside":
            raise TournamentError(
                f"{known.name} was set aside ({known.reason}); only the organiser can take"
                f" {known.name} back."
            )
        if known.engine != engine:
            raise TournamentError(
                f"{known.name} entered as {known.engine or 'a person'} and cannot come back as"
                f" {engine or 'a person'}."
            )
        self._check_may_return(f"{known.name} has left")

    def check_taken_back(self, known: Entrant) -> None:
        """Check a player whom the organiser wants to take back.

        Raises:
            TournamentError: the player was not set aside, or may not come back.
        """
        if known.state != "aside":
            raise TournamentError(f"{known.name} is not set aside.")
        self._check_may_return(f"{known.name} was set aside")

    def _check_may_return(self, what: str) -> None:
        if self._ledger.status == "running" and not self._format.may_return:
            raise TournamentError(f"{what}, and players of this format cannot come back.")
