"""The values that the network's thread sends to Tk's thread: frozen, and whole each time.

A session's mirrors belong to the thread that the messages arrive in. The other one gets pictures
of them, which nobody changes any more. A later picture of the same thing replaces an earlier one;
none depends on the one before, so any of them may be lost as long as a newer one follows. Only
`RoomGone`, `SeatTaken`, `OfferOver` and `TournamentNews` tell what happens, once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from client.core.room import RoomMirror, Status
from client.core.session import Session
from games.api import Game
from protocol.common import MatchSettings, PlayerInfo, TimeControl
from protocol.server_messages import (
    LobbyRating,
    LobbyRoom,
    LobbySeek,
    LobbyTournament,
    MatchResult,
    TournamentState,
)


@dataclass(frozen=True, slots=True)
class RoomPicture:
    """A followed room at one moment, as the connection of `who` sees it.

    `at` is that moment in seconds of the client's clock, `clock_ms` what is left of the two clocks
    then, in milliseconds (None: no clock), of which the mover's runs on if `clock_runs`.
    `move_ms` is what is left of the mover's time for this move, None without such a limit.
    `present` says who is connected, `claim_at` when this player may claim the win against an
    opponent who stays away. `sentence` is why a closed room is closed, `tournament` the id of the
    one that its game belongs to.
    """

    who: str
    room: str
    at: float
    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    match: int
    status: Status
    seat: int | None
    players: tuple[PlayerInfo | None, PlayerInfo | None]
    to_move: int | None
    clock_ms: tuple[int, int] | None
    clock_runs: bool
    move_ms: int | None
    time: TimeControl
    rated: bool
    private: bool
    code: str | None
    rematch: tuple[bool, bool]
    result: MatchResult | None
    present: tuple[bool, bool]
    claim_at: float | None
    spectators: int
    sentence: str
    tournament: str | None = None

    @property
    def strict(self) -> bool:
        """Whether the game counts for something, so that nobody is helped in it."""
        return self.rated or self.tournament is not None

    @property
    def settings(self) -> MatchSettings:
        """What is played here."""
        return MatchSettings(
            game=self.game.key,
            params=dict(self.game.params),
            opening=self.opening,
            time=self.time,
            rated=self.rated,
        )


@dataclass(frozen=True, slots=True)
class RoomGone:
    """A room is followed no more; `sentence` says why if there is more to say than that this
    player left it."""

    who: str
    room: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class LobbyPicture:
    """Who is online, open seeks and public rooms, each sorted by name or age, tournaments that are
    open or running, and ratings. `stale` says that the connection was lost since."""

    who: str
    players: tuple[PlayerInfo, ...]
    seeks: tuple[LobbySeek, ...]
    rooms: tuple[LobbyRoom, ...]
    stale: bool
    tournaments: tuple[LobbyTournament, ...] = ()
    ratings: tuple[LobbyRating, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferPicture:
    """An open seek or challenge: of this player (`mine`), to everybody or to the player `other`;
    or of `other` to this player."""

    offer: str
    mine: bool
    other: str | None
    settings: MatchSettings


@dataclass(frozen=True, slots=True)
class OffersPicture:
    """All open offers of and to the player of `who`."""

    who: str
    offers: tuple[OfferPicture, ...]


@dataclass(frozen=True, slots=True)
class OfferOver:
    """An offer of or to this player has ended without a match; `outcome` is cancelled, declined,
    expired or left."""

    who: str
    offer: str
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """An offer of the player of `who` has led to this room."""

    who: str
    room: str
    offer: str


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """A tournament of the player of `who` has started or ended, or the player was set aside in
    it; `state` is how it stands."""

    who: str
    state: TournamentState


LinkState = Literal["connecting", "connected", "lost", "ended", "closed"]


@dataclass(frozen=True, slots=True)
class LinkPicture:
    """How the connection of `who` stands; `ended` has come from elsewhere, `closed` from this
    window: with that, and with `connecting`, all that is known of an earlier connection is over.
    `sentence` says what went wrong; `next_try_at` is when it is tried again, in seconds of
    the client's clock: a time that is over means now. `player` and `http` are those of the
    welcome, `rooms` where the player has a seat."""

    who: str
    state: LinkState
    sentence: str = ""
    next_try_at: float | None = None
    player: PlayerInfo | None = None
    http: str | None = None
    rooms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Something asked for has come to its end: `tell` is to be called in Tk's thread."""

    tell: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Overflow:
    """Pictures were thrown away because they came faster than they were taken: ask for all."""


Picture = (
    RoomPicture
    | RoomGone
    | LobbyPicture
    | OffersPicture
    | OfferOver
    | SeatTaken
    | TournamentNews
    | LinkPicture
    | Answer
    | Overflow
)
"""Anything that the network's thread says."""


def room_picture(who: str, mirror: RoomMirror, now: float) -> RoomPicture:
    """Picture `mirror` of the connection of `who` as it is at `now`, on the client's clock in
    seconds."""
    seats = mirror.presence.seats
    claim_at = None
    if mirror.seat is not None and mirror.status == "playing":
        claim_at = mirror.claim_at[1 - mirror.seat]
    return RoomPicture(
        who=who,
        room=mirror.room,
        at=now,
        game=mirror.game,
        opening=tuple(mirror.settings.opening),
        moves=mirror.state.history(),
        match=mirror.match,
        status=mirror.status,
        seat=mirror.seat,
        players=mirror.players,
        to_move=mirror.to_move,
        clock_ms=mirror.clock.remaining_ms(now),
        clock_runs=mirror.clock.runs,
        move_ms=mirror.clock.move_left_ms(now),
        time=mirror.settings.time,
        rated=mirror.settings.rated,
        private=mirror.private,
        code=mirror.code,
        rematch=mirror.rematch,
        result=mirror.result,
        present=(seats[0].connected, seats[1].connected),
        claim_at=claim_at,
        spectators=mirror.presence.spectators,
        sentence=mirror.sentence,
        tournament=None if mirror.tag is None else mirror.tag.tournament,
    )


def lobby_picture(who: str, session: Session, connected: bool) -> LobbyPicture:
    """Picture the lobby that `session` follows; an empty, stale one when it follows none.

    `connected` says whether there is a connection now.
    """
    lobby = session.lobby
    if lobby is None:
        return LobbyPicture(who, (), (), (), True)
    return LobbyPicture(
        who=who,
        players=tuple(sorted(lobby.players.values(), key=lambda player: player.name.casefold())),
        seeks=tuple(lobby.seeks.values()),
        rooms=tuple(lobby.rooms.values()),
        stale=lobby.stale or not connected,
        tournaments=tuple(lobby.tournaments.values()),
        ratings=tuple(r for r in lobby.ratings.values() if r.player in lobby.players),
    )


def offers_picture(who: str, session: Session) -> OffersPicture:
    """Picture the open offers of and to the player of `session`."""
    mine = (
        OfferPicture(
            offer.offer,
            mine=True,
            other=getattr(offer.request, "player", None),
            settings=offer.request.settings,
        )
        for offer in session.offers.values()
        if not offer.withdrawn
    )
    theirs = (
        OfferPicture(c.challenge, mine=False, other=c.player.name, settings=c.settings)
        for c in session.challenges.values()
    )
    return OffersPicture(who, (*mine, *theirs))
