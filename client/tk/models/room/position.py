"""The moves of a match, confirmed and pending, and the position that its board shows."""

from __future__ import annotations

from collections.abc import Sequence

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.pictures import RoomPicture
from client.tk.models.room.line import MoveLine, Turn
from client.tk.models.room.pending import Order, PendingMoves
from games.api import State


class RoomPosition:
    """The position of the room in `picture`, its first one.

    *Pending* moves, which somebody here has clicked and the server has not confirmed, are kept on
    top of the last picture: the board shows them at once. `changes` is what the last call of
    `take`, `refuse`, `add`, `look_at` or `step` changed on the board.
    """

    def __init__(self, picture: RoomPicture) -> None:
        self.board = BoardModel(picture.game)
        self.changes = BoardChanges()
        self._picture = picture
        self._line = MoveLine(picture.game)
        self._pending = PendingMoves()
        self._viewing: int | None = None

    def take(self, picture: RoomPicture) -> BoardChanges:
        """Apply a picture, settle pending moves by it, and return what changes on the board."""
        if picture.match != self._picture.match:
            self._viewing = None
        self._picture = picture
        self._pending.settle(picture)
        return self._show()

    def add(self, order: Order) -> None:
        """Show `order` as a pending move.

        Raises:
            GameError: the move is illegal; nothing changes then.
        """
        self.changes = self.board.show(self._picture.opening, (*self.board.moves, order.action))
        self._pending.add(order)
        self._line.follow(self._picture.opening, self.moves)

    def refuse(self, order: Order) -> bool:
        """Take back `order` and what was built on it. Return false if it was settled already."""
        self.changes = BoardChanges()
        refused = self._pending.refuse(order)
        if refused:
            self._show()
        return refused

    def due(self) -> Order | None:
        """Return the move to send now, if there is one; see `PendingMoves`."""
        return self._pending.due()

    def look_at(self, ply: int | None) -> BoardChanges:
        """Show the position after `ply` moves; None, or the number of all: the latest."""
        self._viewing = None if ply is None or ply >= self.total else max(0, ply)
        return self._show()

    def step(self, by: int) -> BoardChanges:
        """Show the position `by` moves later, or earlier, than the one that is shown."""
        return self.look_at(max(0, self.ply + by))

    @property
    def viewing(self) -> int | None:
        """The number of moves of the earlier position that is shown; None: the latest is."""
        return self._viewing

    @property
    def ply(self) -> int:
        """The number of moves of the position that is shown."""
        return self.total if self._viewing is None else self._viewing

    @property
    def total(self) -> int:
        """The number of moves of the latest position, pending ones included."""
        return self._line.total

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves of the latest position, pending ones included."""
        return (*self._picture.moves, *self.pending)

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions that are shown and not confirmed yet."""
        return self._pending.actions

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves of the latest position, by turn."""
        return self._line.turns

    @property
    def last_seat(self) -> int | None:
        """The seat that made the last of all moves; None before the first."""
        return self._line.last_seat

    @property
    def latest(self) -> State:
        """The latest position, whichever is shown; not to be changed."""
        return self._line.state

    def _show(self) -> BoardChanges:
        opening, latest = self._picture.opening, self.moves
        self._line.follow(opening, latest)
        shown: Sequence[int] = latest if self._viewing is None else latest[: self._viewing]
        self.changes = self.board.show(opening, shown)
        return self.changes
