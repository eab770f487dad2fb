"""Keep the confirmed and pending moves of a match, and the position that its board shows."""

from __future__ import annotations

from collections.abc import Sequence

from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.room.pending import Order, PendingMoves
from doublecross.client.tk.models.room.turns import MatchTurns, Turn
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.games.api import State


class RoomPosition:
    """The moves and the board of one room; `snapshot` is its first snapshot.

    *Pending* moves are those that the person has clicked and the server has not confirmed. They
    follow the moves of the latest snapshot, and the board shows them at once. `changes` is what the
    last call of `take`, `refuse`, `add`, `go_to` or `step` changed on the board.
    """

    def __init__(self, snapshot: RoomSnapshot) -> None:
        self.board = BoardModel(snapshot.game)
        self.changes = BoardChanges()
        self._snapshot = snapshot
        self._turns = MatchTurns(snapshot.game)
        self._pending = PendingMoves()
        self._viewing: int | None = None

    def take(self, snapshot: RoomSnapshot) -> BoardChanges:
        """Apply a snapshot, settle the pending moves, and return what changes on the board."""
        if snapshot.match != self._snapshot.match:
            self._viewing = None
        self._snapshot = snapshot
        self._pending.settle(snapshot)
        if self._viewing is not None and self._viewing >= len(self.moves):
            self._viewing = None  # moves were taken back
        return self._show()

    def add(self, order: Order) -> None:
        """Show `order` as a pending move.

        Raises:
            GameError: the move is illegal; nothing has changed.
        """
        self.changes = self.board.show(self._snapshot.opening, (*self.board.moves, order.action))
        self._pending.add(order)
        self._turns.follow(self._snapshot.opening, self.moves)

    def refuse(self, order: Order) -> bool:
        """Take back `order` and all later pending moves; return false if it was settled already."""
        self.changes = BoardChanges()
        refused = self._pending.refuse(order)
        if refused:
            self._show()
        return refused

    def due(self) -> Order | None:
        """Return the move to send now, or None; see `PendingMoves`."""
        return self._pending.due()

    def go_to(self, ply: int | None) -> BoardChanges:
        """Show the position after `ply` moves; None, or all moves, shows the latest one."""
        self._viewing = None if ply is None or ply >= self.total else max(0, ply)
        return self._show()

    def step(self, by: int) -> BoardChanges:
        """Go `by` moves forward, or back if negative."""
        return self.go_to(max(0, self.ply + by))

    @property
    def viewing(self) -> int | None:
        """The number of moves in the earlier position that is shown, or None for the latest."""
        return self._viewing

    @property
    def ply(self) -> int:
        """The number of moves in the position that is shown."""
        return self.total if self._viewing is None else self._viewing

    @property
    def total(self) -> int:
        """The number of moves in the latest position, including pending ones."""
        return self._turns.total

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves of the latest position, including pending ones."""
        return (*self._snapshot.moves, *self.pending)

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions of the pending moves."""
        return self._pending.actions

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves of the latest position, by turn."""
        return self._turns.turns

    @property
    def last_seat(self) -> int | None:
        """The seat that made the last move, or None before the first."""
        return self._turns.last_seat

    @property
    def latest(self) -> State:
        """The latest position, even while an earlier one is shown; do not change it."""
        return self._turns.state

    def _show(self) -> BoardChanges:
        opening, latest = self._snapshot.opening, self.moves
        self._turns.follow(opening, latest)
        shown: Sequence[int] = latest if self._viewing is None else latest[: self._viewing]
        self.changes = self.board.show(opening, shown)
        return self.changes
