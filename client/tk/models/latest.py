"""Keeps the last picture of everything that the network's thread reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from client.tk.models.pictures import (
    LinkPicture,
    LobbyPicture,
    OffersPicture,
    Picture,
    RoomGone,
    RoomPicture,
    TournamentNews,
)
from client.tk.models.room.own_seats import OWN
from protocol.server_messages import TournamentState


@dataclass(slots=True)
class LatestPictures:
    """The last picture of everything.

    `link`, `lobby` and `offers` belong to the own connection; `rooms` are by (connection, room).
    `tournaments` are those that the server reported or that a screen asked for, by id. `server` is
    the address in use, `here` says that this program has started it; both are set by whoever
    connects.
    """

    server: str = ""
    here: bool = False
    link: LinkPicture | None = None
    lobby: LobbyPicture | None = None
    offers: OffersPicture | None = None
    rooms: dict[tuple[str, str], RoomPicture] = field(default_factory=dict)
    tournaments: dict[str, TournamentState] = field(default_factory=dict)

    def take(self, picture: Picture) -> None:
        """Keep `picture` in the place of the one before it."""
        match picture:
            case LinkPicture(who=who):
                if who == OWN:
                    self.link = picture
                if picture.state in ("closed", "connecting"):
                    for key in [key for key in self.rooms if key[0] == who]:
                        del self.rooms[key]
            case LobbyPicture():
                self.lobby = picture
            case OffersPicture(who=who) if who == OWN:
                self.offers = picture
            case RoomPicture():
                self.rooms[picture.who, picture.room] = picture
            case RoomGone():
                self.rooms.pop((picture.who, picture.room), None)
            case TournamentNews(who=who, state=state) if who == OWN:
                self.tournaments[state.tournament] = state

    def clear(self) -> None:
        """Forget everything that came by a connection that has ended."""
        self.link, self.lobby, self.offers = None, None, None
        self.rooms.clear()
        self.tournaments.clear()

    @property
    def connected(self) -> bool:
        """Whether there is a connection, also one that is lost for a moment."""
        return self.link is not None and self.link.state in ("connected", "lost")

    def tournament_name(self, tournament: str) -> str:
        """Return what a tournament is called; empty as long as that is not known."""
        if (state := self.tournaments.get(tournament)) is not None:
            return state.terms.name
        lines = () if self.lobby is None else self.lobby.tournaments
        return next((line.name for line in lines if line.tournament == tournament), "")
