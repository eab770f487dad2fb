"""All that a client knows from its server, kept without I/O: player, rooms, lobby and offers.

Theory of operation
-------------------
`receive` takes one message, and the request that it answers if it answers one, and returns what
changed. It never raises for what a server says. Where the server must be asked for something
(a gap in a room, everything after a reconnect), the requests wait in `wanted` until the transport
takes them with `take_wanted` and sends them under ids of its own; their answers come back through
`receive` as those of any other request.

A room out of step is asked for once: after a `Gap` from the last event that is known, after a
`Desync` from 0, which brings it as a whole. When even the whole room makes no sense, it is lost.

After a welcome everything is asked for again: rooms followed before and rooms in which the player
has a seat, the lobby, and each open offer under its old idempotency key. The server then answers
with the offer, posted anew if a restart forgot it, or with the room that it led to meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from client.core.lobby import LobbyMirror
from client.core.offers import Offer, Offering, Offers
from client.core.room import Desync, Gap, RoomMirror
from client.core.updates import (
    LobbyUpdated,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    ServerClosing,
    TournamentChanged,
    Update,
)
from games.api import GameError
from protocol.client_messages import (
    AcceptChallenge,
    CancelChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    FollowLobby,
    JoinRoom,
    Leave,
    QuickMatch,
    Request,
    Resume,
    Seek,
    Watch,
)
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from protocol.server_messages import (
    Challenged,
    ChallengeSent,
    Closing,
    Done,
    Failed,
    LobbyChanged,
    LobbyState,
    MatchFinished,
    MatchStarted,
    MoveMade,
    Presence,
    RematchOffered,
    RoomClosed,
    RoomCreated,
    RoomEvent,
    RoomState,
    Seated,
    SeekPosted,
    ServerMessage,
    TournamentState,
    Welcome,
)
from protocol.server_messages import OfferEnded as OfferEndedNotice

__all__ = ["Build", "Desync", "Gap", "Offer", "RoomMirror", "Session"]

Build = Callable[[int], Request]
"""Makes a request under the id that it is given."""

MAX_CLOSED: Final = 64
"""Closed rooms whose mirrors are kept for a last look."""


class Session:
    """A client's picture of its server; read its fields, change it by `receive` alone.

    `player`, `epoch`, `token` and `welcome` are of the last welcome, None or empty before the
    first. `rooms` are the followed rooms, and the last few closed ones. `lobby` is None unless
    followed.
    """

    def __init__(self) -> None:
        self.welcome: Welcome | None = None
        self.player: PlayerInfo | None = None
        self.epoch: str = ""
        self.token: str = ""
        self.rooms: dict[str, RoomMirror] = {}
        self.lobby: LobbyMirror | None = None
        self._offers = Offers()
        self.wanted: list[Build] = []
        self._resyncing: dict[str, int] = {}

    @property
    def offers(self) -> dict[str, Offer]:
        """This player's own open seeks and challenges, by id."""
        return self._offers.mine

    @property
    def challenges(self) -> dict[str, Challenged]:
        """The open challenges to this player, by id."""
        return self._offers.challenges

    # -- for the transport -------------------------------------------------------------------

    def receive(
        self, message: ServerMessage, now: float, request: Request | None = None
    ) -> list[Update]:
        """Take one message; `request` is what it answers, None for notices and for events that
        are nobody's answer here. `now` is in seconds of any clock that never goes back."""
        handler = _HANDLERS.get(type(message))
        updates = [] if handler is None else handler(self, message, now, request)
        if self._offers.unconfirmed and type(message) not in (Challenged, Welcome):
            return [*self._offers.expire(), *updates]
        return updates

    def sending(self, request: Request) -> None:
        """A request is about to be sent; what is being withdrawn is not renewed any more."""
        if isinstance(request, CancelSeek | CancelChallenge):
            self._offers.withdrawing(request)

    def take_wanted(self) -> list[Build]:
        """The requests that are to be sent now; they are handed out once."""
        wanted, self.wanted = self.wanted, []
        return wanted

    @property
    def resume_requests(self) -> list[tuple[str, int]]:
        """The followed rooms with the last event that was seen of each, 0 for none."""
        return [
            (mirror.room, self._resyncing.get(mirror.room, mirror.seq))
            for mirror in self.rooms.values()
            if mirror.status != "closed"
        ]

    def lose(self, room: str, sentence: str) -> list[Update]:
        """The room cannot be followed any more."""
        self._resyncing.pop(room, None)
        mirror = self.rooms.get(room)
        if mirror is not None:
            if mirror.status == "closed":
                return []
            mirror.close(sentence)
            self._forget_closed()
        return [RoomLost(room, sentence)]

    # -- rooms -------------------------------------------------------------------------------

    def _event(self, event: RoomEvent, now: float, request: Request | None) -> list[Update]:
        mirror = self.rooms.get(event.room)
        if mirror is None or mirror.status == "closed":
            return []
        try:
            if not mirror.apply(event, now):
                return []
        except Gap:
            self._resync(mirror.room, mirror.seq)
            return []
        except Desync:
            self._resync(mirror.room, 0)
            return []
        if type(event) is RoomClosed:
            self._forget_closed()
        return [RoomChanged(event.room, event)]

    def _resync(self, room: str, seq: int) -> None:
        """Ask for the room from `seq`, unless it is being asked for already."""
        if room not in self._resyncing:
            self._resyncing[room] = seq
            self.wanted.append(lambda i: Resume(id=i, room=room, seq=seq))

    def _room_state(self, message: RoomState, now: float, request: Request | None) -> list[Update]:
        room = message.room
        resumed = isinstance(request, Resume | Watch)
        seated = self._offers.led_to(message, request)
        if resumed:
            self._resyncing.pop(room, None)
        try:
            changes = self._take_room(message, now, resumed)
        except (Desync, GameError) as error:
            whole = isinstance(request, Resume) and request.seq == 0
            if whole or isinstance(error, GameError):
                return [*seated, *self.lose(room, str(error))]
            self._resync(room, 0)
            return seated
        mirror = self.rooms[room]
        if isinstance(request, Watch | JoinRoom) and mirror.code is None:
            mirror.code = request.code
        if mirror.status == "closed":
            self._forget_closed()
        return [*seated, *changes]

    def _take_room(self, message: RoomState, now: float, resumed: bool) -> list[Update]:
        """Take a `room_state` into its mirror.

        Raises:
            Desync: it makes no sense.
            GameError: the game is unknown here.
        """
        mirror = self.rooms.get(message.room)
        events = message.events or ()
        whole = message.snapshot is not None or (bool(events) and events[0].seq == 1)
        if mirror is None or mirror.status == "closed":
            # A closed mirror leaves its place, so that the youngest are last in `rooms`.
            self.rooms.pop(message.room, None)
            self.rooms[message.room] = RoomMirror(message, now)
            return [RoomChanged(message.room)]
        if whole and (resumed or message.snapshot is None or message.snapshot.seq >= mirror.seq):
            code = mirror.code
            mirror.adopt(RoomMirror(message, now))
            mirror.code = mirror.code or code
            return [RoomChanged(message.room)]
        if message.snapshot is not None:
            return []  # older than what is known; only the answer to a resume goes back
        new = mirror.catch_up(message, now)
        if not new:
            return [RoomChanged(message.room)]
        return [RoomChanged(message.room, event) for event in new]

    def _presence(self, notice: Presence, now: float, request: Request | None) -> list[Update]:
        mirror = self.rooms.get(notice.room)
        if mirror is None:
            return []
        mirror.meet(notice, now)
        return [PresenceChanged(notice.room)]

    def _forget_closed(self) -> None:
        closed = [room for room, mirror in self.rooms.items() if mirror.status == "closed"]
        for room in closed[:-MAX_CLOSED]:
            del self.rooms[room]

    # -- offers ------------------------------------------------------------------------------

    def _seek_posted(self, m: SeekPosted, now: float, request: Request | None) -> list[Update]:
        return self._offers.posted(m.seek, request)

    def _challenge_sent(
        self, m: ChallengeSent, now: float, request: Request | None
    ) -> list[Update]:
        return self._offers.posted(m.challenge, request)

    def _challenged(self, notice: Challenged, now: float, request: Request | None) -> list[Update]:
        return self._offers.received(notice)

    def _offer_ended(
        self, notice: OfferEndedNotice, now: float, request: Request | None
    ) -> list[Update]:
        return self._offers.end(notice.offer, notice.outcome, notice.reason)

    # -- lobby, connection, answers ----------------------------------------------------------

    def _lobby_state(self, m: LobbyState, now: float, request: Request | None) -> list[Update]:
        if self.lobby is None:
            self.lobby = LobbyMirror()
        self.lobby.replace(m)
        return [LobbyUpdated()]

    def _lobby_changed(
        self, notice: LobbyChanged, now: float, request: Request | None
    ) -> list[Update]:
        if self.lobby is None or self.lobby.stale:
            return []
        self.lobby.change(notice)
        return [LobbyUpdated(notice)]

    def _welcome(self, m: Welcome, now: float, request: Request | None) -> list[Update]:
        first, restarted = self.welcome is None, self.epoch != m.epoch
        self.welcome, self.player, self.epoch, self.token = m, m.player, m.epoch, m.token
        updates: list[Update] = [] if first else [Reconnected(restarted)]
        self._offers.unconfirmed = set(self.challenges)
        resume = dict.fromkeys(m.rooms, 0) | dict(self.resume_requests)
        self.wanted.clear()
        self._resyncing.clear()
        for room, seq in resume.items():
            self._resync(room, seq)
        if self.lobby is not None:
            self.lobby.stale = True
            self.wanted.append(lambda i: FollowLobby(id=i))
        self.wanted.extend(_renewal(request) for request in self._offers.to_renew())
        return updates

    def _done(self, m: Done, now: float, request: Request | None) -> list[Update]:
        match request:
            case Leave(room=room):
                self._resyncing.pop(room, None)
                return [] if self.rooms.pop(room, None) is None else [RoomLeft(room)]
            case CancelSeek(seek=offer) | CancelChallenge(challenge=offer):
                return self._offers.end(offer, "cancelled")
            case DeclineChallenge(challenge=offer):
                return self._offers.end(offer, "declined", request.reason)
            case FollowLobby():
                self.lobby = None
        return []

    def _failed(self, m: Failed, now: float, request: Request | None) -> list[Update]:
        match request:
            case Resume(room=room):
                mirror = self.rooms.get(room)
                code = None if mirror is None else mirror.code
                if code is not None and m.code in (ErrorCode.WRONG_CODE, ErrorCode.NOT_SEATED):
                    # A spectator of a private room says its code again.
                    self.wanted.append(lambda i: Watch(id=i, room=room, code=code))
                    return []
                return self.lose(room, m.message)
            case Watch(room=room) if room in self._resyncing:
                return self.lose(room, m.message)
            case AcceptChallenge(challenge=challenge) | DeclineChallenge(challenge=challenge):
                if m.code == ErrorCode.UNKNOWN_CHALLENGE:
                    return self._offers.end(challenge, "expired", m.message)
            case Seek() | QuickMatch() | Challenge():
                offer = self._offers.made_by(request)
                if offer is not None:
                    return self._offers.end(offer.offer, "left", m.message)
            case CancelSeek(seek=offer_id) | CancelChallenge(challenge=offer_id):
                if m.code in (ErrorCode.UNKNOWN_SEEK, ErrorCode.UNKNOWN_CHALLENGE):
                    return self._offers.end(offer_id, "expired", m.message)
        return []

    def _tournament(self, m: TournamentState, now: float, request: Request | None) -> list[Update]:
        return [TournamentChanged(m)]

    def _closing(self, notice: Closing, now: float, request: Request | None) -> list[Update]:
        return [ServerClosing(notice.grace_ms)]


def _renewal(request: Offering) -> Build:
    """The same request, key included, under another id."""
    return lambda i: request.model_copy(update={"id": i})


_Handler = Callable[[Session, Any, float, Request | None], list[Update]]

_HANDLERS: Final[dict[type[object], _Handler]] = {
    **dict.fromkeys(
        (
            RoomCreated,
            Seated,
            MatchStarted,
            MoveMade,
            MatchFinished,
            RematchOffered,
            RoomClosed,
        ),
        Session._event,
    ),
    RoomState: Session._room_state,
    Presence: Session._presence,
    Welcome: Session._welcome,
    SeekPosted: Session._seek_posted,
    ChallengeSent: Session._challenge_sent,
    Challenged: Session._challenged,
    OfferEndedNotice: Session._offer_ended,
    LobbyState: Session._lobby_state,
    LobbyChanged: Session._lobby_changed,
    Done: Session._done,
    Failed: Session._failed,
    TournamentState: Session._tournament,
    Closing: Session._closing,
}
