"""The requests of the protocol as coroutines: each waits for its answer and returns it."""

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
    """What a client can ask of its server: rooms and matches here, the rest in `offers` and
    `tournaments`.

    All coroutines take `timeout` in seconds (None: the client's own) and raise:

        RequestRefused: the server said no, or this client does not understand its answer.
        TimeoutError: no answer came in time; it may or may not have been done.
        ConnectionEnded: the connection is over for good.

    When they return, `session` has what they brought: rooms are in `session.rooms`.
    """

    session: Session

    def __init__(self) -> None:
        self.offers = OfferCalls(self)
        self.tournaments = TournamentCalls(self)

    @abstractmethod
    async def request(self, build: Build, *, timeout: float | None = None) -> ServerMessage:
        """Send the request that `build` makes under a new id, and wait for its answer."""

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
        """Open a room and take `seat` in it (None: by chance)."""
        key = self.new_key()
        answer = await self.request(
            lambda i: CreateRoom(id=i, key=key, settings=settings, seat=seat, private=private),
            timeout=timeout,
        )
        return _expect(answer, RoomState)

    async def join(
        self, room: str, *, code: str | None = None, timeout: float | None = None
    ) -> RoomState:
        """Take the free seat of a waiting room."""
        answer = await self.request(lambda i: JoinRoom(id=i, room=room, code=code), timeout=timeout)
        return _expect(answer, RoomState)

    async def watch(
        self, room: str, *, code: str | None = None, timeout: float | None = None
    ) -> RoomState:
        """Follow a room as a spectator."""
        answer = await self.request(lambda i: Watch(id=i, room=room, code=code), timeout=timeout)
        return _expect(answer, RoomState)

    async def leave(self, room: str, *, timeout: float | None = None) -> Done:
        """Stop following a room; give up the seat in one that waits or has finished."""
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
        """Play `action`; the answer is `match_finished` when the mover's time was over.

        Say `match` and `ply` if the position that it was chosen for may have passed (None: those
        of the mirror now). `expected` is the final net score that a bot expects for itself,
        `fallback` marks a stand-in for an action that it failed to find.
        """
        if match is None or ply is None:
            mirror = self.session.rooms.get(room)
            if mirror is None or mirror.match == 0:
                raise RequestRefused(ErrorCode.WRONG_STATE, "No match is followed in that room.")
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
        """Give the match up."""
        answer = await self.request(lambda i: Resign(id=i, room=room), timeout=timeout)
        return _expect(answer, MatchFinished)

    async def abort(self, room: str, *, timeout: float | None = None) -> MatchFinished:
        """Call the match off before both seats have moved."""
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
        """Report that this bot failed at `ply`, by choosing an `illegal` action or otherwise;
        refused (`wrong_state`) in a casual match."""
        said = message[:200]
        answer = await self.request(
            lambda i: Crash(id=i, room=room, match=match, ply=ply, message=said, illegal=illegal),
            timeout=timeout,
        )
        return _expect(answer, MatchFinished)

    async def rematch(
        self, room: str, *, timeout: float | None = None
    ) -> RematchOffered | MatchStarted:
        """Offer or accept another match, seats swapped."""
        answer = await self.request(lambda i: Rematch(id=i, room=room), timeout=timeout)
        return _expect(answer, RematchOffered, MatchStarted)

    # -- the rest ----------------------------------------------------------------------------

    async def follow_lobby(
        self, on: bool = True, *, timeout: float | None = None
    ) -> LobbyState | Done:
        """Follow the lobby in `session.lobby`, or stop."""
        answer = await self.request(lambda i: FollowLobby(id=i, on=on), timeout=timeout)
        return _expect(answer, LobbyState, Done)

    async def get_record(self, game_id: str, *, timeout: float | None = None) -> RecordFound:
        """Return the text record of a finished game."""
        answer = await self.request(lambda i: GetRecord(id=i, game_id=game_id), timeout=timeout)
        return _expect(answer, RecordFound)

    async def ping(self, *, timeout: float | None = None) -> Pong:
        """Ask for a sign of life."""
        return _expect(await self.request(lambda i: Ping(id=i), timeout=timeout), Pong)


class OfferCalls:
    """Seeks and challenges: requests for an opponent. They behave as those of `Calls`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def seek(
        self, settings: MatchSettings, *, seat: int | None = None, timeout: float | None = None
    ) -> SeekPosted | RoomState:
        """Post an open offer; it is posted again by itself when the server forgets it."""
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
        """Take one's own seek back."""
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
        """Offer a match to one connected player."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: Challenge(id=i, key=key, player=player, settings=settings, seat=seat),
            timeout=timeout,
        )
        return _expect(answer, ChallengeSent, RoomState)

    async def cancel_challenge(self, challenge: str, *, timeout: float | None = None) -> Done:
        """Take one's own challenge back."""
        answer = await self._calls.request(
            lambda i: CancelChallenge(id=i, challenge=challenge), timeout=timeout
        )
        return _expect(answer, Done)

    async def accept_challenge(self, challenge: str, *, timeout: float | None = None) -> RoomState:
        """Accept a challenge to oneself."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: AcceptChallenge(id=i, key=key, challenge=challenge), timeout=timeout
        )
        return _expect(answer, RoomState)

    async def decline_challenge(
        self, challenge: str, reason: str = "", *, timeout: float | None = None
    ) -> Done:
        """Decline a challenge to oneself."""
        answer = await self._calls.request(
            lambda i: DeclineChallenge(id=i, challenge=challenge, reason=reason), timeout=timeout
        )
        return _expect(answer, Done)


class TournamentCalls:
    """Requests about tournaments. They behave as those of `Calls`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self, terms: TournamentTerms, *, key: str | None = None, timeout: float | None = None
    ) -> TournamentState:
        """Open a tournament, which this player organises; with the `key` of an earlier one, that
        one again."""
        key = key or self._calls.new_key()
        answer = await self._calls.request(
            lambda i: CreateTournament(id=i, key=key, terms=terms), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def join(
        self, tournament: str, *, at_once: int = 1, timeout: float | None = None
    ) -> TournamentState:
        """Enter a tournament, or come back into it, for `at_once` games at a time."""
        answer = await self._calls.request(
            lambda i: JoinTournament(id=i, tournament=tournament, at_once=at_once),
            timeout=timeout,
        )
        return _expect(answer, TournamentState)

    async def leave(self, tournament: str, *, timeout: float | None = None) -> Done:
        """Leave a tournament: get no more games of it."""
        answer = await self._calls.request(
            lambda i: LeaveTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, Done)

    async def start(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Start one's own tournament."""
        answer = await self._calls.request(
            lambda i: StartTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def end(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """End one's own tournament: no game is begun any more."""
        answer = await self._calls.request(
            lambda i: EndTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)

    async def set_aside(
        self, tournament: str, player: str, reason: str = "", *, timeout: float | None = None
    ) -> TournamentState:
        """Set a player of one's own tournament aside."""
        answer = await self._calls.request(
            lambda i: SetAside(id=i, tournament=tournament, player=player, reason=reason),
            timeout=timeout,
        )
        return _expect(answer, TournamentState)

    async def get(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Return how a tournament stands."""
        answer = await self._calls.request(
            lambda i: GetTournament(id=i, tournament=tournament), timeout=timeout
        )
        return _expect(answer, TournamentState)


@overload
def _expect(answer: object, kind: type[First], /) -> First: ...
@overload
def _expect(answer: object, kind: type[First], other: type[Second], /) -> First | Second: ...
def _expect(answer: object, *kinds: type[object]) -> object:
    """Return `answer`, which must be of one of `kinds`."""
    if isinstance(answer, kinds):
        return answer
    raise RequestRefused(
        "unexpected_answer",
        f"The server answered with {type(answer).__name__}, which does not fit the request.",
    )
