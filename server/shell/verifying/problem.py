"""A problem in a database, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrong:
    """A row, or a group of rows, that is wrong.

    `what` names its kind, `which` is its id or empty. `why` says what is wrong with it, and `to_do`
    what the host can do.
    """

    what: str
    which: str
    why: str
    to_do: str

    def __str__(self) -> str:
        named = f"{self.what} {self.which}".strip()
        return " ".join(f"{named}: {self.why.rstrip('.')}. {self.to_do}".split())
