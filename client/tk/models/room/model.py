"""A room as the person at the window sees it, and what a click on its board does.

The room comes as pictures, one after the other. `OwnSeats` says which seats this window has,
`RoomPosition` which moves there are and what the board shows. What may be asked for stands in
`RoomPermissions`, and how things are in words in `RoomText`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.tk.models.board.model import BoardChanges
from client.tk.models.pictures import RoomPicture
from client.tk.models.room.clock import ClockFace, room_clock
from client.tk.models.room.own_seats import OWN, OwnSeats
from client.tk.models.room.pending import Order
from client.tk.models.room.position import RoomPosition
from client.tk.models.room.seats import Ending, make_ending
from games.api import GameError, why_illegal

LAST_MOVE = "The last move is on its way."
NOT_PLAYING: Mapping[str, str] = {
    "waiting": "The match begins when somebody takes the other seat.",
    "finished": "The match is over.",
    "closed": "This room is closed.",
}


class RoomModel:
    """One room, of which `picture` is the first picture and then the last one.

    `ending` says how the match ended; None while it has not.
    """

    def __init__(self, picture: RoomPicture) -> None:
        self.picture = picture
        self.seats = OwnSeats()
        self.position = RoomPosition(picture)
        self.ending: Ending | None = None
        self.take(picture)

    def take(self, picture: RoomPicture) -> BoardChanges:
        """Apply a picture of either connection and return what changes on the board."""
        self.seats.take(picture)
        changes = BoardChanges()
        if picture.who == OWN:
            self.picture = picture
            changes = self.position.take(picture)
        self.ending = make_ending(self.picture, self.seats.connections)
        return changes

    def gone(self, sentence: str) -> BoardChanges:
        """Treat the room as closed, because the own connection follows it no more. `sentence` says
        why."""
        sentence = sentence or self.picture.sentence or "This room is closed."
        return self.take(
            replace(
                self.picture,
                status="closed",
                to_move=None,
                clock_runs=False,
                claim_at=None,
                sentence=sentence,
            )
        )

    def forget(self, who: str) -> None:
        """Drop the connection of `who`, another than `OWN`, which follows this room no more."""
        self.seats.forget(who)
        self.ending = make_ending(self.picture, self.seats.connections)

    def play(self, action: int) -> Order | str:
        """Play `action` for the seat to move.

        Return the order, which the board shows from now on and `position.due` gives to be sent; or
        the sentence that says why not, and then nothing has changed.
        """
        self.position.changes = BoardChanges()
        objection = self._objection(action)
        if objection:
            return objection
        picture, state = self.picture, self.position.board.state
        who = self.seats.connections[state.current_player()]
        order = Order(who, picture.room, picture.match, state.ply, action)
        try:
            self.position.add(order)
        except GameError as error:
            return str(error)
        return order

    def _objection(self, action: int) -> str:
        """Return why `action` cannot be played now; empty: it can, as far as the turn goes."""
        board = self.position.board
        state = board.state
        if self.picture.status != "playing":
            return NOT_PLAYING[self.picture.status]
        if self.seats.watching:
            return "You are watching; only the players move."
        if self.position.viewing is not None:
            return "This is an earlier position; go back to the latest one to play."
        if state.is_terminal():
            return LAST_MOVE
        if not state.is_legal(action):
            return why_illegal(state, action)
        if state.current_player() not in self.seats:
            return f"It is {self.name(state.current_player())}'s turn."
        return ""

    @property
    def to_move(self) -> int | None:
        """The seat to move in the latest position, pending moves included; None: nobody."""
        state = self.position.latest
        if self.picture.status != "playing" or state.is_terminal():
            return None
        return state.current_player()

    @property
    def my_turn(self) -> bool:
        """Whether somebody at the window is to move in the latest position."""
        return self.to_move in self.seats

    @property
    def playing(self) -> bool:
        """Whether a match is being played in which this window has a seat."""
        return self.picture.status == "playing" and not self.seats.watching

    def clock(self, seat: int, now: float) -> ClockFace | None:
        """Return the clock of `seat` at `now`, in seconds of the client's clock; None: it has
        none."""
        return room_clock(self.picture, seat, now)

    def name(self, seat: int) -> str:
        """Return the name of the player of `seat`, or of the seat while it is free."""
        player = self.picture.players[seat]
        return self.picture.game.seat_names[seat] if player is None else player.name

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot has `seat`."""
        player = self.picture.players[seat]
        return player is not None and player.kind == "bot"
