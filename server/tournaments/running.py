"""A running tournament: its rows, its core, and the availability of its players."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.server.core.events import settings_dict
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import TournamentRow
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.messages import tag_of

EVENTS_ID: Final = "events:"
"""In place of an account, the organiser of the tournaments in the host's file of events."""


def outcome_of_room(room: Room) -> GameOutcome:
    """Return the outcome of the tournament game that was played in this room."""
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
        result.both_moved,
    )


@dataclass(slots=True)
class RunningTournament:
    """A tournament that has not ended, or whose end is not stored and sent yet.

    `wire` are its terms as messages have them. `numbers` maps the name of each entrant to its
    number.
    """

    row: TournamentRow
    wire: WireTerms
    core: Tournament
    numbers: dict[str, int] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    """By entrant, how many games it can begin now; only those who can begin any."""
    gone: dict[int, int] = field(default_factory=dict)
    """By entrant who is in and away, since when, on the clock for deadlines."""
    busy: set[int] = field(default_factory=set)
    """The entrants who could begin a game if they played no match elsewhere."""
    waits: dict[tuple[int, int], int] = field(default_factory=dict)
    """By two who would play if nobody were busy, since when, on the clock for deadlines."""
    wake_ms: int | None = None
    """When to ask the core for games again even if nothing happens, on the clock for deadlines."""
    storing: int = 0
    """The number of changes that wait for their commit."""
    stale: bool = False
    """True when the tournament must be reloaded from the storage before anything else happens."""
    begun_ms: int = 0
    """When it was started, if this server did that, on the clock for deadlines."""
    active_ms: int = 0
    """When it last changed, or a game of it was last in play, on the clock for deadlines."""
    note: str = ""
    """Why it ended although it was not over, as a sentence for its players."""
    asked: set[str] = field(default_factory=set)
    """The bots that its organiser has asked to join, and that have not joined yet."""
    wanted: tuple[str, ...] = ()
    """The bots that should join now."""
    shown: dict[str, Any] | None = None
    """Its entry in the lobby as last shown; None before the tournament is stored."""

    @property
    def id(self) -> str:
        """The id of the tournament."""
        return self.row.tournament_id

    @property
    def by_days(self) -> bool:
        """True when its games are by correspondence, so that nobody has to be connected."""
        return self.wire.settings.time.by_days

    @property
    def ended(self) -> bool:
        """True when the tournament is finished or cancelled, so that no more games begin."""
        return self.core.status in ("finished", "cancelled")

    def lobby_entry(self) -> dict[str, Any]:
        """Return the entry that the lobby should show now."""
        return {
            "tournament": self.id,
            "name": self.row.name,
            "format": self.row.format,
            "settings": settings_dict(self.wire.settings),
            "owner": self.row.owner,
            # While last games are still being played, spectators see a running tournament.
            "status": "running" if self.ended else self.row.status,
            "entrants": len(self.numbers),
            "people": self.wire.people and self.core.entry.takes_newcomers,
            "starts_ms": self.wire.starts_ms if self.core.status == "open" else None,
            "ends_ms": self.core.ends_ms,
            "wanted": self.wanted,
        }
