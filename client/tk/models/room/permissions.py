"""What the person at the window may do in a room now, beside moving."""

from __future__ import annotations

from client.tk.models.room.model import RoomModel
from client.tk.models.room.own_seats import OWN
from games.api import State


class RoomPermissions:
    """What may be asked for in the room of `model`, as it is at the moment of the question."""

    def __init__(self, model: RoomModel) -> None:
        self._model = model

    # -- during a match ----------------------------------------------------------------------

    @property
    def hints_given(self) -> bool:
        """Whether hints are given here at all: against bots, in matches that count for nothing."""
        model, opponent = self._model, self._model.seats.opponent
        return (
            model.playing
            and not model.seats.shared
            and not model.picture.strict
            and opponent is not None
            and model.is_bot(opponent)
        )

    @property
    def hint(self) -> bool:
        """Whether a hint can be asked for now: at one's turn, in the confirmed latest position."""
        position = self._model.position
        return (
            self.hints_given
            and self._model.my_turn
            and position.viewing is None
            and not position.pending
        )

    @property
    def overlay(self) -> bool:
        """Whether the game has anything to point out in its positions, and this person may see it:
        not while playing a match that counts for something."""
        model = self._model
        if model.picture.strict and model.playing:
            return False
        return type(model.position.board.state).features is not State.features

    @property
    def resign(self) -> bool:
        """Whether the match can be given up."""
        return self._model.playing

    @property
    def resigner(self) -> str:
        """The connection that resigns: where two share the window, that of the one to move."""
        model, connections = self._model, self._model.seats.connections
        if model.seats.shared and model.to_move is not None:
            return connections[model.to_move]
        return next(iter(connections.values()), OWN)

    @property
    def abort(self) -> bool:
        """Whether the match can be called off: before both seats have moved, in no tournament."""
        model = self._model
        if model.picture.tournament is not None:
            return False
        return model.playing and not {0, 1} <= {turn.seat for turn in model.position.turns}

    def claim(self, now: float) -> bool:
        """Return whether the win can be claimed at `now` against an opponent who stays away."""
        claim_at = self._model.picture.claim_at
        return self._model.playing and claim_at is not None and now >= claim_at

    # -- another match -----------------------------------------------------------------------

    @property
    def rematches_here(self) -> bool:
        """Whether other matches can follow here. In a tournament they cannot: it decides who plays
        whom."""
        return not self._model.seats.watching and self._model.picture.tournament is None

    @property
    def rematch(self) -> bool:
        """Whether another match can be offered or accepted."""
        finished = self._model.picture.status == "finished"
        return self.rematches_here and finished and bool(self.rematch_connections)

    @property
    def rematch_connections(self) -> tuple[str, ...]:
        """The connections at this window that have not agreed to a rematch yet."""
        model = self._model
        return tuple(
            who for seat, who in model.seats.connections.items() if not model.picture.rematch[seat]
        )

    @property
    def rematch_offered(self) -> bool:
        """Whether the opponent waits for a rematch."""
        model = self._model
        others = [seat for seat in (0, 1) if seat not in model.seats]
        return model.picture.status == "finished" and any(model.picture.rematch[s] for s in others)

    @property
    def opponent_here(self) -> bool:
        """Whether the opponent can answer: is connected and has not left."""
        model = self._model
        return all(model.picture.present[seat] for seat in (0, 1) if seat not in model.seats)
