"""Model one room for the person at the window, and decide what a click on its board does.

The model follows the snapshots of the room. `OwnSeats` has the seats of this window, `RoomPosition`
the moves and the position on the board. `RoomPermissions` decides which actions the person has, and
`RoomText` describes the room in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from doublecross.client.language import tr
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.room.clock import ClockFace, room_clock
from doublecross.client.tk.models.room.own_seats import OwnSeats
from doublecross.client.tk.models.room.pending import Order
from doublecross.client.tk.models.room.position import RoomPosition
from doublecross.client.tk.models.room.seats import Ending, make_ending
from doublecross.client.tk.models.snapshots import OWN, RoomSnapshot
from doublecross.games.api import GameError, why_illegal

LAST_MOVE = tr("Waiting for the server to confirm the last move.")
NOT_PLAYING: Mapping[str, str] = {
    "waiting": tr("The match begins when somebody takes the other seat."),
    "finished": tr("The match is over."),
    "closed": tr("This room is closed."),
}


class RoomModel:
    """One room; `snapshot` is its latest snapshot."""

    def __init__(self, snapshot: RoomSnapshot) -> None:
        self.snapshot = snapshot
        self.seats = OwnSeats()
        self.position = RoomPosition(snapshot)
        self.take(snapshot)

    def take(self, snapshot: RoomSnapshot) -> BoardChanges:
        """Apply a snapshot from either connection; return what changes on the board."""
        self.seats.take(snapshot)
        if snapshot.who != OWN:
            return BoardChanges()
        self.snapshot = snapshot
        return self.position.take(snapshot)

    def gone(self, sentence: str) -> BoardChanges:
        """Treat the room as closed, because this person's connection no longer follows it.

        `sentence` gives the reason. Return what changes on the board.
        """
        sentence = sentence or self.snapshot.sentence or tr("This room is closed.")
        return self.take(
            replace(
                self.snapshot,
                status="closed",
                to_move=None,
                clock_runs=False,
                claim_at=None,
                sentence=sentence,
            )
        )

    def forget(self, who: str) -> None:
        """Drop the second connection, `who`, which no longer follows this room."""
        self.seats.forget(who)

    # -- moves ---------------------------------------------------------------------------------

    def play(self, action: int) -> Order | str:
        """Play `action` for the seat to move.

        Return the order if that is possible. The board then shows the move, and `position.due`
        returns the order when it is to be sent. If not, return a sentence that says why, and change
        nothing.
        """
        self.position.changes = BoardChanges()
        objection = self._objection(action)
        if objection:
            return objection
        snapshot, state = self.snapshot, self.position.board.state
        who = self.seats.connections[state.current_player()]
        order = Order(who, snapshot.room, snapshot.match, state.ply, action, snapshot.takebacks)
        try:
            self.position.add(order)
        except GameError as error:
            return str(error)
        return order

    def _objection(self, action: int) -> str:
        """Return a sentence that says why `action` cannot be played now, or an empty text."""
        board = self.position.board
        state = board.state
        if self.snapshot.status != "playing":
            return NOT_PLAYING[self.snapshot.status]
        if self.seats.watching:
            return tr("You are watching; only the players move.")
        if self.position.viewing is not None:
            return tr("This is an earlier position; go back to the latest one to play.")
        if state.is_terminal():
            return LAST_MOVE
        if not state.is_legal(action):
            return why_illegal(state, action)
        if state.current_player() not in self.seats:
            return tr("It is {name}'s turn.", name=self.name(state.current_player()))
        return ""

    @property
    def to_move(self) -> int | None:
        """The seat to move in the latest position, after pending moves, or None if no seat is."""
        state = self.position.latest
        if self.snapshot.status != "playing" or state.is_terminal():
            return None
        if state.ply < len(self.snapshot.start):
            return None  # the rest of the start is on its way
        return state.current_player()

    @property
    def over(self) -> bool:
        """Return whether the match is over or the room closed."""
        return self.snapshot.status in ("finished", "closed")

    @property
    def ending(self) -> Ending | None:
        """How the match ended, or None while it runs."""
        return make_ending(self.snapshot, self.seats.connections)

    @property
    def my_turn(self) -> bool:
        """Return whether a seat of this window is to move in the latest position."""
        return self.to_move in self.seats

    @property
    def playing(self) -> bool:
        """Return whether a match with a seat of this window is in progress."""
        return self.snapshot.status == "playing" and not self.seats.watching

    def clock(self, seat: int, now: float) -> ClockFace | None:
        """Return the clock of `seat`, or None without one; `now` is in seconds."""
        return room_clock(self.snapshot, seat, now)

    def name(self, seat: int) -> str:
        """Return the name of the player in `seat`, or the name of the seat if it is free."""
        player = self.snapshot.players[seat]
        return self.snapshot.game.seat_names[seat] if player is None else player.name

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot is in `seat`."""
        player = self.snapshot.players[seat]
        return player is not None and player.kind == "bot"
