"""What the person in a room asks for, beside moves: advice, the end of the match, another one, the
record of the last one."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from client.tk.context import Context
from client.tk.models.helpers import Advice
from client.tk.models.room.model import RoomModel
from client.tk.models.room.hint import HintModel, Question
from client.tk.network.thread import ME, Refusal
from client.transport import Client
from games.api import GameError
from games.record import Record, parse_records
from protocol.server_messages import TournamentState

_ENDING: Final = frozenset({"resign", "abort", "claim"})

T = TypeVar("T")


def _ignore(_: object) -> None:
    pass


class RoomRequests:
    """Asks for things about the room of `model`. While an answer is waited for, its name is in
    `asked`, and what it is about is not asked again. `changed` is called when there is something to
    show, `complain` with what was refused.
    """

    def __init__(
        self,
        context: Context,
        model: RoomModel,
        *,
        changed: Callable[[], None],
        complain: Callable[[str], None],
    ) -> None:
        self.asked: set[str] = set()
        self.hint = HintModel()
        self._context = context
        self._model = model
        self._room = model.picture.room
        self._changed = changed
        self._complain = complain

    def claim(self) -> None:
        """The win, of an opponent who stays away."""
        self._ask("claim", ME, lambda client: client.claim(self._room))

    def abort(self) -> None:
        """That the match does not count."""
        self._ask("abort", ME, lambda client: client.abort(self._room))

    def resign(self, then: Callable[[], None] = lambda: None) -> None:
        """To have lost; `then` comes after it."""
        self._ask(
            "resign",
            self._model.resigns,
            lambda client: client.resign(self._room),
            lambda _: then(),
        )

    def rematch(self) -> None:
        """Another match: of everybody at this window, one after the other."""
        self._rematch(self._model.rematch_hands)

    def record(self, done: Callable[[Record], None]) -> None:
        """The record of the last match."""
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

        self._ask("review", ME, fetch, done)

    def tournament(self, tournament: str) -> None:
        """How a tournament stands, for `LatestPictures`. Nothing here depends on the answer, so nothing is
        said when there is none."""

        def told(state: TournamentState) -> None:
            self._context.latest.tournaments[tournament] = state
            self._changed()

        self._context.network.ask(ME, lambda client: client.get_tournament(tournament), told)

    def advice(self) -> None:
        """The best move in the latest position."""
        question = self.hint.ask(self._model, self._context.clock())
        if question is None:
            return
        helpers = self._context.helpers
        self._context.network.run(
            lambda: helpers.advise(question.game, question.opening, question.moves),
            functools.partial(self._advised, question),
            functools.partial(self._not_advised, question),
        )
        self._changed()

    def _advised(self, question: Question, advice: Advice) -> None:
        if self.hint.take(question, advice):
            self._changed()

    def _not_advised(self, question: Question, refusal: Refusal) -> None:
        if self.hint.fail(question, refusal.sentence):
            self._changed()

    def _rematch(self, hands: tuple[str, ...]) -> None:
        if hands:
            self._ask(
                "rematch",
                hands[0],
                lambda client: client.rematch(self._room),
                lambda _: self._rematch(hands[1:]),
            )

    def _ask(
        self,
        name: str,
        who: str,
        request: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
    ) -> None:
        if name in self.asked:
            return
        self.asked.add(name)

        def answered(result: T) -> None:
            self.asked.discard(name)
            done(result)
            self._changed()

        def refused(refusal: Refusal) -> None:
            self.asked.discard(name)
            # Nobody needs an excuse for a match that has ended in another way meanwhile.
            if name not in _ENDING or self._model.playing:
                self._complain(refusal.sentence)
            self._changed()

        self._context.network.ask(who, request, answered, refused)
        self._changed()
