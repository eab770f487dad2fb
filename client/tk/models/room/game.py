"""A room as the person at the window sees it: what to show, and what a click does.

Theory of operation
-------------------
The room itself comes as pictures, one after the other. What the person has clicked and the server
has not confirmed yet is kept here as *pending* moves on top of the last picture: the board shows
them at once. Each is keyed by match and ply, as on the wire; a picture that has the move at its ply
confirms it, one with another move there, or a refusal, takes it and those after it back.

*Hands* say which connection plays which seat: one for the person's own seat, none for a spectator,
two where two people share the window. Pictures of the second connection only give its hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.pictures import RoomPicture
from client.tk.models.room.clock import ClockFace, room_clock
from client.tk.models.room.line import Line, Turn
from client.tk.models.room.pending import Order, PendingMoves
from client.tk.models.room.seats import Ending, SeatPanel, make_ending, make_panel
from client.tk.models.words import initials, watching
from games.api import Feature, GameError, State, why_illegal

__all__ = ["OWN", "Ending", "GameModel", "Order", "SeatPanel", "Turn"]

OWN: str = "me"
"""The connection whose pictures are shown."""


class GameModel:
    """One room, of which `picture` is the first picture.

    `changes` is what the last call of `take`, `refuse`, `play` or `look_at` has changed on the
    board. In a game of a tournament `tournament_name` is that one's, as far as it is known, and
    `tournament_note` what is to be said of it in the end; who knows them sets them.
    """

    def __init__(self, picture: RoomPicture) -> None:
        self.picture = picture
        self.hands: dict[int, str] = {}
        self.board = BoardModel(picture.game)
        self.changes = BoardChanges()
        self._line = Line(picture.game)
        self._others: dict[str, RoomPicture] = {}
        self._pending = PendingMoves()
        self._viewing: int | None = None
        self._ending: Ending | None = None
        self.tournament_name = self.tournament_note = ""
        self.take(picture)

    # -- what comes from the server ----------------------------------------------------------

    def take(self, picture: RoomPicture) -> BoardChanges:
        """Take a picture; what changes on the board."""
        self.changes = BoardChanges()
        if picture.who != OWN:
            self._others[picture.who] = picture
            self._see_hands()
            return self.changes
        if picture.match != self.picture.match:
            self._viewing = None
        self.picture = picture
        self._see_hands()
        self._pending.settle(picture)
        return self._show()

    def gone(self, sentence: str) -> BoardChanges:
        """The room is followed no more: it is closed, as far as this window can tell."""
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
        """The connection of `who`, another than `OWN`, follows this room no more."""
        self._others.pop(who, None)
        self._see_hands()

    def refuse(self, order: Order) -> bool:
        """The server has refused `order`: it and what was built on it are taken back. False: that
        was settled already, and nothing changes."""
        self.changes = BoardChanges()
        refused = self._pending.refuse(order)
        if refused:
            self._show()
        return refused

    def _see_hands(self) -> None:
        pictures = (self.picture, *self._others.values())
        self.hands = {
            p.seat: p.who for p in pictures if p.seat is not None and p.match == self.picture.match
        }
        self._ending = make_ending(self.picture, self.hands)

    # -- what the person does ----------------------------------------------------------------

    def play(self, action: int) -> Order | str:
        """Play `action`: the move, which the board shows from now on and `due` gives to be sent;
        or the sentence that says why not, and then nothing has changed."""
        self.changes = BoardChanges()
        objection = self._objection(action)
        if objection:
            return objection
        picture, state = self.picture, self.board.state
        who = self.hands[state.current_player()]
        order = Order(who, picture.room, picture.match, state.ply, action)
        try:
            self.changes = self.board.show(picture.opening, (*self.board.moves, action))
        except GameError as error:
            return str(error)
        self._pending.add(order)
        self._line.follow(picture.opening, self._latest())
        return order

    def due(self) -> Order | None:
        """The move to send now, if there is one; see `PendingMoves`."""
        return self._pending.due()

    def look_at(self, ply: int | None) -> BoardChanges:
        """Show the position after `ply` moves; None, or the number of all: the latest."""
        total = self._line.total
        self._viewing = None if ply is None or ply >= total else max(0, ply)
        return self._show()

    def step(self, by: int) -> BoardChanges:
        """Show the position `by` moves later, or earlier, than the one that is shown."""
        return self.look_at(max(0, self.ply + by))

    def _objection(self, action: int) -> str:
        """Why `action` cannot be played now; empty: it can, as far as the turn goes."""
        picture, state = self.picture, self.board.state
        if picture.status != "playing":
            return _NOT_PLAYING[picture.status]
        if not self.hands:
            return "You are watching; only the players move."
        if self._viewing is not None:
            return "This is an earlier position; go back to the latest one to play."
        if state.is_terminal():
            return _LAST_MOVE
        if not state.is_legal(action):
            return why_illegal(state, action)
        if self.hands.get(state.current_player()) is None:
            return f"It is {self.name(state.current_player())}'s turn."
        return ""

    # -- what there is to see ----------------------------------------------------------------

    @property
    def viewing(self) -> int | None:
        """The number of moves of the earlier position that is shown; None: the latest is."""
        return self._viewing

    @property
    def ply(self) -> int:
        """The number of moves of the position that is shown."""
        return self._line.total if self._viewing is None else self._viewing

    @property
    def total(self) -> int:
        """The number of moves of the latest position, pending ones included."""
        return self._line.total

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves of the latest position, pending ones included."""
        return self._latest()

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions that are shown and not confirmed yet."""
        return self._pending.actions

    @property
    def my_turn(self) -> bool:
        """Whether somebody at the window is to move in the latest position."""
        seat = self.to_move
        return seat is not None and seat in self.hands

    @property
    def to_move(self) -> int | None:
        """The seat to move in the latest position, pending moves included; None: nobody."""
        state = self._line.state
        if self.picture.status != "playing" or state.is_terminal():
            return None
        return state.current_player()

    @property
    def playing(self) -> bool:
        """Whether a match is being played in which this window has a seat."""
        return self.picture.status == "playing" and bool(self.hands)

    @property
    def hot_seat(self) -> bool:
        """Whether both players share this window."""
        return len(self.hands) == 2

    @property
    def opponent(self) -> int | None:
        """The seat of the other player, where this window has exactly one seat, and of the second
        person where it has both; None for a spectator."""
        mine = next((seat for seat, who in self.hands.items() if who == OWN), None)
        return None if mine is None else 1 - mine

    @property
    def worth(self) -> str:
        """What the match counts for, in a few words."""
        if self.picture.tournament is not None:
            return f"tournament {self.tournament_name}".rstrip()
        return "rated" if self.picture.rated else "casual"

    @property
    def watching_line(self) -> str:
        """Who watches, in a few words; empty: nobody does."""
        if self.picture.status == "closed":
            return ""
        return watching(self.picture.spectators, oneself=not self.hands)

    @property
    def status_line(self) -> str:
        """What there is to do or to wait for, in one short sentence."""
        picture = self.picture
        if picture.status == "closed":
            return picture.sentence or _NOT_PLAYING["closed"]
        if picture.status == "waiting":
            return "Waiting for an opponent."
        if picture.status == "finished":
            return self._finished_line()
        seat = self.to_move
        if seat is None:
            return _LAST_MOVE
        if seat not in self.hands:
            thinks = self._is_bot(seat) and picture.present[seat]
            return f"{self.name(seat)} {'is thinking' if thinks else 'is to move'}."
        again = self._line.last_seat == seat
        if self.hot_seat:
            return f"{self.name(seat)}, it is your turn{' again' if again else ''}."
        return "Your turn again." if again else "Your turn."

    def absence_line(self, now: float) -> str:
        """What an opponent's absence means at `now`, in seconds of the client's clock; empty: the
        opponent is here, or it means nothing."""
        claim_at, seat = self.picture.claim_at, self.opponent
        if not self.playing or claim_at is None or seat is None:
            return ""
        left = math.ceil(claim_at - now)
        if left <= 0:
            return f"{self.name(seat)} stays away: you may claim the win."
        return f"{self.name(seat)} is away. You may claim the win in {left} s."

    def _finished_line(self) -> str:
        offered = [s for s in (0, 1) if self.picture.rematch[s]]
        if offered and self.hands and not self.hot_seat:
            seat = offered[0]
            if seat not in self.hands:
                return f"{self.name(seat)} would like a rematch."
            return f"Waiting for {self.name(1 - seat)} to accept a rematch."
        return "The match is over."

    def panel(self, seat: int) -> SeatPanel:
        """What to show of `seat`."""
        return make_panel(self.picture, self.hands, self.board.state, seat, self.to_move)

    @property
    def initials(self) -> tuple[str, str]:
        """What to write into the cells of each seat."""
        if not self.board.shows_players:
            return self.picture.game.seat_names
        return initials(*(self.name(seat) for seat in (0, 1)))

    def clock(self, seat: int, now: float) -> ClockFace | None:
        """The clock of `seat` at `now`, in seconds of the client's clock; None: it has none."""
        return room_clock(self.picture, seat, now)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves of the latest position, by turn."""
        return self._line.turns

    @property
    def ending(self) -> Ending | None:
        """How the match ended; None while it has not."""
        return self._ending

    @property
    def has_features(self) -> bool:
        """Whether the game has anything to point out in its positions, and this person may see it:
        not while playing a match that counts for something."""
        if self.picture.strict and self.playing:
            return False
        return type(self.board.state).features is not State.features

    @property
    def features(self) -> tuple[Feature, ...]:
        """What is worth pointing out in the position that is shown."""
        return self.board.state.features()

    # -- what the person may ask for ---------------------------------------------------------

    @property
    def hints(self) -> bool:
        """Whether hints are given here at all: against bots, in matches that count for nothing."""
        seat = self.opponent
        return (
            self.playing
            and not self.hot_seat
            and not self.picture.strict
            and seat is not None
            and self._is_bot(seat)
        )

    @property
    def may_hint(self) -> bool:
        """Whether a hint can be asked for now."""
        return self.hints and self.my_turn and self._viewing is None and not self._pending

    @property
    def may_resign(self) -> bool:
        """Whether the match can be given up. Where two share the window: by the one to move."""
        return self.playing

    @property
    def resigns(self) -> str:
        """The connection that resigns: where two share the window, that of the one to move."""
        if self.hot_seat and self.to_move is not None:
            return self.hands[self.to_move]
        return next(iter(self.hands.values()), OWN)

    @property
    def may_abort(self) -> bool:
        """Whether the match can be called off: before both seats have moved, in no tournament."""
        if self.picture.tournament is not None:
            return False
        return self.playing and not {0, 1} <= {turn.seat for turn in self._line.turns}

    def may_claim(self, now: float) -> bool:
        """Whether the win can be claimed against an opponent who stays away, at `now`."""
        claim_at = self.picture.claim_at
        return self.playing and claim_at is not None and now >= claim_at

    @property
    def rematches(self) -> bool:
        """Whether there can be other matches here; a tournament says itself who plays whom."""
        return bool(self.hands) and self.picture.tournament is None

    @property
    def may_rematch(self) -> bool:
        """Whether another match can be offered or accepted."""
        return self.rematches and self.picture.status == "finished" and bool(self.rematch_hands)

    @property
    def rematch_hands(self) -> tuple[str, ...]:
        """The connections at this window that have not said yet that they would play again."""
        return tuple(who for seat, who in self.hands.items() if not self.picture.rematch[seat])

    @property
    def rematch_offered(self) -> bool:
        """Whether the opponent waits for a rematch."""
        others = [seat for seat in (0, 1) if seat not in self.hands]
        return self.picture.status == "finished" and any(self.picture.rematch[s] for s in others)

    @property
    def opponent_here(self) -> bool:
        """Whether the opponent can answer: is connected and has not left."""
        return all(self.picture.present[seat] for seat in (0, 1) if seat not in self.hands)

    # -- the pieces --------------------------------------------------------------------------

    def _latest(self) -> tuple[int, ...]:
        return (*self.picture.moves, *self.pending)

    def _show(self) -> BoardChanges:
        latest = self._latest()
        self._line.follow(self.picture.opening, latest)
        shown: Sequence[int] = latest if self._viewing is None else latest[: self._viewing]
        self.changes = self.board.show(self.picture.opening, shown)
        return self.changes

    def name(self, seat: int) -> str:
        """The player of `seat`, or the seat while it is free."""
        player = self.picture.players[seat]
        return self.picture.game.seat_names[seat] if player is None else player.name

    def _is_bot(self, seat: int) -> bool:
        player = self.picture.players[seat]
        return player is not None and player.kind == "bot"


_LAST_MOVE = "The last move is on its way."
_NOT_PLAYING: Mapping[str, str] = {
    "waiting": "The match begins when somebody takes the other seat.",
    "finished": "The match is over.",
    "closed": "This room is closed.",
}
