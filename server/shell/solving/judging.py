"""Judge the moves that a player made in a puzzle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.values import PositionValues
from doublecross.games.api import GameError, State
from doublecross.games.api.sentence import Sentence
from doublecross.server.core.errors import wrong_state

NO_MOVES: Final = Sentence("These are no moves of this puzzle.")
Values = Callable[[State], Awaitable[PositionValues]]
"""Return the values of all moves in a position."""


async def is_solved(puzzle: Puzzle, moves: Sequence[int], values: Values) -> bool:
    """Return whether `moves` solve a puzzle; False when one of the player's moves is wrong.

    The moves are those after the puzzle's position, of both sides. The opponent replies with moves
    that keep the value. The first position needs no `values`, because the puzzle has them.

    Raises:
        Refused: the moves are not legal, the opponent's are not the best ones, or they end before
            the result is known.
    """
    state, turns = puzzle.state(), 0
    seat = state.current_player()
    for ply, action in enumerate(moves):
        mover = state.current_player()
        known = await values(state) if ply else puzzle.first_values()
        try:
            state.apply(action)
        except GameError:
            raise wrong_state(NO_MOVES) from None
        if known.losses(mover)[action] > 0:
            if mover == seat:
                return False
            raise wrong_state(NO_MOVES)
        over = state.is_terminal()
        turns += mover == seat and (over or state.current_player() != seat)
        if over or turns == puzzle.turns:
            return True
    raise wrong_state("Send the moves up to a wrong one, or up to the end of the last turn.")
