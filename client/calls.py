"""Offer the requests of the protocol as coroutines that return the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar, overload

from client.core.build import Build
from client.core.errors import RequestRefused
from client.core.session import Session
from protocol.client_messages import (
    Abort,
    AcceptChallenge,
    AcceptSeek,
    CancelChallenge,
    CancelSeek,
    Challenge,
    Claim,
    Crash,
    CreateRoom,
    CreateTournament,
    DeclineChallenge,
    EndTournament,
    FollowLobby,
    GetRecord,
    GetTournament,
    JoinRoom,
    JoinTournament,
    Leave,
    LeaveTournament,
    Move,
    Ping,
    QuickMatch,
    Rematch,
    Resign,
    Seek,
    SetAside,
    StartTournament,
    TakeBack,
    Watch,
)
from protocol.common import MatchSettings, TournamentTerms
from protocol.errors import ErrorCode
from protocol.server_messages import (
    ChallengeSent,
    Done,
    LobbyState,
    MatchFinished,
    MatchStarted,
    MoveMade,
    Pong,
    RecordFound,
    RematchOffered,
    RoomState,
    SeekPosted,
    ServerMessage,
    TournamentState,
)

First = TypeVar("First")
Second = TypeVar("Second")


class Calls(ABC):
    """The requests about rooms and matches; `offers` and `tournaments` have the others.

    All coroutines take `timeout` in seconds (None for the client's default) and raise:

        RequestRefused: the server refused, or this client cannot interpret the answer.
        TimeoutError: no answer came in time. The server may have carried the request out.
        ConnectionEnded: the connection is over for good.

    When a coroutine returns, `session` already shows its effect: rooms are in `session.rooms`.
    """

    session: Session

    def __init__(self) -> None:
        self.offers = OfferCalls(self)
        self.tournaments = TournamentCalls(self)

    @abstractmethod
    async def request(self, build: Build, *, timeout: float | None = None) -> ServerMessage:
        """Send the request that `build` makes with a new id, and return the answer."""

    @abstractmethod
    def new_key(self) -> str:
        """Return a new idempotency key."""

    # -- rooms -------------------------------------------------------------------------------

    async def create_room(
        self,
        settings: MatchSettings,
        *,
        seat: int | None = None,
        private: bool = False,
        timeout: float | None = None,
    ) -> RoomState:
        """Open a room and take `seat` in it (None for a random one)."""
        key = self.new_key()
        answer = await self.request(
            lambda i: CreateRoom(id=i, key=key, settings=settings, seat=seat, private=private),
            timeout=timeout,
        )
        return _expect(answer, RoomState)

    async def join(
        self, room: str, *, code: str | None = None, timeout: float | None = None
    ) -> RoomState:
        """Take the free seat of a waiting room; a private room needs its `code`."""
        answer = await self.request(lambda i: JoinRoom(id=i, room=room, code=code), timeout=timeout)
        return _expect(answer, RoomState)

    async def watch(
        self, room: str, *, code: str | None = None, timeout: float | None = None
    ) -> RoomState:
        """Follow a room as a spectator; a private room needs its `code`."""
        answer = await self.request(lambda i: Watch(id=i, room=room, code=code), timeout=timeout)
        return _expect(answer, RoomState)

    async def leave(self, room: str, *, timeout: float | None = None) -> Done:
        """Stop following a room, and give up the seat unless a match is being played."""
        return _expect(await self.request(lambda i: Leave(id=i, room=room), timeout=timeout), Done)

    # -- matches -----------------------------------------------------------------------------

    async def move(
        self,
        room: str,
        action: int,
        *,
        match: int | None = None,
        ply: int | None = None,
        expected: float | None = None,
        fallback: bool = False,
        timeout: float | None = None,
    ) -> MoveMade | MatchFinished:
        """Play `action`; return `match_finished` if the mover's time had run out.

        `match` and `ply` name the position for which the action was chosen. Give them when the
        mirror may show a later position by now (None takes the mirror's). `expected` is the final
        net score that a bot expects for itself. `fallback` marks an action that replaces one which
        the bot failed to choose.
        """
        if match is None or ply is None:
            mirror = self.session.rooms.get(room)
            if mirror is None or mirror.match == 0:
                raise RequestRefused(
                    ErrorCode.WRONG_STATE,
                    "This client follows no match in that room; watch or join it first.",
                )
            match = mirror.match if match is None else match
            ply = mirror.state.ply if ply is None else ply
        at_match, at_ply = match, ply
        answer = await self.request(
            lambda i: Move(
                id=i,
                room=room,
                match=at_match,
                ply=at_ply,
                action=action,
                expected=expected,
                fallback=fallback,
            ),
            timeout=timeout,
        )
        return _expect(answer, MoveMade, MatchFinished)

    async def resign(self, room: str, *, timeout: float | None = None) -> MatchFinished:
        """Resign the match."""
        answer = await self.request(lambda i: Resign(id=i, room=room), timeout=timeout)
        return _expect(answer, MatchFinished)

    async def abort(self, room: str, *, timeout: float | None = None) -> MatchFinished:
        """Abort the match, which is possible until both seats have moved."""
        answer = await self.request(lambda i: Abort(id=i, room=room), timeout=timeout)
        return _expect(answer, MatchFinished)

    async def claim(self, room: str, *, timeout: float | None = None) -> MatchFinished:
        """Claim the win against an opponent who stayed away."""
        answer = await self.request(lambda i: Claim(id=i, room=room), timeout=timeout)
        return _expect(answer, MatchFinished)

    async def crash(
        self,
        room: str,
        match: int,
        ply: int,
        message: str = "",
        *,
        illegal: bool = False,
        timeout: float | None = None,
    ) -> MatchFinished:
        """Report that this bot failed to choose an action at `ply`.

        `illegal` says that it chose an illegal action. The server refuses the report
        (`wrong_state`) in a casual match, which no bot loses by a failure.
        """
        reason = message[:200]  # the protocol's limit
        answer = await self.request(
            lambda i: Crash(id=i, room=room, match=match, ply=ply, message=reason, illegal=illegal),
            timeout=timeout,
        )
        return _expect(answer, MatchFinished)

    async def rematch(
        self, room: str, *, timeout: float | None = None
    ) -> RematchOffered | MatchStarted:
        """Offer or accept a rematch, with the seats swapped."""
        answer = await self.request(lambda i: Rematch(id=i, room=room), timeout=timeout)
        return _expect(answer, RematchOffered, MatchStarted)

    # -- lobby, records and pings ------------------------------------------------------------

    async def follow_lobby(
        self, on: bool = True, *, timeout: float | None = None
    ) -> LobbyState | Done:
        """Follow the lobby in `session.lobby`, or stop following it."""
        answer = await self.request(lambda i: FollowLobby(id=i, on=on), timeout=timeout)
        return _expect(answer, LobbyState, Done)

    async def get_record(self, game_id: str, *, timeout: float | None = None) -> RecordFound:
        """Return the text record of a finished game."""
        answer = await self.request(lambda i: GetRecord(id=i, game_id=game_id), timeout=timeout)
        return _expect(answer, RecordFound)

    async def ping(self, *, timeout: float | None = None) -> Pong:
        """Send a ping and return its answer."""
        return _expect(await self.request(lambda i: Ping(id=i), timeout=timeout), Pong)


class OfferCalls:
    """The requests about seeks and challenges. See `Calls` for their parameters and errors."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def seek(
        self, settings: MatchSettings, *, seat: int | None = None, timeout: float | None = None
    ) -> SeekPosted | RoomState:
        """Post a seek; the client renews it when a restart of the server loses it."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: Seek(id=i, key=key, settings=settings, seat=seat), timeout=timeout
        )
        return _expect(answer, SeekPosted, RoomState)

    async def quick_match(
        self, settings: MatchSettings, *, timeout: float | None = None
    ) -> SeekPosted | RoomState:
        """Accept the oldest open seek with these settings, or post one."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: QuickMatch(id=i, key=key, settings=settings), timeout=timeout
        )
        return _expect(answer, SeekPosted, RoomState)

    async def cancel_seek(self, seek: str, *, timeout: float | None = None) -> Done:
        """Cancel a seek of this player."""
        answer = await self._calls.request(lambda i: CancelSeek(id=i, seek=seek), timeout=timeout)
        return _expect(answer, Done)

    async def accept_seek(self, seek: str, *, timeout: float | None = None) -> RoomState:
        """Accept another player's seek."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: AcceptSeek(id=i, key=key, seek=seek), timeout=timeout
        )
        return _expect(answer, RoomState)

    async def challenge(
        self,
        player: str,
        settings: MatchSettings,
        *,
        seat: int | None = None,
        timeout: float | None = None,
    ) -> ChallengeSent | RoomState:
        """Challenge one connected player to a match."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: Challenge(id=i, key=key, player=player, settings=settings, seat=seat),
            timeout=timeout,
        )
        return _expect(answer, ChallengeSent, RoomState)

    async def cancel_challenge(self, challenge: str, *, timeout: float | None = None) -> Done:
        """Cancel a challenge of this player."""
        answer = await self._calls.request(
            lambda i: CancelChallenge(id=i, challenge=challenge), timeout=timeout
        )
        return _expect(answer, Done)

    async def accept_challenge(self, challenge: str, *, timeout: float | None = None) -> RoomState:
        """Accept a challenge to this player."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: AcceptChallenge(id=i, key=key, challenge=challenge), timeout=timeout
        )
        return _expect(answer, RoomState)

    async def decline_challenge(
        self, challenge: str, reason: str = "", *, timeout: float | None = None
    ) -> Done:
        """Decline a challenge to this player."""
        answer = await self._calls.request(
            lambda i: DeclineChallenge(id=i, challenge=challenge, reason=reason), timeout=timeout
        )
        return _expect(answer, Done)


class TournamentCalls:
    """The requests about tournaments. See `Calls` for their parameters and errors."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self, terms: TournamentTerms, *, key: str | None = None, timeout: float | None = None
    ) -> TournamentState:
        """Create a tournament that this player organises.

        With the `key` of an earlier call, return the tournament that the earlier call created.
        """
        key = key or self._calls.new_key()
        answer = await self._calls.request(
            lambda i: CreateTournament(id=i, key=key, terms=terms), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def join(
        self, tournament: str, *, at_once: int = 1, timeout: float | None = None
    ) -> TournamentState:
        """Join or rejoin a tournament, for `at_once` games at a time."""
        answer = await self._calls.request(
            lambda i: JoinTournament(id=i, tournament=tournament, at_once=at_once),
            timeout=timeout,
        )
        return _expect(answer, TournamentState)

    async def leave(self, tournament: str, *, timeout: float | None = None) -> Done:
        """Leave a tournament: this player gets no more games in it."""
        answer = await self._calls.request(
            lambda i: LeaveTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, Done)

    async def start(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Start a tournament that this player organises."""
        answer = await self._calls.request(
            lambda i: StartTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def end(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """End a tournament that this player organises: no further game starts."""
        answer = await self._calls.request(
            lambda i: EndTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def set_aside(
        self, tournament: str, player: str, reason: str = "", *, timeout: float | None = None
    ) -> TournamentState:
        """Set a player aside in a tournament that this player organises: they get no more games."""
        answer = await self._calls.request(
            lambda i: SetAside(id=i, tournament=tournament, player=player, reason=reason),
            timeout=timeout,
        )
        return _expect(answer, TournamentState)

    async def take_back(
        self, tournament: str, player: str, *, timeout: float | None = None
    ) -> TournamentState:
        """Let a player who was set aside play again in a tournament that this player organises."""
        answer = await self._calls.request(
            lambda i: TakeBack(id=i, tournament=tournament, player=player), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def get(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Return the state of a tournament."""
        answer = await self._calls.request(
            lambda i: GetTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)


@overload
def _expect(answer: object, kind: type[First], /) -> First: ...
@overload
def _expect(answer: object, kind: type[First], other: type[Second], /) -> First | Second: ...
def _expect(answer: object, *kinds: type[object]) -> object:
    """Return `answer`.

    Raises:
        RequestRefused: its type is none of `kinds`.
    """
    if isinstance(answer, kinds):
        return answer
    raise RequestRefused(
        "unexpected_answer",
        f"The server answered with {type(answer).__name__}, which does not fit the request.",
    )
