"""What changed in a session: small values that tell a consumer where to look."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.server_messages import Challenged, LobbyChanged, RoomEvent, TournamentState


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """A followed room has changed. `event` is what happened; None: the room came as a whole,
    because it is newly followed or because events were missed."""

    room: str
    event: RoomEvent | None = None


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Somebody came to a followed room or went away."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomLeft:
    """The room is no longer followed, because this client left it."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomLost:
    """The room cannot be followed any more: the server does not have it, or what it says of it
    does not follow the rules. Its mirror, if there was one, is closed."""

    room: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SeatedByOffer:
    """A seek or challenge of this player led to a room, which is now followed; `origin` is the
    id of the offer. A `RoomChanged` follows."""

    room: str
    origin: str


@dataclass(frozen=True, slots=True)
class LobbyUpdated:
    """The lobby has changed; `change` None: it came as a whole."""

    change: LobbyChanged | None = None


@dataclass(frozen=True, slots=True)
class ChallengeReceived:
    """Another player offers a match."""

    challenge: Challenged


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """A seek or challenge, of or to this player, ended without a match.

    `outcome` is cancelled, declined, expired or left.
    """

    offer: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OfferRenewed:
    """An own seek or challenge was offered again after a reconnect and has a new id."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """A tournament of this player has started or ended, or was asked for; `state` is what is so."""

    state: TournamentState


@dataclass(frozen=True, slots=True)
class ServerClosing:
    """The server goes down; this client comes back by itself. `grace_ms` in milliseconds."""

    grace_ms: int


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection broke; the client tries again, see `Client.next_try_in`."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The connection is back; `epoch_changed`: the server has been restarted meanwhile. Rooms
    catch up by their own updates."""

    epoch_changed: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """The consumer was too slow and updates were thrown away: look at the whole session."""


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The connection is over for good; nothing follows."""

    sentence: str


Update = (
    RoomChanged
    | PresenceChanged
    | RoomLeft
    | RoomLost
    | SeatedByOffer
    | LobbyUpdated
    | ChallengeReceived
    | OfferClosed
    | OfferRenewed
    | TournamentChanged
    | ServerClosing
    | ConnectionLost
    | Reconnected
    | Missed
    | SessionEnded
)
"""Anything that can change."""
