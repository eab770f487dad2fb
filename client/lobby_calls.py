"""Offer the requests about offers and tournaments as coroutines that return the answer."""

from __future__ import annotations

from collections.abc import Sequence

from doublecross.client.requesting import Requester
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
    NextSeason,
    QuickMatch,
    Seek,
    SetAside,
    StartTournament,
    TakeBack,
)
from doublecross.protocol.common import MatchSettings, TournamentTerms
from doublecross.protocol.offer_messages import DeclineWord
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
        self, settings: MatchSettings, *, seat: int | None = None
    ) -> SeekPosted | RoomState:
        """Post a seek; the client renews it when a restart of the server loses it."""
        key = self._calls.new_key()
        return await self._calls.ask(
            lambda i: Seek(id=i, key=key, settings=settings, seat=seat), SeekPosted, RoomState
        )

    async def quick_match(self, settings: MatchSettings) -> SeekPosted | RoomState:
        """Accept the oldest open seek with these settings, or post one."""
        key = self._calls.new_key()
        return await self._calls.ask(
            lambda i: QuickMatch(id=i, key=key, settings=settings), SeekPosted, RoomState
        )

    async def cancel_seek(self, seek: str) -> Done:
        """Cancel a seek of this player."""
        return await self._calls.ask(lambda i: CancelSeek(id=i, seek=seek), Done)

    async def accept_seek(self, seek: str) -> RoomState:
        """Accept another player's seek."""
        key = self._calls.new_key()
        return await self._calls.ask(lambda i: AcceptSeek(id=i, key=key, seek=seek), RoomState)

    async def challenge(
        self, player: str, settings: MatchSettings, *, seat: int | None = None
    ) -> ChallengeSent | RoomState:
        """Challenge one connected player to a match."""
        key = self._calls.new_key()
        return await self._calls.ask(
            lambda i: Challenge(id=i, key=key, player=player, settings=settings, seat=seat),
            ChallengeSent,
            RoomState,
        )

    async def cancel_challenge(self, challenge: str, *, timeout: float | None = None) -> Done:
        """Cancel a challenge of this player."""
        return await self._calls.ask(
            lambda i: CancelChallenge(id=i, challenge=challenge), Done, timeout=timeout
        )

    async def accept_challenge(self, challenge: str) -> RoomState:
        """Accept a challenge to this player."""
        key = self._calls.new_key()
        return await self._calls.ask(
            lambda i: AcceptChallenge(id=i, key=key, challenge=challenge), RoomState
        )

    async def decline_challenge(
        self, challenge: str, reason: str = "", word: DeclineWord | None = None
    ) -> Done:
        """Decline a challenge to this player: people with a word, bots with a reason."""
        return await self._calls.ask(
            lambda i: DeclineChallenge(id=i, challenge=challenge, word=word, reason=reason), Done
        )

    async def arrange_match(self, first: str, second: str, settings: MatchSettings) -> RoomState:
        """Let two connected bots play each other, the first in seat 0, and watch them."""
        key = self._calls.new_key()
        return await self._calls.ask(
            lambda i: ArrangeMatch(id=i, key=key, players=(first, second), settings=settings),
            RoomState,
        )


class TournamentCalls:
    """The requests about tournaments; see `doublecross.client.calls` for parameters and errors."""

    def __init__(self, calls: Requester) -> None:
        self._calls = calls

    async def create(
        self,
        terms: TournamentTerms,
        *,
        key: str | None = None,
        openings: Sequence[Sequence[int]] = (),
    ) -> TournamentState:
        """Create a tournament that this player organises, with these openings if there are any.

        With the `key` of an earlier call, return the tournament that the earlier call created.
        """
        key = key or self._calls.new_key()
        return await self._calls.ask(
            lambda i: CreateTournament(
                id=i, key=key, terms=terms, openings=tuple(map(tuple, openings))
            ),
            TournamentState,
        )

    async def join(self, tournament: str, *, at_once: int = 1) -> TournamentState:
        """Join or rejoin a tournament, for `at_once` games at a time."""
        return await self._calls.ask(
            lambda i: JoinTournament(id=i, tournament=tournament, at_once=at_once), TournamentState
        )

    async def leave(self, tournament: str) -> Done:
        """Leave a tournament: this player gets no more games in it."""
        return await self._calls.ask(lambda i: LeaveTournament(id=i, tournament=tournament), Done)

    async def start(self, tournament: str) -> TournamentState:
        """Start a tournament that this player organises."""
        return await self._calls.ask(
            lambda i: StartTournament(id=i, tournament=tournament), TournamentState
        )

    async def end(self, tournament: str) -> TournamentState:
        """End a tournament that this player organises: no further game starts."""
        return await self._calls.ask(
            lambda i: EndTournament(id=i, tournament=tournament), TournamentState
        )

    async def next_season(self, tournament: str, *, keep: bool = True) -> TournamentState:
        """End a season of a ladder that this player organises; return the next one."""
        return await self._calls.ask(
            lambda i: NextSeason(id=i, tournament=tournament, keep=keep), TournamentState
        )

    async def set_aside(self, tournament: str, player: str, reason: str = "") -> TournamentState:
        """Set a player aside in a tournament that this player organises: they get no more games."""
        return await self._calls.ask(
            lambda i: SetAside(id=i, tournament=tournament, player=player, reason=reason),
            TournamentState,
        )

    async def take_back(self, tournament: str, player: str) -> TournamentState:
        """Let a player who was set aside play again in a tournament that this player organises."""
        return await self._calls.ask(
            lambda i: TakeBack(id=i, tournament=tournament, player=player), TournamentState
        )

    async def get(self, tournament: str) -> TournamentState:
        """Return the state of a tournament."""
        return await self._calls.ask(
            lambda i: GetTournament(id=i, tournament=tournament), TournamentState
        )
