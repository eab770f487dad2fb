"""What the person in a room asks of the server and of helpers: moves, advice, the end of the match,
another one, the record of the last one."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Final, TypeVar

from client.tk.context import Context
from client.tk.models.helpers import Advice
from client.tk.models.room.hint import HintRequest
from client.tk.models.room.parts import RoomParts
from client.tk.models.room.pending import Order
from client.tk.network.thread import ME, Refusal
from client.transport import Client
from games.api import GameError
from games.record import Record, parse_records
from protocol.errors import ErrorCode
from protocol.server_messages import TournamentState

PATIENCE_S: Final = 3600.0
"""How long a move waits for its answer, across lost connections, in seconds."""
# The next picture shows that the match had gone on meanwhile, as after a lost connection.
_NOT_WORTH_SAYING: Final = frozenset({ErrorCode.STALE_PLY.value, ErrorCode.WRONG_STATE.value})

T = TypeVar("T")


class RequestKind(Enum):
    """What is asked at most once at a time."""

    CLAIM = "claim"
    ABORT = "abort"
    RESIGN = "resign"
    REMATCH = "rematch"
    RECORD = "record"


_ENDING: Final = frozenset({RequestKind.CLAIM, RequestKind.ABORT, RequestKind.RESIGN})


def _ignore(_: object) -> None:
    pass


class RoomRequests:
    """Sends requests about the room of `parts`. `waiting` has those whose answer is on its way.

    `changed` is called when there is something to show, `taken_back` after a pending move was
    refused, and `complain` with the reason of a refusal.
    """

    def __init__(
        self,
        context: Context,
        parts: RoomParts,
        *,
        changed: Callable[[], None],
        taken_back: Callable[[], None],
        complain: Callable[[str], None],
    ) -> None:
        self.waiting: set[RequestKind] = set()
        self._context = context
        self._model, self._may, self._hint = parts.model, parts.may, parts.hint
        self._room = parts.model.picture.room
        self._changed = changed
        self._taken_back = taken_back
        self._complain = complain

    def send_move(self) -> None:
        """Send the pending move that is due, if there is one."""
        order = self._model.position.due()
        if order is None:
            return
        self._context.network.ask(
            order.who,
            lambda client: client.move(
                order.room,
                order.action,
                match=order.match,
                ply=order.ply,
                timeout=PATIENCE_S,
            ),
            failed=lambda refusal: self._move_refused(order, refusal),
        )

    def claim(self) -> None:
        """Claim the win of an opponent who stays away."""
        self._ask(RequestKind.CLAIM, ME, lambda client: client.claim(self._room))

    def abort(self) -> None:
        """Call the match off."""
        self._ask(RequestKind.ABORT, ME, lambda client: client.abort(self._room))

    def resign(self, then: Callable[[], None] = lambda: None) -> None:
        """Resign; `then` is called once that is done."""
        self._ask(
            RequestKind.RESIGN,
            self._may.resigner,
            lambda client: client.resign(self._room),
            lambda _: then(),
        )

    def rematch(self) -> None:
        """Offer or accept a rematch for everybody at this window, one after the other."""
        self._rematch(self._may.rematch_connections)

    def record(self, done: Callable[[Record], None]) -> None:
        """Fetch the record of the last match."""
        ending = self._model.ending
        if ending is None:
            return
        game_id = ending.game_id

        async def fetch(client: Client) -> Record:
            found = await client.get_record(game_id)
            try:
                return parse_records(found.text)[0]
            except (GameError, IndexError):
                raise Refusal("What the server sent is no record of a game.") from None

        self._ask(RequestKind.RECORD, ME, fetch, done)

    def tournament(self, tournament: str) -> None:
        """Ask how a tournament stands, for `LatestPictures`. Nothing here depends on the answer,
        so nothing is said when there is none."""

        def answered(state: TournamentState) -> None:
            self._context.latest.tournaments[tournament] = state
            self._changed()

        self._context.network.ask(ME, lambda client: client.tournaments.get(tournament), answered)

    def advice(self) -> None:
        """Ask a helper for the best move in the latest position."""
        request = self._hint.ask(self._context.clock())
        if request is None:
            return
        helpers = self._context.helpers
        self._context.network.run(
            lambda: helpers.advise(request.game, request.opening, request.moves),
            functools.partial(self._advised, request),
            functools.partial(self._not_advised, request),
        )
        self._changed()

    def _move_refused(self, order: Order, refusal: Refusal) -> None:
        if self._model.position.refuse(order):
            if refusal.code not in _NOT_WORTH_SAYING:
                self._complain(refusal.sentence)
            self._taken_back()

    def _advised(self, request: HintRequest, advice: Advice) -> None:
        if self._hint.take(request, advice):
            self._changed()

    def _not_advised(self, request: HintRequest, refusal: Refusal) -> None:
        if self._hint.fail(request, refusal.sentence):
            self._changed()

    def _rematch(self, connections: tuple[str, ...]) -> None:
        if connections:
            self._ask(
                RequestKind.REMATCH,
                connections[0],
                lambda client: client.rematch(self._room),
                lambda _: self._rematch(connections[1:]),
            )

    def _ask(
        self,
        request: RequestKind,
        who: str,
        call: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
    ) -> None:
        if request in self.waiting:
            return
        self.waiting.add(request)

        def answered(result: T) -> None:
            self.waiting.discard(request)
            done(result)
            self._changed()

        def refused(refusal: Refusal) -> None:
            self.waiting.discard(request)
            # Nobody needs an excuse for a match that has ended in another way meanwhile.
            if request not in _ENDING or self._model.playing:
                self._complain(refusal.sentence)
            self._changed()

        self._context.network.ask(who, call, answered, refused)
        self._changed()
