"""Who may enter a tournament, and who may come back."""

from __future__ import annotations

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.api import Format
from server.tournaments.core.ledger import Ledger
from server.tournaments.core.rows import Entrant


class EntryRules:
    """Check requests to enter; nothing changes here."""

    def __init__(self, ledger: Ledger, format_: Format) -> None:
        self._ledger = ledger
        self._format = format_

    @property
    def takes_newcomers(self) -> bool:
        """Whether somebody who is allowed in can join now, by its status and format."""
        if self._ledger.status == "running":
            return self._ledger.terms.late or self._format.always_open
        return self._ledger.status == "open"

    def check_at_once(self, games: int) -> None:
        """Check how many games an entrant would play at once.

        Raises:
            TournamentError: none.
        """
        if games < 1:
            raise TournamentError("A player plays at least one game at once.")

    def check_newcomer(self, name: str, engine: str) -> None:
        """Check somebody who was not in it before.

        Raises:
            TournamentError: it may not enter.
        """
        terms = self._ledger.terms
        if not terms.invites(name):
            raise TournamentError(f"{name} is not invited to {terms.name}.")
        if not engine and not terms.people:
            raise TournamentError(f"{terms.name} is for bots only.")
        if not self.takes_newcomers:
            raise TournamentError(f"{terms.name} has started; nobody may join late.")

    def check_return(self, known: Entrant, engine: str) -> None:
        """Check somebody who was in it before, and plays as `engine` now.

        Raises:
            TournamentError: it may not come back.
        """
        terms = self._ledger.terms
        if known.state == "in":
            raise TournamentError(f"{known.name} is in {terms.name} already.")
        if known.state == "aside":
            raise TournamentError(
                f"{known.name} was set aside ({known.reason}) and may not come back."
            )
        if known.engine != engine:
            raise TournamentError(
                f"{known.name} entered as {known.engine or 'a person'} and cannot come back as"
                f" {engine or 'a person'}."
            )
        if self._ledger.status == "running" and not self._format.may_return:
            raise TournamentError(f"{known.name} has left, and in this format that is for good.")
