"""The entrants of a tournament, by number and by name."""

from __future__ import annotations

from dataclasses import replace

from doublecross.server.core.tournament_rows import Entrant, EntrantState
from doublecross.server.tournaments.core.errors import CorruptTournament


class Roster:
    """Hold the rows of entrants, and track which must be stored."""

    def __init__(self) -> None:
        self.entrants: list[Entrant] = []
        self.stale_standings: set[int] = set()
        """The entrants whose standing must be computed again."""
        self.version = 0
        """How often entrants or their states have changed."""
        self._numbers: dict[str, int] = {}
        """The entrants' numbers by casefolded name; of several with one name the present one."""
        self._lines: dict[tuple[str, str], int] = {}
        """The same by casefolded name and engine."""
        self._changed: dict[int, None] = {}

    def is_in(self, number: int) -> bool:
        """Return whether the entrant is in the tournament, so that it gets games."""
        return self.entrants[number].state == "in"

    def all_in(self) -> list[int]:
        """Return the numbers of the entrants who are in."""
        return [entrant.number for entrant in self.entrants if entrant.state == "in"]

    def find(self, name: str, engine: str | None = None) -> Entrant | None:
        """Return the entrant of that name in any state; ignore the case of the name.

        Of several programs of a player it is that of `engine`, by default the present one.
        """
        folded = name.casefold()
        found = self._numbers.get(folded) if engine is None else self._lines.get((folded, engine))
        return None if found is None else self.entrants[found]

    def load(self, entrant: Entrant) -> None:
        """Add a stored row.

        Raises:
            CorruptTournament: a number is missing, or a name occurs twice with one engine.
        """
        name = entrant.name.casefold()
        if entrant.number != len(self.entrants) or (name, entrant.engine) in self._lines:
            raise CorruptTournament(f"Entrant {entrant.number} ({entrant.name}) does not fit.")
        self.entrants.append(entrant)
        self._lines[name, entrant.engine] = entrant.number
        present = self._numbers.get(name)
        # At most one program of a player has not left.
        if present is None or entrant.state != "left" or self.entrants[present].state == "left":
            self._numbers[name] = entrant.number
        self.version += 1
        self.stale_standings.add(entrant.number)

    def mark_changed(self, number: int) -> None:
        """Note that the row of an entrant must be stored."""
        self._changed[number] = None

    def change(
        self,
        number: int,
        state: EntrantState,
        reason: str,
        at_once: int | None = None,
        joined_ms: int | None = None,
    ) -> None:
        """Set the state of an entrant, how many games it plays at once, and when it joined.

        An `at_once` or `joined_ms` of None keeps the present one.
        """
        before = self.entrants[number]
        self.entrants[number] = replace(
            before,
            state=state,
            reason=reason,
            at_once=before.at_once if at_once is None else at_once,
            joined_ms=before.joined_ms if joined_ms is None else joined_ms,
        )
        if state != "left":
            self._numbers[before.name.casefold()] = number
        self.mark_changed(number)
        self.version += 1
        if state == before.state:
            self.stale_standings.add(number)
        else:  # the points of opponents may depend on who is in
            self.mark_all_standings_stale()

    def mark_all_standings_stale(self) -> None:
        """Note that all standings must be computed again."""
        self.stale_standings.update(range(len(self.entrants)))

    @property
    def has_changes(self) -> bool:
        """True when rows have changed since the last `take_changes`."""
        return bool(self._changed)

    def take_changes(self) -> tuple[Entrant, ...]:
        """Return the rows that are new or have changed since the last call, by number."""
        changed = tuple(self.entrants[number] for number in sorted(self._changed))
        self._changed.clear()
        return changed
