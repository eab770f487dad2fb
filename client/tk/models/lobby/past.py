"""Model the tournaments that have ended, as the server lists them over HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from doublecross.protocol.common import TournamentTerms


@dataclass(frozen=True, slots=True)
class PastTournament:
    """A tournament of the server's list; `ended` says whether it is over."""

    tournament: str
    terms: TournamentTerms
    status: str

    @classmethod
    def parse(cls, row: Mapping[str, Any]) -> Self:
        """Return the tournament in an item of ``/api/tournaments``.

        Raises:
            ValueError: the terms are malformed.
            LookupError: a field is missing.
        """
        terms = TournamentTerms.model_validate_json(json.dumps(row["terms"]))
        return cls(str(row["id"]), terms, str(row["status"]))

    @property
    def ended(self) -> bool:
        """Return whether it is over."""
        return self.status in ("finished", "cancelled")
