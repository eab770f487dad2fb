"""A tournament as the server holds it while it goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from protocol.common import TournamentTerms as WireTerms
from server.core.events import settings_dict
from server.core.room import Room
from server.core.storage import TournamentRow
from server.tournaments.core.rows import Outcome
from server.tournaments.core.tournament import Tournament
from server.tournaments.messages import tag_of


def outcome_of_room(room: Room) -> Outcome:
    """How the game of a tournament that this room was for has ended."""
    assert room.terms.tag is not None
    assert room.match is not None
    assert room.match.result is not None
    result = room.match.result
    return Outcome(
        tag_of(room.terms.tag),
        result.winner,
        result.scores,
        result.termination,
        room.finished_at or 0,
        room.started_at or room.finished_at,
    )


@dataclass(slots=True)
class Held:
    """A tournament that has not ended, or whose end is not stored or told yet. `numbers` are its
    entrants' by name."""

    row: TournamentRow
    wire: WireTerms
    core: Tournament
    numbers: dict[str, int] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    """Games that entrants can begin now, by number; only those that can."""
    gone: dict[int, int] = field(default_factory=dict)
    """Since when entrants who are in have not been here, in milliseconds."""
    wake_ms: int | None = None
    """When it is to be asked again, whatever happens until then."""
    storing: int = 0
    """Changes that wait for their commit."""
    stale: bool = False
    """Whether it must be built again from the storage before it goes on."""
    line: dict[str, Any] | None = None
    """What the lobby shows of it; None before it is stored."""

    @property
    def id(self) -> str:
        """Of the tournament."""
        return self.row.tournament_id

    @property
    def ended(self) -> bool:
        """Whether no game of it begins any more."""
        return self.core.status in ("finished", "cancelled")

    def lobby_line(self) -> dict[str, Any]:
        """What the lobby is to show of it."""
        return {
            "tournament": self.id,
            "name": self.row.name,
            "format": self.row.format,
            "settings": settings_dict(self.wire.settings),
            "owner": self.row.owner,
            # One whose last games are still being played is on for those who watch.
            "status": "running" if self.ended else self.row.status,
            "entrants": len(self.numbers),
            "people": self.wire.people and self.core.takes_newcomers,
        }
