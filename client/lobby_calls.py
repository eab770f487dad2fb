"""Offer the requests about offers and tournaments as coroutines that return the answer."""

from __future__ import annotations

from doublecross.client.requesting import Requester, expect
from doublecross.protocol.client_messages import (
    AcceptChallenge,
    AcceptSeek,
    ArrangeMatch,
    CancelChallenge,
    CancelSeek,
    Challenge,
    CreateTournament,
    DeclineChallenge,
    EndTournament,
    GetTournament,
    JoinTournament,
    LeaveTournament,
    QuickMatch,
    Seek,
    SetAside,
    StartTournament,
    TakeBack,
)
from doublecross.protocol.common import MatchSettings, TournamentTerms
from doublecross.protocol.server_messages import (
    ChallengeSent,
    Done,
    RoomState,
    SeekPosted,
    TournamentState,
)


class OfferCalls:
    """The requests about seeks and challenges.

    See `doublecross.client.calls` for parameters and errors.
    """

    def __init__(self, calls: Requester) -> None:
        self._calls = calls

    async def seek(
        self, settings: MatchSettings, *, seat: int | None = None, timeout: float | None = None
    ) -> SeekPosted | RoomState:
        """Post a seek; the client renews it when a restart of the server loses it."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: Seek(id=i, key=key, settings=settings, seat=seat), timeout=timeout
        )
        return expect(answer, SeekPosted, RoomState)

    async def quick_match(
        self, settings: MatchSettings, *, timeout: float | None = None
    ) -> SeekPosted | RoomState:
        """Accept the oldest open seek with these settings, or post one."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: QuickMatch(id=i, key=key, settings=settings), timeout=timeout
        )
        return expect(answer, SeekPosted, RoomState)

    async def cancel_seek(self, seek: str, *, timeout: float | None = None) -> Done:
        """Cancel a seek of this player."""
        answer = await self._calls.request(lambda i: CancelSeek(id=i, seek=seek), timeout=timeout)
        return expect(answer, Done)

    async def accept_seek(self, seek: str, *, timeout: float | None = None) -> RoomState:
        """Accept another player's seek."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: AcceptSeek(id=i, key=key, seek=seek), timeout=timeout
        )
        return expect(answer, RoomState)

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
        return expect(answer, ChallengeSent, RoomState)

    async def cancel_challenge(self, challenge: str, *, timeout: float | None = None) -> Done:
        """Cancel a challenge of this player."""
        answer = await self._calls.request(
            lambda i: CancelChallenge(id=i, challenge=challenge), timeout=timeout
        )
        return expect(answer, Done)

    async def accept_challenge(self, challenge: str, *, timeout: float | None = None) -> RoomState:
        """Accept a challenge to this player."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: AcceptChallenge(id=i, key=key, challenge=challenge), timeout=timeout
        )
        return expect(answer, RoomState)

    async def decline_challenge(
        self, challenge: str, reason: str = "", *, timeout: float | None = None
    ) -> Done:
        """Decline a challenge to this player."""
        answer = await self._calls.request(
            lambda i: DeclineChallenge(id=i, challenge=challenge, reason=reason), timeout=timeout
        )
        return expect(answer, Done)

    async def arrange_match(
        self, first: str, second: str, settings: MatchSettings, *, timeout: float | None = None
    ) -> RoomState:
        """Let two connected bots play each other, the first in seat 0, and watch them."""
        key = self._calls.new_key()
        answer = await self._calls.request(
            lambda i: ArrangeMatch(id=i, key=key, players=(first, second), settings=settings),
            timeout=timeout,
        )
        return expect(answer, RoomState)


class TournamentCalls:
    """The requests about tournaments; see `doublecross.client.calls` for parameters and errors."""

    def __init__(self, calls: Requester) -> None:
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
        return expect(answer, TournamentState)

    async def join(
        self, tournament: str, *, at_once: int = 1, timeout: float | None = None
    ) -> TournamentState:
        """Join or rejoin a tournament, for `at_once` games at a time."""
        answer = await self._calls.request(
            lambda i: JoinTournament(id=i, tournament=tournament, at_once=at_once),
            timeout=timeout,
        )
        return expect(answer, TournamentState)

    async def leave(self, tournament: str, *, timeout: float | None = None) -> Done:
        """Leave a tournament: this player gets no more games in it."""
        answer = await self._calls.request(
            lambda i: LeaveTournament(id=i, tournament=tournament), timeout=timeout
        )
        return expect(answer, Done)

    async def start(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Start a tournament that this player organises."""
        answer = await self._calls.request(
            lambda i: StartTournament(id=i, tournament=tournament), timeout=timeout
        )
        return expect(answer, TournamentState)

    async def end(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """End a tournament that this player organises: no further game starts."""
        answer = await self._calls.request(
            lambda i: EndTournament(id=i, tournament=tournament), timeout=timeout
        )
        return expect(answer, TournamentState)

    async def set_aside(
        self, tournament: str, player: str, reason: str = "", *, timeout: float | None = None
    ) -> TournamentState:
        """Set a player aside in a tournament that this player organises: they get no more games."""
        answer = await self._calls.request(
            lambda i: SetAside(id=i, tournament=tournament, player=player, reason=reason),
            timeout=timeout,
        )
        return expect(answer, TournamentState)

    async def take_back(
        self, tournament: str, player: str, *, timeout: float | None = None
    ) -> TournamentState:
        """Let a player who was set aside play again in a tournament that this player organises."""
        answer = await self._calls.request(
            lambda i: TakeBack(id=i, tournament=tournament, player=player), timeout=timeout
        )
        return expect(answer, TournamentState)

    async def get(self, tournament: str, *, timeout: float | None = None) -> TournamentState:
        """Return the state of a tournament."""
        answer = await self._calls.request(
            lambda i: GetTournament(id=i, tournament=tournament), timeout=timeout
        )
        return expect(answer, TournamentState)
