"""Step through a finished game: the position shown, its board and its two players.

Theory of operation
-------------------
`GameReplay` replays the game once and keeps net score and clocks after each ply. `BoardModel.show`
moves the board to any ply; a step forward plays only the new moves. Automatic play needs no timer:
`play` notes when it starts, and `tick` plays the next move once its time has come.

`show_variation` plays out a variation, which was not played. Steps then lead through it, until a
step in front of it, `leave_variation`, or a move of the game leads back to the game.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.analysis.variation import ShownVariation
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.replay import GameReplay
from doublecross.client.tk.models.room.clock import ClockFace, clock_face
from doublecross.client.tk.models.summary import RecordSummary
from doublecross.games.api import Feature, State
from doublecross.games.record import Record
from doublecross.games.sentences import initials

MOVE_S: Final = 0.9
"""The time between two turns in automatic play, in seconds."""
AGAIN_S: Final = 0.4
"""The shorter time between two moves of one turn, in seconds."""


@dataclass(frozen=True, slots=True)
class ReviewPlayer:
    """The panel beside the board for one seat, in the position shown.

    `mark` is the text in the seat's cells. `clock` is the seat's clock, or None if unknown.
    """

    seat: int
    name: str
    mark: str
    engine: str
    score: int | None
    clock: ClockFace | None
    to_move: bool


class ReviewModel:
    """The review of `record`, whose moves must be legal; it begins at ply 0.

    `replay` is the course of the game, `summary` describes the record for people.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.board = BoardModel(record.game)
        self.replay = GameReplay(record)
        self.summary = RecordSummary(record, self.replay)
        self.variation: ShownVariation | None = None
        """The variation that is shown instead of the game, or None."""
        self._ply = 0
        self._next_at: float | None = None
        self.go(0)

    # -- stepping ----------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """The number of moves of the game."""
        return self.replay.total

    @property
    def ply(self) -> int:
        """The number of moves that are shown."""
        return self._ply

    def go(self, ply: int) -> BoardChanges:
        """Show the position after `ply` moves, limited to the moves of the game."""
        self.variation = None
        self._ply = min(max(0, ply), self.total)
        return self.board.show(self.record.opening, self.moves)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that lead to the position shown, those of a variation included."""
        actions, variation = self.replay.actions, self.variation
        if variation is None:
            return actions[: self._ply]
        return (*actions[: variation.base], *variation.shown)

    def step(self, by: int) -> BoardChanges:
        """Go `by` moves forward, or back if negative; in a variation, only to its end."""
        if self.variation is None:
            return self.go(self._ply + by)
        if not self.variation.step(by):
            return self.leave_variation()
        return self.board.show(self.record.opening, self.moves)

    def show_variation(self, base: int, moves: tuple[int, ...]) -> BoardChanges:
        """Show the first of `moves`, which must be legal, in the position after `base` moves."""
        self.stop()
        self.variation = ShownVariation(base, moves)
        return self.board.show(self.record.opening, self.moves)

    def leave_variation(self) -> BoardChanges:
        """Show the position of the game from which the variation was shown."""
        return self.go(self._ply)

    def step_turn(self, by: int) -> BoardChanges:
        """Go to the end of this turn (`by` > 0), or back to its beginning.

        At the beginning of a turn, back leads to the beginning of the turn before. In a variation
        this is a step of one move.
        """
        if self.variation is not None:
            return self.step(by)
        ends = self.replay.turn_ends
        if by > 0:
            at = bisect.bisect_right(ends, self._ply)
            return self.go(ends[min(at, len(ends) - 1)])
        return self.go(ends[max(0, bisect.bisect_left(ends, self._ply) - 1)])

    # -- automatic play ----------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Return whether automatic play is on."""
        return self._next_at is not None

    def play(self, now: float) -> BoardChanges:
        """Start automatic play at `now`, in seconds; at the end of the game, from its beginning."""
        changes = self.leave_variation() if self.variation is not None else BoardChanges()
        if self._ply == self.total:
            changes = self.go(0)
        self._next_at = None if not self.total else now + AGAIN_S
        return changes

    def stop(self) -> None:
        """Stop automatic play."""
        self._next_at = None

    def tick(self, now: float) -> BoardChanges | None:
        """Play the next move if it is due at `now`, in seconds; return None if it is not."""
        if self._next_at is None or now < self._next_at:
            return None
        changes = self.step(1)
        if self._ply == self.total:
            self._next_at = None
        else:
            again = self.replay.movers[self._ply] == self.replay.movers[self._ply - 1]
            self._next_at = now + (AGAIN_S if again else MOVE_S)
        return changes

    # -- the position ------------------------------------------------------------------------

    @property
    def scored(self) -> bool:
        """Return whether the last move shown scored."""
        if self.variation is None:
            return self.replay.scored(self._ply)
        state = self.board.state.clone()
        scores = state.scores()
        state.undo()
        return state.scores() != scores

    @property
    def position_line(self) -> str:
        """The place in the game: ``Move 7 of 40: Ann c4``, or in the variation that is shown."""
        if self.variation is not None:
            return self._variation_position
        if not self._ply:
            return tr("After the opening") if self.record.opening else tr("Start")
        name = self.summary.names[self.replay.movers[self._ply - 1]]
        move = self.record.game.action_name(self.replay.actions[self._ply - 1])
        return tr(
            "Move {number} of {total}: {name} {edge}",
            number=self._ply,
            total=self.total,
            name=name,
            edge=move,
        )

    @property
    def position_short(self) -> str:
        """The place in the game without the player's name: ``Move 7 of 40: c4``."""
        if self.variation is not None or not self._ply:
            return self.position_line
        move = self.record.game.action_name(self.replay.actions[self._ply - 1])
        return tr("Move {number} of {total}: {edge}", number=self._ply, total=self.total, edge=move)

    @property
    def _variation_position(self) -> str:
        variation = self.variation
        assert variation is not None
        state = self.board.state.clone()
        move = self.record.game.action_name(state.undo())
        name = self.summary.names[state.current_player()]
        return tr(
            "Better line instead of move {number}, {place}: {name} {edge}",
            number=variation.instead,
            place=variation.place,
            name=name,
            edge=move,
        )

    def player(self, seat: int) -> ReviewPlayer:
        """Return what to show of `seat`."""
        replay, ply = self.replay, self._ply
        left = replay.clocks[ply][seat] if replay.clocks else None
        return ReviewPlayer(
            seat=seat,
            name=self.summary.names[seat],
            mark=self.initials[seat],
            engine=self.summary.tag(f"Engine{seat}"),
            score=self.board.state.scores()[seat] if self.record.game.unit else None,
            clock=None if left is None else clock_face(left, runs=False),
            to_move=self.to_move == seat,
        )

    @property
    def to_move(self) -> int | None:
        """The seat to move in the position shown; None at the end of the game."""
        if self.variation is None:
            return None if self._ply == self.total else self.replay.movers[self._ply]
        state = self.board.state
        return None if state.is_terminal() else state.current_player()

    @property
    def initials(self) -> tuple[str, str]:
        """The text for the cells of each seat."""
        return (
            initials(*self.summary.names)
            if self.board.shows_players
            else self.record.game.seat_names
        )

    @property
    def has_features(self) -> bool:
        """Return whether the rules of the game describe features of positions."""
        return type(self.board.state).features is not State.features

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the position shown."""
        return self.board.state.features()
