"""A match: one game under a clock, from the first move to its end.

Theory of operation
-------------------
A match is in play from its construction until `finish` ends it with one of the terminations.
Afterwards nothing changes it. `play` never ends a match by itself: after the move that ends the
game on the board, the caller calls `finish` with `completed`.

The game's rules determine who moves (a completed box keeps the turn), and the clock determines who
is out of time. A match contains no players, rooms or connections; seats are 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from doublecross.games.api import Game, State, why_illegal
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.rooms.clock import Clock
from doublecross.server.core.rooms.takebacks import Takebacks

NO_RESULT: Final[frozenset[Termination]] = frozenset({"aborted", "void"})
"""The terminations of matches without a winner or a draw."""


@dataclass(slots=True)
class ThinkingTime:
    """How long a seat thought: the number of its moves, their total time and the longest one."""

    moves: int = 0
    total_ms: int = 0
    longest_ms: int = 0

    def add(self, elapsed_ms: int) -> None:
        """Count one more move, which took `elapsed_ms`."""
        self.moves += 1
        self.total_ms += elapsed_ms
        if elapsed_ms > self.longest_ms:
            self.longest_ms = elapsed_ms


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended. `winner` is a seat, or None for a draw or no result (`NO_RESULT`).

    A match in which not `both_moved` changes no rating.
    """

    termination: Termination
    winner: int | None
    returns: tuple[float, float]
    scores: tuple[int, int]
    reason: Sentence
    both_moved: bool = True

    @property
    def text(self) -> str:
        """The result as in records: ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` for no result."""
        if self.termination in NO_RESULT:
            return "*"
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]


class Match:
    """A match. It is in play while `result` is None."""

    __slots__ = (
        "clock",
        "counts",
        "moved",
        "movers",
        "moves",
        "placed",
        "result",
        "state",
        "takebacks",
        "thought",
    )

    def __init__(self, game: Game, opening: tuple[int, ...], control: TimeControl) -> None:
        self.state: State = game.initial_state(opening)
        self.clock = Clock(control)
        """Stopped at first. The room starts it after the position was stored and sent."""
        self.result: MatchEnd | None = None
        self.moves: list[tuple[int, int | None]] = []
        """The actions played, each with the milliseconds that the mover had left afterwards."""
        self.movers: list[int] = []
        """The seat of each move."""
        self.placed = 0
        """How many of the moves are those of the start, which stay."""
        self.counts: list[int] = []
        """The number of takebacks before each move."""
        self.takebacks = Takebacks()
        self.moved = [False, False]
        """Which seats have made a move, those of the start not counted."""
        self.thought = (ThinkingTime(), ThinkingTime())
        """The thinking times by seat."""

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None after the end."""
        return self.state.current_player() if self.result is None else None

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self.moves)

    def check_move(self, seat: int, ply: int, action: int) -> None:
        """Check that `seat` may play `action` at `ply` now.

        Raises:
            Refused: the match is over, it is at another ply, the other seat is to move, or the
                action is illegal.
        """
        if self.result is not None:
            raise wrong_state("The match is finished; nobody moves.")
        if ply != len(self.moves):
            raise Refused(
                ErrorCode.STALE_PLY, "The match is at ply {ply}, not at {asked}.", self.ply, ply
            )
        if seat != self.state.current_player():
            raise Refused(ErrorCode.NOT_YOUR_TURN, "The other player is to move.")
        if not self.state.is_legal(action):
            why = why_illegal(self.state, action)
            raise Refused(
                ErrorCode.ILLEGAL_ACTION, "Action {action} is illegal: {why}", action, why
            )

    def play(self, seat: int, action: int, now: int) -> int:
        """Play a move and return the milliseconds that it took.

        The caller has called `check_move`, and calls `finish` when the game is over.
        """
        elapsed = self.clock.stop_after_move(seat, now)
        self._apply(seat, action)
        # Moves of the start do not count, so a player who has not moved yet may still call the
        # match off.
        self.moved[seat] = True
        return elapsed

    def place(self, action: int) -> int:
        """Play a move of the start, which takes no time, and return its seat."""
        seat = self.state.current_player()
        self._apply(seat, action)
        self.placed += 1
        return seat

    def _apply(self, seat: int, action: int) -> None:
        self.state.apply(action)
        left = self.clock.left
        self.moves.append((action, None if left is None else left[seat]))
        self.movers.append(seat)
        self.counts.append(self.takebacks.count)
        # Nearly all matches have no takebacks, and every move comes this way.
        takebacks = self.takebacks
        if takebacks.request is not None or takebacks.answer is not None:
            takebacks.move_made()

    def take_back(self, seat: int, ply: int, seq: int, now: int) -> None:
        """Return to the position before the move at `ply`, for `seat`, by event `seq`.

        This stops the clock and charges the mover until `now`. The thinking times of the moves that
        are taken back still count.
        """
        self.clock.stop(now)
        # `board_at` needs the actions that are taken back, for events that still wait for their
        # commit.
        self.takebacks.note(seat, ply, seq, tuple(action for action, _ in self.moves))
        for _ in range(len(self.moves) - ply):
            self.state.undo()
        del self.moves[ply:], self.movers[ply:], self.counts[ply:]
        # Count anew, because an earlier move of the same seat may stay.
        played = self.movers[self.placed :]
        self.moved = [0 in played, 1 in played]

    def actions_with(self, takebacks: int) -> tuple[int, ...]:
        """Return the actions up to the end of the time in which there were so many takebacks.

        That time ends with the next takeback, or has not ended yet.
        """
        if takebacks < self.takebacks.count:
            return self.takebacks.actions_before[takebacks]
        return tuple(action for action, _ in self.moves)

    def finish(
        self, termination: Termination, winner: int | None, reason: Sentence, now: int
    ) -> MatchEnd:
        """End the match and return its end.

        With `completed` the rules determine the winner, and `winner` is ignored.

        Raises:
            Refused: the match has already ended.
        """
        if self.result is not None:
            raise wrong_state("The match is already finished; this is not possible now.")
        self.clock.stop(now)
        # Nobody can answer it any more, and a snapshot must not show it.
        self.takebacks.request = None
        returns = (0.0, 0.0)
        if termination == "completed":
            returns = self.state.returns()
            winner = None if returns[0] == returns[1] else int(returns[1] > returns[0])
        elif termination in NO_RESULT:
            winner = None
        elif winner is not None:
            returns = (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
        scores = self.state.scores()
        self.result = MatchEnd(termination, winner, returns, scores, reason, all(self.moved))
        return self.result
