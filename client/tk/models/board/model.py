"""Model the board that a window shows: its position, and what each move changed.

The model uses only a game's `Geometry` and `State`, so it works for every game. Coordinates are the
board units of the geometry's points, with x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.client.tk.models.board.places import BoardPlaces
from doublecross.games.api import Game, Geometry, PieceStyle, State

NOBODY: Final = -1
"""The seat that `drawer` returns for actions of the opening."""


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """The changes on a board, for the animation.

    `actions` has the new moves, oldest first, and `captures` the cells that each of them captured.
    `captures` has no cells in games where every move claims a cell. `rebuilt` says that the
    position does not continue the one before, so nothing is animated.
    """

    actions: tuple[int, ...] = ()
    captures: tuple[tuple[int, ...], ...] = ()
    rebuilt: bool = False


class BoardModel:
    """The board of `game`, in the position that `show` sets."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.geometry: Geometry = game.geometry()
        self.places = BoardPlaces(self.geometry)
        self._opening: tuple[int, ...] = ()
        self._moves: list[int] = []
        self._won: list[tuple[int, ...]] = []
        self._drawers: dict[int, int] = {}
        self._state: State = game.initial_state()

    # -- the position ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position that is shown; do not change it."""
        return self._state

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that are shown, without the opening."""
        return tuple(self._moves)

    @property
    def last(self) -> int | None:
        """The last move, or None before the first."""
        return self._moves[-1] if self._moves else None

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells that show the last move; empty in games with segments."""
        return self._won[-1] if self._won and not self.places.segments else ()

    @property
    def shows_players(self) -> bool:
        """Return whether cells show the players' initials rather than the marks of the seats."""
        return self.geometry.pieces is PieceStyle.FILL

    @property
    def owners(self) -> tuple[int, ...]:
        """The seat that owns each cell, or -1."""
        return self._state.owners()

    def drawer(self, action: int) -> int | None:
        """Return the seat that played `action`, `NOBODY` for the opening, None if not played."""
        return self._drawers.get(action)

    def claims(self, action: int) -> tuple[int, ...]:
        """Return the cells that `action` would win in the position shown; empty if it is illegal.

        For example, the cell in which a disc would land, or the objects that would be taken.
        """
        if not self._state.is_legal(action):
            return ()
        after = self._state.clone()
        after.apply(action)
        return _differing(self._state.owners(), after.owners())

    def cells_of(self, moves: Sequence[int]) -> frozenset[int]:
        """Return the cells won by the board's newest moves, as far as `moves` begins with them."""
        for count in range(min(len(moves), len(self._moves)), 0, -1):
            if list(moves[:count]) == self._moves[-count:]:
                return frozenset(cell for won in self._won[-count:] for cell in won)
        return frozenset()

    def show(self, opening: Sequence[int], moves: Sequence[int]) -> BoardChanges:
        """Show the position after `opening` and `moves`; return what changed.

        Raises:
            GameError: a move is illegal. The board shows the position before that move.
        """
        known = len(self._moves)
        goes_on = (
            tuple(opening) == self._opening
            and len(moves) >= known
            and list(moves[:known]) == self._moves
        )
        if not goes_on:
            self._opening = tuple(opening)
            self._state = self.game.initial_state(self._opening)
            self._moves, self._won = [], []
            self._drawers = dict.fromkeys(self._opening, NOBODY)
            for action in moves:
                self._play(action)
            return BoardChanges(rebuilt=True)
        new = tuple(moves[known:])
        return BoardChanges(new, tuple(self._play(action) for action in new))

    def _play(self, action: int) -> tuple[int, ...]:
        """Play one move; return the cells that it captures."""
        seat, before = self._state.current_player(), self._state.owners()
        self._state.apply(action)
        self._moves.append(action)
        self._drawers[action] = seat
        self._won.append(_differing(before, self._state.owners()))
        return self._won[-1] if self.places.segments else ()

    def step(self, focus: int | None, dx: int, dy: int) -> int | None:
        """Return the legal action to which an arrow key leads; see `BoardPlaces.step`."""
        return self.places.step(self._state.legal_actions(), focus, dx, dy)


def _differing(before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """Return the cells whose owner has changed."""
    return tuple(i for i, owner in enumerate(after) if owner != before[i])
