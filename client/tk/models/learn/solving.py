"""Share a board and requests for values between the models of lessons and puzzles.

Theory of operation
-------------------
A learner's session asks for the values of positions. The screen passes each request on to a helper
process, and its answer back. At most one request is under way. An answer for a session that was
left meanwhile is dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from doublecross.analysis.values import PositionValues
from doublecross.client.language import tr
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.games.api import Game, State

Tone = Literal["plain", "good", "wrong", "hint"]


class Session(Protocol):
    """A session of an exercise or of a puzzle."""

    moves: tuple[int, ...]
    seat: int

    @property
    def wanted(self) -> tuple[int, ...] | None:
        """The moves, from the first position on, after which values are needed; or None."""

    def give(self, moves: tuple[int, ...], values: PositionValues, /) -> None:
        """Take the values of the position after `moves`."""

    def retry(self) -> bool:
        """Take the wrong move back; return whether there is one."""


@dataclass(frozen=True, slots=True)
class ValuesRequest:
    """The position for which to request values (see `Helpers.values`)."""

    game: Game
    moves: tuple[int, ...]
    session: Session
    later: tuple[int, ...]


SLOW_S: Final = 5.0
"""After this time, in seconds, the wait for an answer is explained."""


class SolvingModel(ABC):
    """A board, and a learner's `session` on it, which begins after the moves `before`."""

    session: Session
    board: BoardModel
    before: tuple[int, ...]

    def _set(self, session: Session, game: Game, before: tuple[int, ...]) -> None:
        """Begin a session."""
        self.session, self.before = session, before
        self.board = BoardModel(game)
        self._request: ValuesRequest | None = None
        self._asked_at: float | None = None
        self._slow = False
        self._problem = ""
        self.changes()

    # -- the helper --------------------------------------------------------------------------

    def request(self) -> ValuesRequest | None:
        """Return a new request for values if one is needed; it counts as under way then."""
        later = self.session.wanted
        if later is None or self._request is not None or self._problem:
            return None
        moves = (*self.before, *later)
        self._request = ValuesRequest(self.board.game, moves, self.session, later)
        return self._request

    def tick(self, now: float) -> bool:
        """Note the time, in seconds; return whether the message of a request has changed.

        After `SLOW_S` it says why an answer takes so long.
        """
        slow = False
        if self._request is None:
            self._asked_at = None
        elif self._asked_at is None:
            self._asked_at = now
        else:
            slow = now >= self._asked_at + SLOW_S
        changed, self._slow = slow and not self._slow, slow
        return changed

    @property
    def waiting_line(self) -> str:
        """Return the sentence for a learner who waits for an answer."""
        if not self._slow:
            return tr("Thinking about your move ...")
        return tr(
            "Thinking about your move ... The first time on this computer, this takes a minute: "
            "the engine is being prepared."
        )

    def take(self, request: ValuesRequest, values: PositionValues) -> bool:
        """Take the answer to a request; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._request = None
        request.session.give(request.later, values)
        self._note()
        return True

    def fail(self, request: ValuesRequest, sentence: str) -> bool:
        """Note why there are no values; return false if the request was dropped before."""
        if request is not self._request:
            return False
        self._request, self._problem = None, sentence
        return True

    # -- the learner -------------------------------------------------------------------------

    @abstractmethod
    def play(self, action: int) -> bool:
        """Play or click an edge; return whether anything happened."""

    @abstractmethod
    def step(self, by: int) -> bool:
        """Go `by` moves on or back; return whether there is such a move."""

    def retry(self) -> bool:
        """Take a wrong move back, or ask again after a problem; return whether there was one."""
        if self._problem:
            self._problem = ""
            return True
        return self._done(self.session.retry())

    # -- what is shown -----------------------------------------------------------------------

    def changes(self) -> BoardChanges:
        """Bring the board up to date; return what changed."""
        return self.board.show((), (*self.before, *self.shown))

    @property
    def shown(self) -> tuple[int, ...]:
        """The moves of the session that are on the board."""
        return self.session.moves

    @property
    def marked(self) -> tuple[int, ...]:
        """The edges that are marked."""
        return ()

    @property
    def mover(self) -> int | None:
        """The seat in whose colour a pointed edge is shown; None: in that of nobody."""
        return self.session.seat

    @property
    @abstractmethod
    def can_play(self) -> bool:
        """Return whether a click on the board means something now."""

    @property
    @abstractmethod
    def may_outline(self) -> bool:
        """Return whether outlines of chains and loops do not give the answer away."""

    def _you_are(self, state: State) -> str:
        """Return who the learner is, and the score: ``You are A · 2-1``."""
        seat, scores = self.session.seat, state.scores()
        return tr(
            "You are {name} · {mine}-{theirs}",
            name=self.board.game.seat_names[seat],
            mine=scores[seat],
            theirs=scores[1 - seat],
        )

    def _done(self, happened: bool) -> bool:
        if happened:
            self._note()
        return happened

    @abstractmethod
    def _note(self) -> None:
        """Keep the progress if something was solved."""
