"""The rules for entering a tournament and for coming back to it."""

from __future__ import annotations

from doublecross.games.api.sentence import Sentence
from doublecross.server.core.errors import wrong_state
from doublecross.server.core.tournament_rows import Entrant
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
            Refused: fewer than one.
        """
        if games < 1:
            raise wrong_state("A player must play at least one game at a time.")

    def check_newcomer(self, name: str, engine: str) -> None:
        """Check a player who was not in the tournament before.

        Raises:
            Refused: the player may not enter.
        """
        terms = self._ledger.terms
        if not terms.invites(name):
            raise wrong_state("{name} is not invited to {tournament}.", name, terms.name)
        if not engine and not terms.people:
            raise wrong_state("{name} is for bots only.", terms.name)
        if not self.takes_newcomers:
            raise wrong_state("{name} has started; nobody may join late.", terms.name)

    def brings_version(self, known: Entrant, engine: str) -> bool:
        """Return whether a player may be here with another program than `known`, a line of its own.

        A person cannot become a bot, nor a bot a person.
        """
        both = bool(known.engine and engine) and known.engine != engine
        return both and self._format.new_versions

    def check_return(self, known: Entrant, engine: str) -> None:
        """Check a player who was in the tournament before, and who now plays as `engine`.

        Raises:
            Refused: the player may not come back.
        """
        terms = self._ledger.terms
        if known.state == "in":
            raise wrong_state("{name} is in {tournament} already.", known.name, terms.name)
        if known.state == "aside":
            raise wrong_state(
                "{name} was excluded ({reason}); only the organiser can take {name} back.",
                known.name,
                known.reason,
            )
        if known.engine != engine:
            raise wrong_state(
                "{name} entered as {before} and cannot come back as {now}.",
                known.name,
                known.engine or Sentence("a person"),
                engine or Sentence("a person"),
            )
        self._check_may_return(known.name)

    def check_taken_back(self, known: Entrant) -> None:
        """Check a player whom the organiser wants to take back.

        Raises:
            Refused: the player was not set aside, or may not come back.
        """
        if known.state != "aside":
            raise wrong_state("{name} is not excluded.", known.name)
        self._check_may_return(known.name)

    def _check_may_return(self, name: str) -> None:
        if self._ledger.status == "running" and not self._format.may_return:
            raise wrong_state("{name} is out, and players of this format cannot come back.", name)
