"""One game being played under a clock: a state machine that says what may happen when.

Theory of operation
-------------------
A match is in one of three phases. What can happen to it are the *causes*: it starts, or it ends
by one of the terminations. `TRANSITIONS` is the whole machine; what is not in it cannot happen::

    waiting --started--> playing --completed, resigned, timeout, disconnect,
       |                    |      illegal, crash, aborted, void--> finished
       +---aborted, void----------------------------------------->

A move keeps the phase, but the one that ends the game on the board, which is `completed`.
The match asks the rules who moves (a completed box keeps the turn) and the clock who is late.
It knows nothing of players, rooms or wires; seats are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from games.api import Game, State, why_illegal
from protocol.common import TimeControl
from protocol.errors import ErrorCode
from protocol.server_messages import Termination
from server.core.clock import Clock
from server.core.errors import Refused

Phase = Literal["waiting", "playing", "finished"]
Cause = Literal["started"] | Termination

TRANSITIONS: Final[Mapping[tuple[Phase, Cause], Phase]] = {
    ("waiting", "started"): "playing",
    ("waiting", "aborted"): "finished",
    ("waiting", "void"): "finished",
    ("playing", "completed"): "finished",
    ("playing", "resigned"): "finished",
    ("playing", "timeout"): "finished",
    ("playing", "disconnect"): "finished",
    ("playing", "illegal"): "finished",
    ("playing", "crash"): "finished",
    ("playing", "aborted"): "finished",
    ("playing", "void"): "finished",
}

NO_RESULT: Final[frozenset[Termination]] = frozenset({"aborted", "void"})


@dataclass(slots=True)
class Thought:
    """What a seat's moves took: how many they were, and their milliseconds in sum and at most."""

    moves: int = 0
    total_ms: int = 0
    longest_ms: int = 0

    def add(self, elapsed_ms: int) -> None:
        """One more move."""
        self.moves += 1
        self.total_ms += elapsed_ms
        self.longest_ms = max(self.longest_ms, elapsed_ms)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `winner` is a seat, None for a draw or no result (`has_result`)."""

    termination: Termination
    winner: int | None
    returns: tuple[float, float]
    scores: tuple[int, int]
    reason: str

    @property
    def text(self) -> str:
        """As records have it: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*`` for no result."""
        if self.termination in NO_RESULT:
            return "*"
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]


class Match:
    """A match in its phases. Every method checks first and then changes, or raises `Refused`."""

    __slots__ = ("clock", "moved", "movers", "moves", "phase", "result", "state", "thought")

    def __init__(self, game: Game, opening: tuple[int, ...], control: TimeControl) -> None:
        self.state: State = game.initial_state(opening)
        self.clock = Clock(control)
        self.phase: Phase = "waiting"
        self.result: Result | None = None
        self.moves: list[tuple[int, int | None]] = []
        """The actions played, each with the mover's milliseconds left after it."""
        self.movers: list[int] = []
        """The seat of each move."""
        self.moved = [False, False]
        """Which seats have made a move."""
        self.thought = (Thought(), Thought())

    def _go(self, cause: Cause) -> None:
        after = TRANSITIONS.get((self.phase, cause))
        if after is None:
            raise Refused(
                ErrorCode.WRONG_STATE,
                f"The match is {self.phase}; that cannot happen to it now.",
            )
        self.phase = after

    @property
    def to_move(self) -> int | None:
        """The seat to move; None before the start and after the end."""
        return self.state.current_player() if self.phase == "playing" else None

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    def start(self) -> None:
        """Both players are there; the clock is started apart, once everybody knows."""
        self._go("started")

    def check_move(self, seat: int, ply: int, action: int) -> None:
        """Whether `seat` may play `action` at `ply` now.

        Raises:
            Refused: the match is not in play, it is not that ply or seat, or an illegal action.
        """
        if self.phase != "playing":
            raise Refused(ErrorCode.WRONG_STATE, f"The match is {self.phase}; nobody moves.")
        if ply != len(self.moves):
            raise Refused(ErrorCode.STALE_PLY, f"The match is at ply {self.ply}, not at {ply}.")
        if seat != self.state.current_player():
            raise Refused(ErrorCode.NOT_YOUR_TURN, "The other player is to move.")
        if not self.state.is_legal(action):
            why = why_illegal(self.state, action)
            raise Refused(ErrorCode.ILLEGAL_ACTION, f"Action {action} is illegal: {why}")

    def play(self, seat: int, action: int, now: int) -> int:
        """Play a move that `check_move` allowed; returns the milliseconds it took. The caller
        ends the match when the game is over."""
        self.state.apply(action)
        elapsed = self.clock.stop_after_move(seat, now)
        left = self.clock.left
        self.moves.append((action, None if left is None else left[seat]))
        self.movers.append(seat)
        self.moved[seat] = True
        return elapsed

    def finish(self, termination: Termination, winner: int | None, reason: str, now: int) -> Result:
        """End the match. `winner` counts only for terminations off the board."""
        self._go(termination)
        self.clock.stop(now)
        returns = (0.0, 0.0)
        if termination == "completed":
            returns = self.state.returns()
            winner = None if returns[0] == returns[1] else int(returns[1] > returns[0])
        elif termination in NO_RESULT:
            winner = None
        elif winner is not None:
            returns = (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
        self.result = Result(termination, winner, returns, self.state.scores(), reason)
        return self.result
