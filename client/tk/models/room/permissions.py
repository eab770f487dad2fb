"""Decide what the person at the window may do in a room, apart from moving."""

from __future__ import annotations

from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.snapshots import OWN
from doublecross.games.api import State


class RoomPermissions:
    """The permissions in the room of `model`, always for its present state."""

    def __init__(self, model: RoomModel) -> None:
        self._model = model

    # -- during a match ----------------------------------------------------------------------

    @property
    def hints_given(self) -> bool:
        """Return whether the match allows hints.

        One person must play a bot, or two people share this window, and the match must be neither
        rated nor part of a tournament.
        """
        model, opponent = self._model, self._model.seats.opponent
        if not model.playing or model.snapshot.strict or opponent is None:
            return False
        return model.seats.shared or model.is_bot(opponent)

    @property
    def hint(self) -> bool:
        """Return whether a hint is allowed now: at this person's turn in the confirmed position."""
        position = self._model.position
        return (
            self.hints_given
            and self._model.my_turn
            and position.viewing is None
            and not position.pending
        )

    @property
    def overlay(self) -> bool:
        """Return whether the overlay of features is available.

        The game must describe features, and players of rated or tournament matches get none.
        """
        model = self._model
        return self.features_here and not (model.snapshot.strict and model.playing)

    @property
    def phrases_here(self) -> bool:
        """Return whether two people who do not share this window can say phrases in this room."""
        players = self._model.snapshot.players
        people = all(player is not None and player.kind == "human" for player in players)
        return people and not self._model.seats.shared

    @property
    def speaks(self) -> bool:
        """Return whether this person can say a phrase now: as a player, in a match or after it."""
        open_ = self._model.snapshot.status in ("playing", "finished")
        return self.phrases_here and open_ and not self._model.seats.watching

    @property
    def features_here(self) -> bool:
        """Return whether the game describes features."""
        return type(self._model.position.board.state).features is not State.features

    @property
    def resign(self) -> bool:
        """Return whether the person can resign."""
        return self._model.playing

    @property
    def resigner(self) -> str:
        """The connection that resigns: of two people who share the window, that of the mover."""
        model, connections = self._model, self._model.seats.connections
        if model.seats.shared and model.to_move is not None:
            return connections[model.to_move]
        return next(iter(connections.values()), OWN)

    @property
    def aborts_here(self) -> bool:
        """Return whether the match could be aborted at its beginning; not in a tournament."""
        return self._model.playing and self._model.snapshot.tournament is None

    @property
    def abort(self) -> bool:
        """Return whether the match can be aborted now: before this person's own first move."""
        model = self._model
        begun = len(model.snapshot.start)
        moved = {turn.seat for turn in model.position.turns if turn.moves[-1][0] > begun}
        return self.aborts_here and any(seat not in moved for seat in model.seats.connections)

    @property
    def takebacks_here(self) -> bool:
        """Return whether moves of this match can be taken back: only in casual matches."""
        return self._model.playing and not self._model.snapshot.strict

    @property
    def takeback(self) -> tuple[int, str] | None:
        """The ply to return to and the connection that asks, or None if nobody can ask now.

        It is the person's last own move; of two people who share the window, the last move.
        """
        model, snapshot = self._model, self._model.snapshot
        if not self.takebacks_here or snapshot.takeback is not None or model.position.pending:
            return None
        here = zip(snapshot.present, snapshot.knows_takebacks, strict=True)
        if not all(there and knows for there, knows in here):
            return None
        for turn in reversed(model.position.turns):
            if (who := model.seats.connections.get(turn.seat)) is not None:
                ply: int = turn.moves[-1][0] - 1
                return (ply, who) if ply >= len(snapshot.start) else None
        return None

    @property
    def takeback_waits(self) -> str | None:
        """The connection whose request for a takeback waits for somebody elsewhere, or None."""
        request, seats = self._model.snapshot.takeback, self._model.seats
        if request is None or 1 - request.seat in seats:
            return None
        return seats.connections.get(request.seat)

    @property
    def takeback_answerer(self) -> str | None:
        """The connection of this window that may answer a request for a takeback, or None."""
        request = self._model.snapshot.takeback
        return None if request is None else self._model.seats.connections.get(1 - request.seat)

    @property
    def claims_here(self) -> bool:
        """Return whether there is an opponent elsewhere who could stay away."""
        return self._model.playing and not self._model.seats.shared

    def claim(self, now: float) -> bool:
        """Return whether the person can claim the win against an absent opponent at `now`."""
        claim_at = self._model.snapshot.claim_at
        return self._model.playing and claim_at is not None and now >= claim_at

    # -- another match -----------------------------------------------------------------------

    @property
    def rematches_here(self) -> bool:
        """Return whether the room allows rematches. A tournament does not: it pairs its players."""
        return not self._model.seats.watching and self._model.snapshot.tournament is None

    @property
    def rematch(self) -> bool:
        """Return whether the person can offer or accept a rematch."""
        finished = self._model.snapshot.status == "finished"
        return self.rematches_here and finished and bool(self.rematch_connections)

    @property
    def rematch_connections(self) -> tuple[str, ...]:
        """The connections at this window that have not agreed to a rematch yet."""
        model = self._model
        return tuple(
            who for seat, who in model.seats.connections.items() if not model.snapshot.rematch[seat]
        )

    @property
    def rematch_withdrawn(self) -> bool:
        """Return whether the person has offered a rematch, and can withdraw it."""
        finished = self._model.snapshot.status == "finished"
        return self.rematches_here and finished and not self.rematch_connections

    @property
    def rematch_offered(self) -> bool:
        """Return whether the opponent has offered a rematch."""
        model = self._model
        others = [seat for seat in (0, 1) if seat not in model.seats]
        return model.snapshot.status == "finished" and any(
            model.snapshot.rematch[s] for s in others
        )

    @property
    def opponent_here(self) -> bool:
        """Return whether the opponent is connected, so that they can answer."""
        model = self._model
        return all(model.snapshot.present[seat] for seat in (0, 1) if seat not in model.seats)
