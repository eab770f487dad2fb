"""The entrants of a tournament: their rows, by number and by name."""

from __future__ import annotations

from dataclasses import replace

from server.tournaments.core.errors import CorruptTournament
from server.tournaments.core.rows import Entrant, EntrantState


class Roster:
    """Hold the rows of entrants, and note which have changed."""

    def __init__(self) -> None:
        self.entrants: list[Entrant] = []
        self.stale_lines: set[int] = set()
        """Entrants whose line of the table has to be made again."""
        self._numbers: dict[str, int] = {}
        """By name without regard to case."""
        self._changed: dict[int, None] = {}

    def is_in(self, number: int) -> bool:
        """Return whether the entrant gets games."""
        return self.entrants[number].state == "in"

    def all_in(self) -> list[int]:
        """Return the numbers of the entrants who are in."""
        return [entrant.number for entrant in self.entrants if entrant.state == "in"]

    def find(self, name: str) -> Entrant | None:
        """Return the entrant of that name, whatever its state."""
        number = self._numbers.get(name.casefold())
        return None if number is None else self.entrants[number]

    def load(self, entrant: Entrant) -> None:
        """Enter a row.

        Raises:
            CorruptTournament: a number is left out, or a name is there twice.
        """
        if entrant.number != len(self.entrants) or entrant.name.casefold() in self._numbers:
            raise CorruptTournament(f"Entrant {entrant.number} ({entrant.name}) does not fit.")
        self.entrants.append(entrant)
        self._numbers[entrant.name.casefold()] = entrant.number
        self.stale_lines.add(entrant.number)

    def mark_changed(self, number: int) -> None:
        """Note that the row of an entrant is to be stored."""
        self._changed[number] = None

    def change(
        self, number: int, state: EntrantState, reason: str, at_once: int | None = None
    ) -> None:
        """Set whether an entrant is in, and how many games it plays at once (None: as before)."""
        before = self.entrants[number]
        at_once = before.at_once if at_once is None else at_once
        self.entrants[number] = replace(before, state=state, reason=reason, at_once=at_once)
        self.mark_changed(number)
        self.stale_lines.add(number)

    @property
    def has_changes(self) -> bool:
        """Whether rows have changed since they were last taken."""
        return bool(self._changed)

    def take_changes(self) -> tuple[Entrant, ...]:
        """Return the rows that are new or have changed since this was last called, by number."""
        changed = tuple(self.entrants[number] for number in sorted(self._changed))
        self._changed.clear()
        return changed
