"""Carry out the consequences of a change in a tournament, and collect the rows to store.

The consequences are new states of pairings, setting aside entrants who have failed too often,
further pairings, and the end of the tournament.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from doublecross.server.core.tournament_rows import Entrant, EntrantState, Pairing, Status
from doublecross.server.tournaments.core.formats.api import Draft, Format
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.schedule import Schedule


@dataclass(frozen=True, slots=True)
class RowChanges:
    """The rows that are new or have changed, by number, and the status if it has changed.

    They must be stored in one transaction.
    """

    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    status: Status | None = None

    def __bool__(self) -> bool:
        return bool(self.entrants or self.pairings or self.status)


class Settlement:
    """Carry out the consequences of changes.

    A command changes the ledger, calls the methods here for what it has touched, and ends with
    `settle`. `status` is the stored status of the tournament.
    """

    def __init__(self, ledger: Ledger, format_: Format, schedule: Schedule, status: Status) -> None:
        self._ledger = ledger
        self._format = format_
        self._schedule = schedule
        self._stored: Status = status
        """The status after the last `RowChanges`."""

    def touch(self, number: int) -> None:
        """Update a pairing after any change of its games or players."""
        if self._ledger.pairings.rows[number].second is not None:
            self._ledger.judge(number)
            self._schedule.refresh(number)

    def touch_all(self) -> None:
        """Update all pairings."""
        for number in range(len(self._ledger.pairings.rows)):
            self.touch(number)

    def touch_not_done(self) -> None:
        """Update all pairings that are not done."""
        for number in sorted(self._ledger.pairings.not_done):
            self.touch(number)

    def touch_of(self, entrant: int) -> None:
        """Update the pairings of an entrant that are not done."""
        for pairing in self._ledger.pairings.not_done_of(entrant):
            self.touch(pairing)

    def add(self, drafts: Iterable[Draft]) -> None:
        """Create these pairings."""
        for round_, first, second in drafts:
            self.touch(self._ledger.new_pairing(round_, first, second))

    def put_out(self, number: int, state: EntrantState, reason: str) -> None:
        """Give an entrant no more games."""
        self._ledger.roster.change(number, state, reason)
        self.touch_of(number)

    def set_failing_aside(self, numbers: Iterable[int]) -> None:
        """Set aside those of these entrants who have failed too often in a row."""
        ledger = self._ledger
        if ledger.status == "running":
            judged = [number for number in numbers if self._format.excludes(number)]
            for number, reason in ledger.results.failing(judged, ledger.terms.patience):
                self.put_out(number, "aside", reason)

    def settle(self, *, force: bool = False) -> RowChanges:
        """Add further pairings, end the tournament if all is played, and return the changed rows.

        Without changed rows nothing can follow, so nothing is checked unless `force` is set.
        """
        ledger = self._ledger
        changed = force or ledger.has_changes or ledger.status != self._stored
        if changed and ledger.status == "running":
            while drafts := self._format.more():
                self.add(drafts)
            if not ledger.pairings.counts["open"] and not self._format.goes_on():
                ledger.status = "finished"
        entrants, pairings = ledger.take_changes()
        status = None if ledger.status == self._stored else ledger.status
        self._stored = ledger.status
        return RowChanges(entrants, pairings, status)
