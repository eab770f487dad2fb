"""Group the moves of a match by turn, move by move as they are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doublecross.games.api import Game, State


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; `number` counts from 1. Each of `moves` is (ply after the move, action name)."""

    number: int
    seat: int
    moves: tuple[tuple[int, str], ...]


class MatchTurns:
    """The moves of a match of `game`. Adding a move takes constant time."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._opening: tuple[int, ...] = ()
        self._moves: list[int] = []
        self._turns: list[Turn] = []
        self._state: State = game.initial_state()

    @property
    def state(self) -> State:
        """The position after all moves; do not change it."""
        return self._state

    @property
    def total(self) -> int:
        """The number of moves."""
        return len(self._moves)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves, by turn."""
        return tuple(self._turns)

    @property
    def last_seat(self) -> int | None:
        """The seat that made the last move; None before the first."""
        return self._turns[-1].seat if self._turns else None

    def follow(self, opening: Sequence[int], moves: Sequence[int]) -> None:
        """Replace the moves; moves that continue the present ones are only appended.

        Raises:
            GameError: a move is illegal.
        """
        known = len(self._moves)
        if tuple(opening) != self._opening or list(moves[:known]) != self._moves:
            self._opening = tuple(opening)
            self._state = self._game.initial_state(self._opening)
            self._moves, self._turns, known = [], [], 0
        for action in moves[known:]:
            self._play(action)

    def _play(self, action: int) -> None:
        seat = self._state.current_player()
        self._state.apply(action)
        self._moves.append(action)
        move = len(self._moves), self._game.action_name(action)
        if self._turns and self._turns[-1].seat == seat:
            last = self._turns[-1]
            self._turns[-1] = Turn(last.number, seat, (*last.moves, move))
        else:
            self._turns.append(Turn(len(self._turns) + 1, seat, (move,)))
