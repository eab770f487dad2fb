"""A board as a window shows it: what is drawn by whom, what a click means, where the arrows lead.

All that it knows of a game is its `Geometry` and what a `State` says; so every game is drawn alike.
Coordinates are board units: those of the geometry's points, x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.tk.models.board.places import BoardPlaces
from games.api import Game, Geometry, PieceStyle, State

NOBODY: Final = -1
"""Who drew what the opening has drawn."""


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What is new on a board, for those who animate it.

    `actions` were played, oldest first; `captures` has, for each, the cells that it captured,
    none in games where every move claims a cell.
    `rebuilt`: the position does not follow from the one before, so nothing moves.
    """

    actions: tuple[int, ...] = ()
    captures: tuple[tuple[int, ...], ...] = ()
    rebuilt: bool = False


class BoardModel:
    """The board of `game` after an opening and moves; see `show`."""

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
        """The position that is shown; not to be changed."""
        return self._state

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that are shown, the opening apart."""
        return tuple(self._moves)

    @property
    def last(self) -> int | None:
        """The last move, None before the first."""
        return self._moves[-1] if self._moves else None

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells in which the last move is to be seen; none where it is a segment."""
        return self._won[-1] if self._won and not self.places.segments else ()

    @property
    def shows_players(self) -> bool:
        """Whether the cells show the players' initials rather than the signs of the seats."""
        return self.geometry.pieces is PieceStyle.FILL

    @property
    def owners(self) -> tuple[int, ...]:
        """The owner of each cell, -1 for nobody."""
        return self._state.owners()

    def drawer(self, action: int) -> int | None:
        """Return the seat that played `action` last, `NOBODY` for the opening, None for nobody."""
        return self._drawers.get(action)

    def claims(self, action: int) -> tuple[int, ...]:
        """Return the cells that `action` would win in the position that is shown.

        These are the cells where it would be seen: that in which a disc would come to rest, or
        the objects that would be taken. None where `action` is not legal.
        """
        if not self._state.is_legal(action):
            return ()
        after = self._state.clone()
        after.apply(action)
        return _differing(self._state.owners(), after.owners())

    def cells_of(self, moves: Sequence[int]) -> frozenset[int]:
        """Return the cells won by the newest moves on the board, as far as `moves` begin so."""
        for count in range(min(len(moves), len(self._moves)), 0, -1):
            if list(moves[:count]) == self._moves[-count:]:
                return frozenset(cell for won in self._won[-count:] for cell in won)
        return frozenset()

    def show(self, opening: Sequence[int], moves: Sequence[int]) -> BoardChanges:
        """Show the position after `opening` and `moves`, which are legal.

        Raises:
            GameError: they are not; what is shown then is as far as they are.
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
        """Play one more move; return the cells that it captures."""
        seat, before = self._state.current_player(), self._state.owners()
        self._state.apply(action)
        self._moves.append(action)
        self._drawers[action] = seat
        self._won.append(_differing(before, self._state.owners()))
        return self._won[-1] if self.places.segments else ()

    def step(self, focus: int | None, dx: int, dy: int) -> int | None:
        """Return where an arrow key leads from `focus` among the legal actions."""
        return self.places.step(self._state.legal_actions(), focus, dx, dy)


def _differing(before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """Return the cells that have another owner than before."""
    return tuple(i for i, owner in enumerate(after) if owner != before[i])
