"""Define the updates that the network thread sends to Tk's thread; most are snapshots.

The mirrors of a session belong to the network thread. Tk's thread gets snapshots of them instead,
which are immutable. A snapshot shows the complete state of one thing, so a later snapshot replaces
an earlier one, and a lost snapshot does no harm if a newer one follows. Only `RoomGone`,
`SeatTaken`, `OfferOver`, `TournamentNews` and `SaidPhrase` report single events, once each; a
phrase may get lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from doublecross.client.core.room import RoomMirror, Status
from doublecross.client.core.session import Session
from doublecross.client.language import said
from doublecross.games.api import Game
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import (
    LobbyRating,
    LobbyRoom,
    LobbySeek,
    LobbyTournament,
    MatchResult,
    OpenTakeback,
    TournamentState,
)

OWN: Final = "me"
"""The connection of the person at the window, as opposed to a second person's."""


@dataclass(frozen=True, slots=True)
class RoomSnapshot:
    """A followed room at one moment, as the connection of `who` sees it.

    `at` is that moment, in seconds by the client's clock. `clock_ms` are the times left on the two
    clocks at that moment, in milliseconds, or None without clocks; the mover's clock runs on if
    `clock_runs`. `move_ms` is the mover's time left for this move, or None without such a limit.
    `present` says by seat who is connected. `claim_at` is the time from which this player may claim
    the win against an absent opponent, or None. `first_until` is the end of the time for the
    mover's first move, while no clock runs, or None. `sentence` is why the room was closed.
    `tournament` is the id of the tournament to which the match belongs, or None. `start` has the
    moves with which the match began; `moves` has them too. `evaluation` says whether spectators see
    who is ahead.
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
    start: tuple[int, ...] = ()
    takebacks: int = 0
    takeback: OpenTakeback | None = None
    knows_takebacks: tuple[bool, bool] = (False, False)
    first_until: float | None = None
    evaluation: bool = False

    @property
    def strict(self) -> bool:
        """Return whether players get no help: the match is rated or part of a tournament."""
        return self.rated or self.tournament is not None

    @property
    def settings(self) -> MatchSettings:
        """The settings of the match."""
        return MatchSettings(
            game=self.game.key,
            params=dict(self.game.params),
            opening=self.opening,
            start=self.start,
            time=self.time,
            rated=self.rated,
            evaluation=self.evaluation,
        )


@dataclass(frozen=True, slots=True)
class RoomGone:
    """A room is no longer followed. `sentence` gives the reason, unless this player left it."""

    who: str
    room: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class SaidPhrase:
    """The player in `seat` has said a phrase of the protocol in a room that `who` follows."""

    who: str
    room: str
    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class LobbySnapshot:
    """The lobby: players by name, seeks and rooms by age, open or running tournaments, and ratings.

    `stale` says that the connection was lost since the last update.
    """

    who: str
    players: tuple[PlayerInfo, ...]
    seeks: tuple[LobbySeek, ...]
    rooms: tuple[LobbyRoom, ...]
    stale: bool
    tournaments: tuple[LobbyTournament, ...] = ()
    ratings: tuple[LobbyRating, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open seek or challenge.

    If `mine`, it is this player's, to `other` or (None) to everybody. If not, it is a challenge by
    `other` to this player.
    """

    offer: str
    mine: bool
    other: str | None
    settings: MatchSettings


@dataclass(frozen=True, slots=True)
class OffersSnapshot:
    """All open offers by and to the player of connection `who`."""

    who: str
    offers: tuple[OpenOffer, ...]


@dataclass(frozen=True, slots=True)
class OfferOver:
    """An offer by or to this player ended without a match.

    `outcome` is cancelled, declined, expired or left. `reason` is for people and may be empty.
    """

    who: str
    offer: str
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """An offer by the player of connection `who` led to this room."""

    who: str
    room: str
    offer: str


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """A tournament of the player of `who` started or ended, or the player was set aside in it."""

    who: str
    state: TournamentState


LinkState = Literal["connecting", "connected", "lost", "ended", "closed"]
"""The state of a connection. The client reconnects when it is `lost`. It is `ended` for good by the
server or by an error, and `closed` by this window."""


@dataclass(frozen=True, slots=True)
class AnnouncementSnapshot:
    """An announcement of the server's host to `who`; an empty text ends it.

    `until_ms` is the date at which it is out of date, in milliseconds since 1970; None: unknown.
    """

    who: str
    text: str
    until_ms: int | None


@dataclass(frozen=True, slots=True)
class LinkSnapshot:
    """The connection of `who`.

    In the states `connecting` and `closed`, all earlier snapshots of the same `who` are outdated.
    `sentence` says what went wrong. `next_try_at` is the time of the next attempt to reconnect, in
    seconds by the client's clock; a time in the past means that an attempt is under way. `player`
    and `http` come from the welcome, as do `rooms`: the rooms in which the player had a seat then.
    `logged_out` says that the player's token opens no connection any more. `server` is the URL in
    use, if it is another one of the server than at first.
    """

    who: str
    state: LinkState
    sentence: str = ""
    next_try_at: float | None = None
    player: PlayerInfo | None = None
    http: str | None = None
    rooms: tuple[str, ...] = ()
    logged_out: bool = False
    server: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of some work: Tk's thread calls `deliver`, which calls back with it."""

    deliver: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Overflow:
    """Updates were dropped because too many waited. Request snapshots of everything."""


WindowUpdate = (
    RoomSnapshot
    | RoomGone
    | SaidPhrase
    | LobbySnapshot
    | OffersSnapshot
    | OfferOver
    | SeatTaken
    | TournamentNews
    | AnnouncementSnapshot
    | LinkSnapshot
    | Answer
    | Overflow
)
"""Anything that the network thread sends."""


def room_snapshot(who: str, mirror: RoomMirror, now: float) -> RoomSnapshot:
    """Return a snapshot of the room `mirror` at `now`, in seconds by the client's clock."""
    seats = mirror.presence.seats
    claim_at = None
    if mirror.seat is not None and mirror.status == "playing":
        claim_at = mirror.claim_at[1 - mirror.seat]
    return RoomSnapshot(
        who=who,
        room=mirror.room,
        at=now,
        game=mirror.game,
        opening=tuple(mirror.settings.opening),
        start=tuple(mirror.settings.start),
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
        evaluation=mirror.settings.evaluation,
        private=mirror.private,
        code=mirror.code,
        rematch=mirror.rematch,
        result=mirror.result,
        present=(seats[0].connected, seats[1].connected),
        claim_at=claim_at,
        first_until=mirror.clock.first_until,
        spectators=mirror.presence.spectators,
        sentence=said(mirror.sentence),
        tournament=None if mirror.tag is None else mirror.tag.tournament,
        takebacks=mirror.takebacks,
        takeback=mirror.takeback,
        knows_takebacks=(seats[0].takebacks, seats[1].takebacks),
    )


def lobby_snapshot(who: str, session: Session, connected: bool) -> LobbySnapshot:
    """Return a snapshot of the lobby that `session` follows, or an empty stale one.

    `connected` says whether the connection is open now.
    """
    lobby = session.lobby
    if lobby is None:
        return LobbySnapshot(who, (), (), (), True)
    return LobbySnapshot(
        who=who,
        players=tuple(sorted(lobby.players.values(), key=lambda player: player.name.casefold())),
        seeks=tuple(lobby.seeks.values()),
        rooms=tuple(lobby.rooms.values()),
        stale=lobby.stale or not connected,
        tournaments=tuple(lobby.tournaments.values()),
        ratings=tuple(r for r in lobby.ratings.values() if r.player in lobby.players),
    )


def offers_snapshot(who: str, session: Session) -> OffersSnapshot:
    """Return a snapshot of the open offers by and to the player of `session`."""
    mine = (
        OpenOffer(
            offer.offer,
            mine=True,
            other=getattr(offer.request, "player", None),
            settings=offer.request.settings,
        )
        for offer in session.offers.values()
        if not offer.withdrawn
    )
    theirs = (
        OpenOffer(c.challenge, mine=False, other=c.player.name, settings=c.settings)
        for c in session.challenges.values()
    )
    return OffersSnapshot(who, (*mine, *theirs))
