"""What follows by itself from a change in a tournament, until nothing more follows.

States of pairings, entrants who have failed too often, further pairings, the end of the tournament;
and the rows that have to be stored for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from server.tournaments.core.formats.api import Draft, Format
from server.tournaments.core.ledger import Ledger
from server.tournaments.core.rows import Entrant, EntrantState, Pairing, Status
from server.tournaments.core.schedule import Schedule


@dataclass(frozen=True, slots=True)
class RowChanges:
    """Rows that are new or have changed, by number, and the status if that has changed. They
    belong into one transaction."""

    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    status: Status | None = None

    def __bool__(self) -> bool:
        return bool(self.entrants or self.pairings or self.status)


class Settlement:
    """Draw the consequences of changes. Commands change the ledger, call what concerns them here,
    and end with `settle`. `status` is the one that is stored."""

    def __init__(self, ledger: Ledger, format_: Format, schedule: Schedule, status: Status) -> None:
        self._ledger = ledger
        self._format = format_
        self._schedule = schedule
        self._stored: Status = status
        """The status that the last `RowChanges` left."""

    def touch(self, number: int) -> None:
        """Bring a pairing up to date after whatever has happened to it or to its players."""
        if self._ledger.pairings.rows[number].second is not None:
            self._ledger.judge(number)
            self._schedule.refresh(number)

    def touch_all(self) -> None:
        """Bring all pairings up to date."""
        for number in range(len(self._ledger.pairings.rows)):
            self.touch(number)

    def touch_of(self, entrant: int) -> None:
        """Bring the pairings of an entrant up to date that are not done."""
        for pairing in self._ledger.pairings.not_done_of(entrant):
            self.touch(pairing)

    def add(self, drafts: Iterable[Draft]) -> None:
        """Make these pairings."""
        for round_, first, second in drafts:
            self.touch(self._ledger.new_pairing(round_, first, second))

    def put_out(self, number: int, state: EntrantState, reason: str) -> None:
        """Let an entrant get no more games."""
        self._ledger.roster.change(number, state, reason)
        self.touch_of(number)

    def set_failing_aside(self, numbers: Iterable[int]) -> None:
        """Set those of the entrants aside who have failed too often in a row."""
        ledger = self._ledger
        if ledger.status == "running":
            for number, reason in ledger.results.failing(numbers, ledger.terms.patience):
                self.put_out(number, "aside", reason)

    def settle(self, *, anew: bool = False) -> RowChanges:
        """Draw all that follows, and return the rows that have changed since the last time;
        `anew`: something may follow even if no row has changed."""
        ledger = self._ledger
        changed = anew or ledger.has_changes or ledger.status != self._stored
        if changed and ledger.status == "running":
            while drafts := self._format.more():
                self.add(drafts)
            if not ledger.pairings.counts["open"] and not self._format.goes_on():
                ledger.status = "finished"
        entrants, pairings = ledger.take_changes()
        status = None if ledger.status == self._stored else ledger.status
        self._stored = ledger.status
        return RowChanges(entrants, pairings, status)
