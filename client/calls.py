"""Offer the requests of the protocol as coroutines that return the answer."""

from __future__ import annotations

from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.session import Session
from doublecross.client.lobby_calls import OfferCalls, TournamentCalls
from doublecross.client.requesting import Requester
from doublecross.protocol.client_messages import (
    Abort,
    AnswerTakeback,
    AskTakeback,
    BotFailure,
    Claim,
    Crash,
    CreateRoom,
    DeclineRematch,
    FollowLobby,
    GetGames,
    GetOpenGames,
    GetRecord,
    GetReview,
    JoinRoom,
    Leave,
    Move,
    Phrase,
    Ping,
    Rematch,
    Resign,
    SayPhrase,
    Watch,
)
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import (
    Done,
    GamesFound,
    LobbyState,
    MatchFinished,
    MatchStarted,
    MoveMade,
    OpenGames,
    Pong,
    RecordFound,
    RematchEnded,
    RematchOffered,
    ReviewState,
    RoomEvent,
    RoomState,
)


class Calls(Requester):
    """The requests about rooms and matches; `offers` and `tournaments` have the others.

    Some coroutines take `timeout` in seconds (None for the client's default). All raise:

        RequestRefused: the server refused, or this client cannot interpret the answer.
        TimeoutError: no answer came in time. The server may have carried the request out.
        ConnectionEnded: the connection is over for good.

    When a coroutine returns, `session` already shows its effect: rooms are in `session.rooms`.
    """

    session: Session

    def __init__(self) -> None:
        self.offers = OfferCalls(self)
        self.tournaments = TournamentCalls(self)

    # -- rooms -------------------------------------------------------------------------------

    async def create_room(
        self, settings: MatchSettings, *, seat: int | None = None, private: bool = False
    ) -> RoomState:
        """Open a room and take `seat` in it (None for a random one)."""
        key = self.new_key()
        return await self.ask(
            lambda i: CreateRoom(id=i, key=key, settings=settings, seat=seat, private=private),
            RoomState,
        )

    async def join(self, room: str, *, code: str | None = None) -> RoomState:
        """Take the free seat of a waiting room; a private room needs its `code`."""
        return await self.ask(lambda i: JoinRoom(id=i, room=room, code=code), RoomState)

    async def watch(
        self, room: str, *, code: str | None = None, timeout: float | None = None
    ) -> RoomState:
        """Follow a room as a spectator; a private room needs its `code`."""
        return await self.ask(
            lambda i: Watch(id=i, room=room, code=code), RoomState, timeout=timeout
        )

    async def leave(self, room: str) -> Done:
        """Stop following a room, and give up the seat unless a match is being played."""
        return await self.ask(lambda i: Leave(id=i, room=room), Done)

    # -- matches -----------------------------------------------------------------------------

    async def move(
        self,
        room: str,
        action: int,
        *,
        match: int | None = None,
        ply: int | None = None,
        takebacks: int | None = None,
        expected: float | None = None,
        fallback: bool = False,
        timeout: float | None = None,
    ) -> MoveMade | MatchFinished:
        """Play `action`; return `match_finished` if the mover's time had run out.

        `match` and `ply` name the position for which the action was chosen. Give them when the
        mirror may show a later position by now (None takes the mirror's). So does `takebacks`, the
        number of takebacks before it. `expected` is the final
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
            takebacks = mirror.takebacks if takebacks is None else takebacks
        at_match, at_ply = match, ply
        return await self.ask(
            lambda i: Move(
                id=i,
                room=room,
                match=at_match,
                ply=at_ply,
                action=action,
                expected=expected,
                fallback=fallback,
                takebacks=takebacks,
            ),
            MoveMade,
            MatchFinished,
            timeout=timeout,
        )

    async def ask_takeback(self, room: str, match: int, ply: int, takebacks: int) -> RoomEvent:
        """Ask to take back the own move at `ply` and all later ones; a bot agrees at once.

        `takebacks` is the number of takebacks in the match so far.
        """
        return await self.ask(
            lambda i: AskTakeback(id=i, room=room, match=match, ply=ply, takebacks=takebacks),
            RoomEvent,
        )

    async def answer_takeback(
        self, room: str, match: int, ply: int, takebacks: int, accept: bool
    ) -> RoomEvent:
        """Accept or decline the opponent's request to return to `ply`, or withdraw one's own."""
        return await self.ask(
            lambda i: AnswerTakeback(
                id=i, room=room, match=match, ply=ply, takebacks=takebacks, accept=accept
            ),
            RoomEvent,
        )

    async def resign(self, room: str) -> MatchFinished:
        """Resign the match."""
        return await self.ask(lambda i: Resign(id=i, room=room), MatchFinished)

    async def abort(self, room: str) -> MatchFinished:
        """Abort the match, which is possible until both seats have moved."""
        return await self.ask(lambda i: Abort(id=i, room=room), MatchFinished)

    async def claim(self, room: str) -> MatchFinished:
        """Claim the win against an opponent who stayed away."""
        return await self.ask(lambda i: Claim(id=i, room=room), MatchFinished)

    async def crash(
        self,
        room: str,
        match: int,
        ply: int,
        message: str,
        termination: BotFailure,
        output: str = "",
    ) -> MatchFinished:
        """Report that this bot failed to choose an action at `ply`.

        `termination` says how the match ends. Only who runs the bot sees its `output`. The server
        refuses the report (`wrong_state`) in a casual match, which no bot loses by a failure.
        """
        return await self.ask(
            lambda i: Crash(
                id=i,
                room=room,
                match=match,
                ply=ply,
                message=message[:200],  # the protocol's limits
                output=output[-2000:],
                termination=termination,
            ),
            MatchFinished,
        )

    async def rematch(self, room: str) -> RematchOffered | MatchStarted:
        """Offer or accept a rematch, with the seats swapped."""
        return await self.ask(lambda i: Rematch(id=i, room=room), RematchOffered, MatchStarted)

    async def decline_rematch(self, room: str) -> RematchEnded:
        """Decline the rematch that the opponent offers, or withdraw the own offer."""
        return await self.ask(lambda i: DeclineRematch(id=i, room=room), RematchEnded)

    async def say(self, room: str, match: int, phrase: Phrase) -> Done:
        """Say a phrase to the opponent. It is lost if the connection breaks meanwhile."""
        return await self.ask(
            lambda i: SayPhrase(id=i, room=room, match=match, phrase=phrase), Done
        )

    # -- lobby, records and pings ------------------------------------------------------------

    async def follow_lobby(
        self, on: bool = True, *, timeout: float | None = None
    ) -> LobbyState | Done:
        """Follow the lobby in `session.lobby`, or stop following it."""
        return await self.ask(lambda i: FollowLobby(id=i, on=on), LobbyState, Done, timeout=timeout)

    async def get_record(self, game_id: str) -> RecordFound:
        """Return the text record of a finished game."""
        return await self.ask(lambda i: GetRecord(id=i, game_id=game_id), RecordFound)

    async def get_open_games(self) -> OpenGames:
        """Return this player's games in play, those first that wait for the player."""
        return await self.ask(lambda i: GetOpenGames(id=i), OpenGames)

    async def get_games(
        self, limit: int, *, before_ms: int | None = None, before_id: str | None = None
    ) -> GamesFound:
        """Return this player's own finished games, newest first, private ones included.

        For the next page, give the time and the id of the last game of the page before.
        """
        return await self.ask(
            lambda i: GetGames(id=i, limit=limit, before_ms=before_ms, before_id=before_id),
            GamesFound,
        )

    async def get_review(self, game_id: str, *, code: str | None = None) -> ReviewState:
        """Ask for the review of a finished game; return how it stands.

        Until it is done or failed, `session.reviews` follows it, also across reconnects. The review
        of a game in a private room needs its `code`, unless this player had a seat there.
        """
        return await self.ask(lambda i: GetReview(id=i, game_id=game_id, code=code), ReviewState)

    async def ping(self) -> Pong:
        """Send a ping and return its answer."""
        return await self.ask(lambda i: Ping(id=i), Pong)
