"""Keep the move that a person has chosen for the next own turn while the opponent thinks."""

from __future__ import annotations

from doublecross.client.tk.models.room.model import RoomModel


class Premove:
    """At most one chosen move in the room of `model`; `action` is None without one.

    `on` is the person's setting. A premove is dropped with its match and after a takeback.
    """

    def __init__(self, model: RoomModel) -> None:
        self._model = model
        self.on = False
        self.action: int | None = None
        self._chosen_in: tuple[int, int] = (0, 0)
        """The match in which the move was chosen, and how many takebacks it had then."""

    @property
    def seat(self) -> int | None:
        """The seat for which a move can be chosen now, or None.

        Only the opponent of one person at this window must be to move, in the confirmed latest
        position.
        """
        model = self._model
        position, seats = model.position, model.seats
        waits = model.playing and model.to_move is not None and not model.my_turn
        if not self.on or not waits or position.pending or position.viewing is not None:
            return None
        return next(iter(seats.connections))

    def choose(self, action: int) -> bool:
        """Choose `action`, or drop it if it was chosen; return false if that is impossible now."""
        state = self._model.position.board.state
        if self.seat is None or not state.is_legal(action):
            return False
        self.action = None if action == self.action else action
        self._chosen_in = self._now
        return True

    def drop(self) -> bool:
        """Drop the chosen move; return false without one."""
        had, self.action = self.action is not None, None
        return had

    def due(self) -> int | None:
        """Return the chosen action, and forget it, if its turn has come; otherwise None.

        Call this after each update of the room. The action may have become illegal meanwhile.
        """
        if not (self.on and self._model.playing and self._chosen_in == self._now):
            self.action = None
        if self.action is None or not self._model.my_turn or self._model.position.pending:
            return None
        action, self.action = self.action, None
        return action

    @property
    def _now(self) -> tuple[int, int]:
        return self._model.snapshot.match, self._model.snapshot.takebacks
