"""A hint: for which position it was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from client.tk.models.helpers import Advice
from client.tk.models.room.model import RoomModel
from client.tk.models.room.permissions import RoomPermissions
from client.tk.models.words import advice_line
from games.api import Game


@dataclass(frozen=True, slots=True)
class HintRequest:
    """The position to ask advice for: what `Helpers.advise` takes, and the match it belongs to."""

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    match: int


class HintModel:
    """At most one hint for the room of `model`, which `may` says when to give; it goes when its
    position does.

    `best` is the action to mark on the board, None without advice; `problem` says why there is
    none.
    """

    def __init__(self, model: RoomModel, may: RoomPermissions) -> None:
        self._model = model
        self._may = may
        self.best: int | None = None
        self.problem = ""
        self._advice: Advice | None = None
        self._request: HintRequest | None = None
        self._asked_at: float | None = None

    @property
    def thinking(self) -> bool:
        """Whether an answer is on its way."""
        return self._asked_at is not None

    def ask(self, now: float) -> HintRequest | None:
        """Begin a request at `now`, in seconds, and return it; None: no hint may be asked for now,
        or its answer is on its way."""
        if not self._may.hint or self.thinking:
            return None
        self._forget()
        self._request, self._asked_at = self._current(), now
        return self._request

    def take(self, request: HintRequest, advice: Advice) -> bool:
        """Keep the answer to `request`; return false if nobody waits for it any more."""
        if request is not self._request:
            return False
        self._asked_at = None
        if advice.best:
            self._advice, self.best = advice, advice.best[0]
        else:
            self.problem = "There is no advice for this position."
        return True

    def fail(self, request: HintRequest, sentence: str) -> bool:
        """Note why `request` has no answer; return false if nobody waits for it any more."""
        if request is not self._request:
            return False
        self._asked_at = None
        self.problem = sentence
        return True

    def update(self) -> bool:
        """Drop the hint, or the request for one, if the room has changed; return whether there was
        one to drop."""
        if self._request is None or (self._model.playing and self._current() == self._request):
            return False
        self._forget()
        return True

    def line(self, now: float) -> str:
        """Say in words what there is at `now`, in seconds; empty: nothing."""
        if self._asked_at is not None:
            waited = int(now - self._asked_at)
            return f"Looking for the best move ...{f' {waited} s' if waited >= 2 else ''}"
        if self._advice is None or self._request is None or self.best is None:
            return self.problem
        game = self._request.game
        return advice_line(
            game.action_name(self.best),
            self._advice.net,
            exact=self._advice.exact,
            unit=game.unit,
        )

    def _forget(self) -> None:
        self.best = self._advice = self._request = self._asked_at = None
        self.problem = ""

    def _current(self) -> HintRequest:
        picture = self._model.picture
        moves = self._model.position.moves
        return HintRequest(picture.game, picture.opening, moves, picture.match)
