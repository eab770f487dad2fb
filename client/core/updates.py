"""Define the updates of a session: small values that name what changed."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.protocol.server_messages import (
    Challenged,
    LobbyChanged,
    RoomEvent,
    TournamentState,
)


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """A followed room has changed.

    `event` is the event that changed it. None means that the room came as a whole, because it is
    newly followed or because events were missed.
    """

    room: str
    event: RoomEvent | None = None


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The people present in a followed room have changed."""

    room: str


@dataclass(frozen=True, slots=True)
class PhraseHeard:
    """A player of a followed room has said a phrase of the protocol; see `SayPhrase`."""

    room: str
    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class RoomLeft:
    """This client has left the room and no longer follows it."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomLost:
    """The room can no longer be followed.

    Either the server has no such room, or its description of the room contradicts the rules. The
    room's mirror, if there was one, is closed. `sentence` gives the reason.
    """

    room: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SeatedByOffer:
    """A seek or challenge of this player led to a room, which is now followed.

    `origin` is the id of the offer. A `RoomChanged` comes next.
    """

    room: str
    origin: str


@dataclass(frozen=True, slots=True)
class SeatGiven:
    """A new room has a seat for this player, without a request or an offer of this client.

    A tournament, or another connection of the player, led to it. A `RoomChanged` comes next.
    """

    room: str


@dataclass(frozen=True, slots=True)
class LobbyUpdated:
    """The lobby has changed. `change` is None when the lobby came as a whole."""

    change: LobbyChanged | None = None


@dataclass(frozen=True, slots=True)
class ChallengeReceived:
    """Another player has challenged this one to a match."""

    challenge: Challenged


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """A seek or challenge, by or to this player, ended without a match.

    `outcome` is cancelled, declined, expired or left. `reason` is for people and may be empty.
    """

    offer: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OfferRenewed:
    """A seek or challenge of this player was renewed after a reconnect and has a new id."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """A tournament of this player has started or ended, or this client asked for its state."""

    state: TournamentState


@dataclass(frozen=True, slots=True)
class ReviewChanged:
    """The review of the finished game `game_id` has changed; `Session.reviews` has it."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Announced:
    """The host tells all players something, until a date (ms) if there is one; empty: no more.

    `Session.announcement` has the last one.
    """

    text: str
    until_ms: int | None


@dataclass(frozen=True, slots=True)
class TurnCame:
    """It is this player's turn in a correspondence game that this client does not follow."""

    room: str


@dataclass(frozen=True, slots=True)
class ServerClosing:
    """The server shuts down in `grace_ms` milliseconds. This client reconnects by itself."""

    grace_ms: int


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection broke. The client tries to reconnect; see `Client.next_try_in`."""

    sentence: str


@dataclass(frozen=True, slots=True)
class StorageFailing:
    """The server cannot store what this client asked for; the client goes on trying."""


@dataclass(frozen=True, slots=True)
class StorageRecovered:
    """The server stores again what this client asks for, after `StorageFailing`."""


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The connection is back. Each room reports by updates of its own what changed meanwhile.

    `epoch_changed` is true when the server was restarted in between.
    """

    epoch_changed: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """The consumer was too slow and lost updates. It must read the whole session again."""


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The connection is over, and no more updates come."""

    sentence: str


Update = (
    RoomChanged
    | PresenceChanged
    | PhraseHeard
    | RoomLeft
    | RoomLost
    | SeatedByOffer
    | SeatGiven
    | LobbyUpdated
    | ChallengeReceived
    | OfferClosed
    | OfferRenewed
    | TournamentChanged
    | ReviewChanged
    | Announced
    | ServerClosing
    | TurnCame
    | ConnectionLost
    | StorageFailing
    | StorageRecovered
    | Reconnected
    | Missed
    | SessionEnded
)
"""Any update of a session."""
