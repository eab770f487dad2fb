"""Choose the sound for a change in a room."""

from __future__ import annotations

from typing import Literal

from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.room.model import RoomModel

Cue = Literal["draw", "capture", "turn", "won", "lost", "low"]


class SoundCues:
    """Compares the room of `model` with its state at the last call, and chooses a sound.

    The state at creation is the first one to compare with, so earlier events make no sound.
    """

    def __init__(self, model: RoomModel) -> None:
        self._model = model
        self._match = model.snapshot.match
        self._over = model.ending is not None
        self._mine = model.my_turn
        self._asked = model.snapshot.takeback
        self._low: tuple[bool | None, bool | None] = (None, None)

    def after_move(self, changes: BoardChanges) -> Cue:
        """Return the sound of a move by a person at this window that made `changes`."""
        self._mine = self._model.my_turn
        return "capture" if any(changes.captures) else "draw"

    def after_update(self, changes: BoardChanges) -> Cue | None:
        """Return the sound of a server update that made `changes` on the board, or None."""
        model = self._model
        mine, over, match = model.my_turn, model.ending is not None, model.snapshot.match
        was_mine, was_over, was_match = self._mine, self._over, self._match
        self._mine, self._over, self._match = mine, over, match
        asked, self._asked = self._asked, model.snapshot.takeback
        if match != was_match:
            return "turn" if mine else "draw"
        if model.ending is not None and not was_over:
            if model.ending.winner is None:
                return "turn"
            return "lost" if model.ending.won is False else "won"
        if any(changes.captures):
            return "capture"
        request = model.snapshot.takeback
        if request is not None and request != asked and request.seat not in model.seats:
            return "turn"
        if mine and not was_mine and not model.seats.shared:
            return "turn"
        return "draw" if changes.actions else None

    def at(self, now: float) -> Cue | None:
        """Return a sound if a clock of this window has just run low at `now`, in seconds."""
        before = self._low
        self._low = self._clock_is_low(0, now), self._clock_is_low(1, now)
        crossed = any(
            low and was_low is False for low, was_low in zip(self._low, before, strict=True)
        )
        return "low" if crossed else None

    def _clock_is_low(self, seat: int, now: float) -> bool | None:
        """Return whether the running clock of `seat` is low.

        Return None if the clock is stopped or the seat does not belong to this window.
        """
        face = self._model.clock(seat, now) if seat in self._model.seats else None
        return face.low if face is not None and face.runs else None
