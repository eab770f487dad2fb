"""Keep the latest snapshot of everything that the network thread reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from doublecross.client.core.address import shown_address
from doublecross.client.tk.models.snapshots import (
    OWN,
    LinkSnapshot,
    LobbySnapshot,
    OffersSnapshot,
    RoomGone,
    RoomSnapshot,
    TournamentNews,
    WindowUpdate,
)
from doublecross.protocol.server_messages import TournamentState


@dataclass(slots=True)
class LatestSnapshots:
    """The latest snapshot of everything.

    `link`, `lobby` and `offers` belong to the connection of the person at the window. `rooms` is
    keyed by connection and room. `tournaments` has, by id, those that the server reported or that a
    screen asked for. `server` has the addresses of the server, between commas, and `here` says
    whether this program started it; the code that connects sets both.
    """

    server: str = ""
    here: bool = False
    link: LinkSnapshot | None = None
    lobby: LobbySnapshot | None = None
    offers: OffersSnapshot | None = None
    rooms: dict[tuple[str, str], RoomSnapshot] = field(default_factory=dict)
    tournaments: dict[str, TournamentState] = field(default_factory=dict)

    def take(self, update: WindowUpdate) -> None:
        """Store the snapshot in `update` in place of the previous one."""
        match update:
            case LinkSnapshot(who=who):
                if who == OWN:
                    self.link = update
                if update.state in ("closed", "connecting"):
                    for key in [key for key in self.rooms if key[0] == who]:
                        del self.rooms[key]
            case LobbySnapshot():
                self.lobby = update
            case OffersSnapshot(who=who) if who == OWN:
                self.offers = update
            case RoomSnapshot():
                self.rooms[update.who, update.room] = update
            case RoomGone():
                self.rooms.pop((update.who, update.room), None)
            case TournamentNews(who=who, state=state) if who == OWN:
                self.tournaments[state.tournament] = state

    def clear(self) -> None:
        """Forget everything from the last connection."""
        self.link, self.lobby, self.offers = None, None, None
        self.rooms.clear()
        self.tournaments.clear()

    @property
    def connected(self) -> bool:
        """Return whether there is a connection, even if it is interrupted and being restored."""
        return self.link is not None and self.link.state in ("connected", "lost")

    @property
    def address(self) -> str:
        """The address of the server, for people; that in use, if it is another than at first."""
        return shown_address((self.link.server if self.link is not None else "") or self.server)

    def tournament_name(self, tournament: str) -> str:
        """Return the name of a tournament, or an empty text while it is unknown."""
        if (state := self.tournaments.get(tournament)) is not None:
            return state.terms.name
        lines = () if self.lobby is None else self.lobby.tournaments
        return next((line.name for line in lines if line.tournament == tournament), "")
