"""Which sound belongs to what has happened in a room."""

from __future__ import annotations

from typing import Literal

from client.tk.models.board.model import BoardChanges
from client.tk.models.room.game import GameModel

Heard = Literal["draw", "capture", "turn", "won", "lost", "low"]


class Ears:
    """Listens to `model`: what was so before its making is not heard."""

    def __init__(self, model: GameModel) -> None:
        self._model = model
        self._match = model.picture.match
        self._over = model.ending is not None
        self._mine = model.my_turn
        self._low: tuple[bool | None, bool | None] = (None, None)

    def played(self, changes: BoardChanges) -> Heard:
        """Somebody at this window has made a move."""
        self._mine = self._model.my_turn
        return "capture" if any(changes.captures) else "draw"

    def told(self, changes: BoardChanges) -> Heard | None:
        """The server has told something, by which the board has changed by `changes`."""
        model = self._model
        mine, over, match = model.my_turn, model.ending is not None, model.picture.match
        was_mine, was_over, was_match = self._mine, self._over, self._match
        self._mine, self._over, self._match = mine, over, match
        if match != was_match:
            return "turn" if mine else "draw"
        if model.ending is not None and not was_over:
            if model.ending.winner is None:
                return "turn"
            return "lost" if model.ending.won is False else "won"
        if any(changes.captures):
            return "capture"
        if mine and not was_mine and not model.hot_seat:
            return "turn"
        return "draw" if changes.actions else None

    def ticked(self, now: float) -> Heard | None:
        """It is `now`, in seconds: the clock of somebody at this window may run low."""
        before = self._low
        self._low = self._clock_is_low(0, now), self._clock_is_low(1, now)
        crossed = any(
            low and was_low is False for low, was_low in zip(self._low, before, strict=True)
        )
        return "low" if crossed else None

    def _clock_is_low(self, seat: int, now: float) -> bool | None:
        """Whether the clock of `seat` is low; None: it stands still, or is not of this window."""
        face = self._model.clock(seat, now) if seat in self._model.hands else None
        return face.low if face is not None and face.runs else None
