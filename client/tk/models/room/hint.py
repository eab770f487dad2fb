"""A hint: for which position it was asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from client.tk.models.helpers import Advice
from client.tk.models.room.game import GameModel
from client.tk.models.words import advice_line
from games.api import Game


@dataclass(frozen=True, slots=True)
class Question:
    """The position that advice is asked for: what `Helpers.advise` wants, and the match it is
    of."""

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    match: int


class HintModel:
    """At most one hint, for the position that `see` was told of last; it goes with the position.

    `best` is the action to mark on the board, None without advice; `problem` says why there is
    none.
    """

    def __init__(self) -> None:
        self.best: int | None = None
        self.problem = ""
        self._advice: Advice | None = None
        self._question: Question | None = None
        self._asked_at: float | None = None

    @property
    def thinking(self) -> bool:
        """Whether advice is waited for."""
        return self._asked_at is not None

    def ask(self, model: GameModel, now: float) -> Question | None:
        """The position to ask for, at `now` in seconds; None: nothing can be asked now, or that
        has been asked already."""
        if not model.may_hint or self.thinking:
            return None
        self._forget()
        self._question, self._asked_at = _question(model), now
        return self._question

    def take(self, question: Question, advice: Advice) -> bool:
        """Advice has come; false if nobody waits for it any more."""
        if question is not self._question:
            return False
        self._asked_at = None
        if advice.best:
            self._advice, self.best = advice, advice.best[0]
        else:
            self.problem = "There is no advice for this position."
        return True

    def fail(self, question: Question, sentence: str) -> bool:
        """There is no advice; false if nobody waits for it any more."""
        if question is not self._question:
            return False
        self._asked_at = None
        self.problem = sentence
        return True

    def see(self, model: GameModel) -> bool:
        """The room may have changed; whether a hint, or waiting for one, is over by that."""
        if self._question is None or (model.playing and _question(model) == self._question):
            return False
        self._forget()
        return True

    def line(self, now: float) -> str:
        """What there is to say of it at `now`, in seconds; empty: nothing."""
        if self._asked_at is not None:
            waited = int(now - self._asked_at)
            return f"Looking for the best move ...{f' {waited} s' if waited >= 2 else ''}"
        if self._advice is None or self._question is None or self.best is None:
            return self.problem
        game = self._question.game
        return advice_line(
            game.action_name(self.best),
            self._advice.net,
            exact=self._advice.exact,
            unit=game.unit,
        )

    def _forget(self) -> None:
        self.best = self._advice = self._question = self._asked_at = None
        self.problem = ""


def _question(model: GameModel) -> Question:
    picture = model.picture
    return Question(picture.game, picture.opening, model.moves, picture.match)
