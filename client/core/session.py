"""Mirror everything that the server has sent to one client: player, rooms, lobby and offers.

Theory of operation
-------------------
`receive` applies one message, together with the request that it answers, if any. It returns what
changed, and raises for no message. When the session needs something from the server (events after
a gap, everything after a reconnect), it puts requests into `wanted`. The transport fetches them
with `take_wanted`, gives them ids and sends them. Their answers come back through `receive`, like
all others.

After a welcome the session asks for everything again: the rooms that it followed, the rooms in
which the player has a seat, the lobby, the review under way, and each open offer under its old
idempotency key. The server answers each offer with the offer itself, posted again if a restart of
the server lost it, or with the room that the offer led to meanwhile.
"""

from __future__ import annotations

from doublecross.client.core.build import Build
from doublecross.client.core.lobby import LobbyMirror
from doublecross.client.core.offers import Offers
from doublecross.client.core.reviews import Reviews
from doublecross.client.core.rooms import FollowedRooms
from doublecross.client.core.updates import (
    Announced,
    LobbyUpdated,
    Reconnected,
    SeatGiven,
    ServerClosing,
    TournamentChanged,
    TurnCame,
    Update,
)
from doublecross.protocol.client_messages import (
    CancelChallenge,
    CancelSeek,
    FollowLobby,
    GetReview,
    Leave,
    Request,
    Resume,
    Watch,
)
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import (
    Announcement,
    Challenged,
    ChallengeSent,
    Closing,
    Done,
    Failed,
    LobbyChanged,
    LobbyState,
    OfferEnded,
    PhraseSaid,
    Presence,
    ReviewState,
    RoomEvent,
    RoomState,
    SeekPosted,
    ServerMessage,
    TournamentState,
    Welcome,
    YourTurn,
)


class Session:
    """The client's mirror of the server; callers read its fields, only `receive` changes them.

    `player`, `epoch` and `welcome` come from the last welcome; they are None or empty before the
    first one. `rooms` has the followed rooms and the last closed ones. `lobby` is None unless the
    client follows it. `offers` has this player's open seeks and challenges, `challenges` the open
    challenges to this player, both by id. `reviews` has the reviews of finished games that it waits
    for, and the last finished ones, by the id of the game. `announcement` is the last one of the
    server's host, also when it is out of date.
    """

    def __init__(self) -> None:
        self.welcome: Welcome | None = None
        self.player: PlayerInfo | None = None
        self.epoch: str = ""
        self.lobby: LobbyMirror | None = None
        self.announcement: Announcement | None = None
        self.wanted: list[Build] = []
        self._rooms = FollowedRooms(self.wanted.append)
        self._offers = Offers()
        self._reviews = Reviews()
        self.rooms = self._rooms.mirrors
        self.offers = self._offers.mine
        self.challenges = self._offers.challenges
        self.reviews = self._reviews.known

    @property
    def arriving(self) -> int:
        """The number of rooms that this player has asked for and that are not here yet."""
        return self._rooms.arriving

    def receive(
        self, message: ServerMessage, now: float, request: Request | None = None
    ) -> list[Update]:
        """Apply one message and return what changed.

        `request` is the request that it answers, or None. `now` is in seconds, by a clock that
        never goes back.
        """
        updates = self._take(message, now, request)
        if self._offers.unconfirmed and not isinstance(message, Challenged | Welcome):
            return [*self._offers.expire(), *updates]
        return updates

    def note_request(self, request: Request) -> None:
        """Note a request that is about to be sent: an offer that it cancels is not renewed."""
        if isinstance(request, CancelSeek | CancelChallenge):
            self._offers.withdraw(request)

    def take_wanted(self) -> list[Build]:
        """Return the requests that the session needs, and forget them."""
        wanted = self.wanted.copy()
        self.wanted.clear()
        return wanted

    def _take(self, message: ServerMessage, now: float, request: Request | None) -> list[Update]:
        match message:
            case RoomEvent():
                return self._rooms.take_event(message, now)
            case Presence():
                return self._rooms.take_presence(message, now)
            case PhraseSaid():
                return self._rooms.take_phrase(message)
            case RoomState():
                asked = message.id is not None or message.room in self.rooms
                seated = self._offers.seat(message, request)
                changes = self._rooms.take_state(message, now, request)
                given = not asked and message.seat is not None and message.room in self.rooms
                if given and not seated:
                    seated.append(SeatGiven(message.room))
                return [*seated, *changes]
            case Done():
                return self._take_done(request)
            case Failed():
                return self._take_failure(message, request)
            case SeekPosted(seek=offer) | ChallengeSent(challenge=offer):
                return self._offers.posted(offer, request)
            case Challenged():
                return self._offers.received(message)
            case OfferEnded():
                return self._offers.end(message.offer, message.outcome, message.reason)
            case LobbyState():
                self.lobby = self.lobby or LobbyMirror()
                self.lobby.replace(message)
                return [LobbyUpdated()]
            # Before the next full lobby message there is no state to which a change applies.
            case LobbyChanged() if self.lobby is not None and not self.lobby.stale:
                self.lobby.change(message)
                return [LobbyUpdated(message)]
            case TournamentState():
                return [TournamentChanged(message)]
            case ReviewState():
                return self._reviews.take(message, request)
            case Announcement():
                self.announcement = message if message.text else None
                return [Announced(message.text, message.until_ms)]
            case YourTurn(room=room):
                # In a cluster it also comes to a connection that follows the room.
                return [] if room in self.rooms else [TurnCame(room)]
            case Closing():
                return [ServerClosing(message.grace_ms)]
            case Welcome():
                return self._take_welcome(message)
        return []

    def _take_welcome(self, message: Welcome) -> list[Update]:
        first, restarted = self.welcome is None, self.epoch != message.epoch
        self.welcome, self.player = message, message.player
        self.epoch = message.epoch
        # Requests of the last connection are obsolete; the lines below ask for everything again.
        self.wanted.clear()
        self._rooms.resume(message.rooms)
        if self.lobby is not None:
            self.lobby.stale = True
            self.wanted.append(lambda i: FollowLobby(id=i))
        self.wanted.extend(self._offers.renew())
        self.wanted.extend(self._reviews.renew())
        return [] if first else [Reconnected(restarted)]

    def _take_done(self, request: Request | None) -> list[Update]:
        if isinstance(request, Leave):
            return self._rooms.leave(request.room)
        if isinstance(request, FollowLobby):
            self.lobby = None
        return self._offers.take_done(request)

    def _take_failure(self, message: Failed, request: Request | None) -> list[Update]:
        if isinstance(request, Resume | Watch):
            return self._rooms.refuse(message, request)
        if isinstance(request, GetReview):
            return self._reviews.refuse(message, request)
        return self._offers.take_failure(message, request)
