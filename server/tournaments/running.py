"""A tournament that goes on: its rows, its core, and what the server notes of its players."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from protocol.common import TournamentTerms as WireTerms
from server.core.events import settings_dict
from server.core.room import Room
from server.core.storage import TournamentRow
from server.tournaments.core.rows import GameOutcome
from server.tournaments.core.tournament import Tournament
from server.tournaments.messages import tag_of


def outcome_of_room(room: Room) -> GameOutcome:
    """Return how the game of a tournament that was played in this room has ended."""
    assert room.terms.tag is not None
    assert room.match is not None
    assert room.match.result is not None
    result = room.match.result
    return GameOutcome(
        tag_of(room.terms.tag),
        result.winner,
        result.scores,
        result.termination,
        room.finished_at or 0,
        room.started_at or room.finished_at,
    )


@dataclass(slots=True)
class RunningTournament:
    """A tournament that has not ended, or whose end is not stored or sent yet. `numbers` are those
    of its entrants by name."""

    row: TournamentRow
    wire: WireTerms
    core: Tournament
    numbers: dict[str, int] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    """How many games an entrant can begin now, by number; only those who can begin any."""
    gone: dict[int, int] = field(default_factory=dict)
    """Since when entrants who are in have been away, in UNIX milliseconds."""
    wake_ms: int | None = None
    """When to ask for its next games again, whatever happens until then."""
    storing: int = 0
    """RowChanges that wait for their commit."""
    stale: bool = False
    """Whether it must be read again from the storage before it goes on."""
    line: dict[str, Any] | None = None
    """Its line in the lobby; None before it is stored."""

    @property
    def id(self) -> str:
        """The id of the tournament."""
        return self.row.tournament_id

    @property
    def ended(self) -> bool:
        """Whether no more of its games begin."""
        return self.core.status in ("finished", "cancelled")

    def lobby_line(self) -> dict[str, Any]:
        """Return its line in the lobby as it should be now."""
        return {
            "tournament": self.id,
            "name": self.row.name,
            "format": self.row.format,
            "settings": settings_dict(self.wire.settings),
            "owner": self.row.owner,
            # One whose last games are still being played is on for those who watch.
            "status": "running" if self.ended else self.row.status,
            "entrants": len(self.numbers),
            "people": self.wire.people and self.core.entry.takes_newcomers,
        }
