"""One game being played under a clock: what may happen when, and how it ends.

Theory of operation
-------------------
A match is in play from its construction until `finish` gives it its end, by one of the
terminations; nothing happens to it afterwards. A move leaves it in play; whoever plays the move
that ends the game on the board calls `finish` with `completed`.
The match asks the rules who moves (a completed box keeps the turn) and the clock who is late.
It knows nothing of players, rooms or wires; seats are 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.api import Game, State, why_illegal
from protocol.common import TimeControl
from protocol.errors import ErrorCode
from protocol.server_messages import Termination
from server.core.clock import Clock
from server.core.errors import Refused

NO_RESULT: Final[frozenset[Termination]] = frozenset({"aborted", "void"})


@dataclass(slots=True)
class ThinkingTime:
    """What a seat's moves took: how many they were, and their milliseconds in sum and at most."""

    moves: int = 0
    total_ms: int = 0
    longest_ms: int = 0

    def add(self, elapsed_ms: int) -> None:
        """Count one more move."""
        self.moves += 1
        self.total_ms += elapsed_ms
        if elapsed_ms > self.longest_ms:
            self.longest_ms = elapsed_ms


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended. `winner` is a seat, None for a draw or no result (see `NO_RESULT`)."""

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
    """A match, in play while it has no `result`."""

    __slots__ = ("clock", "moved", "movers", "moves", "result", "state", "thought")

    def __init__(self, game: Game, opening: tuple[int, ...], control: TimeControl) -> None:
        self.state: State = game.initial_state(opening)
        self.clock = Clock(control)
        """It stands; the room starts it once everybody knows the position."""
        self.result: MatchEnd | None = None
        self.moves: list[tuple[int, int | None]] = []
        """The actions played, each with the mover's milliseconds left after it."""
        self.movers: list[int] = []
        """The seat of each move."""
        self.moved = [False, False]
        """Which seats have made a move."""
        self.thought = (ThinkingTime(), ThinkingTime())

    @property
    def to_move(self) -> int | None:
        """The seat to move; None after the end."""
        return self.state.current_player() if self.result is None else None

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    def check_move(self, seat: int, ply: int, action: int) -> None:
        """Check that `seat` may play `action` at `ply` now.

        Raises:
            Refused: the match is over, it is not that ply or seat, or an illegal action.
        """
        if self.result is not None:
            raise Refused(ErrorCode.WRONG_STATE, "The match is finished; nobody moves.")
        if ply != len(self.moves):
            raise Refused(ErrorCode.STALE_PLY, f"The match is at ply {self.ply}, not at {ply}.")
        if seat != self.state.current_player():
            raise Refused(ErrorCode.NOT_YOUR_TURN, "The other player is to move.")
        if not self.state.is_legal(action):
            why = why_illegal(self.state, action)
            raise Refused(ErrorCode.ILLEGAL_ACTION, f"Action {action} is illegal: {why}")

    def play(self, seat: int, action: int, now: int) -> int:
        """Play a move that `check_move` allowed and return the milliseconds it took.

        The caller ends the match when the game is over.
        """
        self.state.apply(action)
        elapsed = self.clock.stop_after_move(seat, now)
        left = self.clock.left
        self.moves.append((action, None if left is None else left[seat]))
        self.movers.append(seat)
        self.moved[seat] = True
        return elapsed

    def finish(
        self, termination: Termination, winner: int | None, reason: str, now: int
    ) -> MatchEnd:
        """End the match. `winner` counts only for terminations off the board.

        Raises:
            Refused: it has ended already.
        """
        if self.result is not None:
            raise Refused(
                ErrorCode.WRONG_STATE, "The match is finished; that cannot happen to it now."
            )
        self.clock.stop(now)
        returns = (0.0, 0.0)
        if termination == "completed":
            returns = self.state.returns()
            winner = None if returns[0] == returns[1] else int(returns[1] > returns[0])
        elif termination in NO_RESULT:
            winner = None
        elif winner is not None:
            returns = (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
        self.result = MatchEnd(termination, winner, returns, self.state.scores(), reason)
        return self.result
