"""Keep one hint: the position for which it was requested, and the answer."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.analysis.advice import Advice
from doublecross.client.language import said, tr
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.permissions import RoomPermissions
from doublecross.client.tk.models.words import advice_line
from doublecross.games.api import Game


@dataclass(frozen=True, slots=True)
class HintRequest:
    """The position for which to request advice (see `Helpers.advise`), and its match."""

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    match: int
    takebacks: int = 0


class HintModel:
    """At most one hint for the room of `model`; it is dropped when the position changes.

    `may` says when a hint is allowed. `best` is the action to mark on the board, or None without
    advice. `problem` is a sentence that says why there is no advice.
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
        """Return whether a request waits for its answer."""
        return self._asked_at is not None

    def ask(self, now: float) -> HintRequest | None:
        """Begin a request at `now`, in seconds, and return it.

        Return None if no hint is allowed now, or if a request already waits for its answer.
        """
        if not self._may.hint or self.thinking:
            return None
        self._forget()
        self._request, self._asked_at = self._current(), now
        return self._request

    def take(self, request: HintRequest, advice: Advice) -> bool:
        """Store the answer to `request`; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._asked_at = None
        if advice.best:
            self._advice, self.best = advice, advice.best[0]
        else:
            self.problem = tr("There is no advice for this position.")
        return True

    def fail(self, request: HintRequest, sentence: str) -> bool:
        """Store why `request` failed; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._asked_at = None
        self.problem = sentence
        return True

    def update(self) -> bool:
        """Drop the hint or its request if the position changed; return whether it was dropped."""
        if self._request is None or (self._model.playing and self._current() == self._request):
            return False
        self._forget()
        return True

    def line(self, now: float) -> str:
        """Describe the hint or its request at `now`, in seconds; empty without either."""
        if self._asked_at is not None:
            waited = int(now - self._asked_at)
            if waited < 2:
                return tr("Looking for the best move ...")
            return tr("Looking for the best move ... {seconds} s", seconds=waited)
        if self._advice is None or self._request is None or self.best is None:
            return self.problem
        game, model = self._request.game, self._model
        to_move, phrase = model.to_move, self._advice.phrase
        return advice_line(
            game.action_name(self.best),
            "" if phrase is None else said(phrase),
            self._advice.net,
            exact=self._advice.exact,
            unit=game.unit,
            mover=model.name(to_move) if model.seats.shared and to_move is not None else None,
        )

    def _forget(self) -> None:
        self.best = self._advice = self._request = self._asked_at = None
        self.problem = ""

    def _current(self) -> HintRequest:
        snapshot = self._model.snapshot
        moves = self._model.position.moves
        return HintRequest(
            snapshot.game, snapshot.opening, moves, snapshot.match, snapshot.takebacks
        )
