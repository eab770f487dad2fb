"""Send the requests of a person in a room: moves, hints, resigning, rematches, records."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Final, TypeVar

from doublecross.analysis.advice import Advice
from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.room.hint import HintRequest
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.room.pending import Order
from doublecross.client.tk.network.records import fetch_record
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client
from doublecross.games.record import Record
from doublecross.protocol.client_messages import Phrase
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import RoomEvent, TakebackAsked, TournamentState

PATIENCE_S: Final = 3600.0
"""How long a move waits for its answer, in seconds; this covers a lost connection, too."""
_SILENT_CODES: Final = frozenset({ErrorCode.STALE_PLY.value, ErrorCode.WRONG_STATE.value})
"""Refusals of moves that are not shown: the match went on meanwhile, for example while the
connection was lost, and the next update shows that."""

T = TypeVar("T")


class RequestKind(Enum):
    """The kinds of requests. One request of each kind may wait for its answer."""

    CLAIM = "claim"
    ABORT = "abort"
    RESIGN = "resign"
    REMATCH = "rematch"
    RECORD = "record"
    TAKEBACK = "takeback"


_ENDING: Final = frozenset(
    {RequestKind.CLAIM, RequestKind.ABORT, RequestKind.RESIGN, RequestKind.TAKEBACK}
)


def _ignore(_: object) -> None:
    pass


class RoomRequests:
    """Sends requests about the room of `parts`. `waiting` has the kinds that have no answer yet.

    `changed` is called after any change that is visible, `move_refused` after a pending move was
    refused, and `report_problem` with the reason of a refusal.
    """

    def __init__(
        self,
        context: Context,
        parts: RoomParts,
        *,
        changed: Callable[[], None],
        move_refused: Callable[[], None],
        report_problem: Callable[[str], None],
    ) -> None:
        self.waiting: set[RequestKind] = set()
        self._context = context
        self._model, self._may, self._hint = parts.model, parts.may, parts.hint
        self._room = parts.model.snapshot.room
        self._changed = changed
        self._move_refused = move_refused
        self._report_problem = report_problem

    def send_move(self) -> None:
        """Send the next pending move, if one is due."""
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
                takebacks=order.takebacks,
                timeout=PATIENCE_S,
            ),
            failed=lambda refusal: self._handle_refused_move(order, refusal),
        )

    def claim(self) -> None:
        """Claim the win because the opponent stays away."""
        self._ask(RequestKind.CLAIM, ME, lambda client: client.claim(self._room))

    def abort(self) -> None:
        """Abort the match."""
        self._ask(RequestKind.ABORT, ME, lambda client: client.abort(self._room))

    def resign(self, then: Callable[[], None] = lambda: None) -> None:
        """Resign; call `then` once the server has confirmed it."""
        self._ask(
            RequestKind.RESIGN,
            self._may.resigner,
            lambda client: client.resign(self._room),
            lambda _: then(),
        )

    def take_back(self) -> None:
        """Ask to take back the last own move, or withdraw the request.

        If the opponent shares the window, this person's request is the agreement of both.
        """
        if self._may.takeback_waits is not None:
            self._answer_takeback(self._may.takeback_waits, accept=False)
            return
        asked = self._may.takeback
        if asked is None:
            return
        ply, who = asked
        snapshot = self._model.snapshot
        match, count = snapshot.match, snapshot.takebacks
        others = [each for each in self._model.seats.connections.values() if each != who]

        def agree(event: RoomEvent) -> None:
            if others and isinstance(event, TakebackAsked):
                self._ask(
                    RequestKind.TAKEBACK,
                    others[0],
                    lambda client: client.answer_takeback(self._room, match, ply, count, True),
                )

        self._ask(
            RequestKind.TAKEBACK,
            who,
            lambda client: client.ask_takeback(self._room, match, ply, count),
            agree,
        )

    def answer_takeback(self, *, accept: bool) -> None:
        """Answer the opponent's request for a takeback."""
        who = self._may.takeback_answerer
        if who is not None:
            self._answer_takeback(who, accept=accept)

    def _answer_takeback(self, who: str, *, accept: bool) -> None:
        snapshot = self._model.snapshot
        request = snapshot.takeback
        if request is None:
            return
        match, ply, count = snapshot.match, request.ply, snapshot.takebacks
        self._ask(
            RequestKind.TAKEBACK,
            who,
            lambda client: client.answer_takeback(self._room, match, ply, count, accept),
        )

    def rematch(self) -> None:
        """Offer or accept a rematch for each person at this window, one after the other."""
        self._rematch(self._may.rematch_connections)

    def decline_rematch(self) -> None:
        """Decline the opponent's rematch, or withdraw the own offer."""
        self._ask(RequestKind.REMATCH, ME, lambda client: client.decline_rematch(self._room))

    def say(self, phrase: Phrase) -> None:
        """Say a phrase to the opponent; the server sends it back to be shown."""
        match, link = self._model.snapshot.match, self._context.latest.link
        if link is not None and link.state != "connected":
            self._report_problem(tr("There is no connection now. Say it again when it is back."))
            return
        self._context.network.ask(
            ME,
            lambda client: client.say(self._room, match, phrase),
            failed=lambda refusal: self._report_problem(refusal.sentence),
        )

    def record(self, done: Callable[[Record], None]) -> None:
        """Fetch the record of the last match and pass it to `done`."""
        ending = self._model.ending
        if ending is None:
            return
        game_id = ending.game_id

        async def fetch(client: Client) -> Record:
            return await fetch_record(client, game_id)

        self._ask(RequestKind.RECORD, ME, fetch, done)

    def tournament(self, tournament: str) -> None:
        """Fetch the state of a tournament for `LatestSnapshots`.

        The room works without it, so a refusal is not shown.
        """

        def answered(state: TournamentState) -> None:
            self._context.latest.tournaments[tournament] = state
            self._changed()

        self._context.network.ask(ME, lambda client: client.tournaments.get(tournament), answered)

    def advice(self) -> None:
        """Ask a helper process for the best move in the latest position."""
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

    def _handle_refused_move(self, order: Order, refusal: Refusal) -> None:
        if self._model.position.refuse(order):
            if refusal.code not in _SILENT_CODES:
                self._report_problem(refusal.sentence)
            self._move_refused()

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
            # If the match has ended meanwhile, the reason why it could not be ended is pointless.
            if request not in _ENDING or self._model.playing:
                self._report_problem(refusal.sentence)
            self._changed()

        self._context.network.ask(who, call, answered, refused)
        self._changed()
