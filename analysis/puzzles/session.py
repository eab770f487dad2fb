"""The session of a player with one puzzle: a state machine without I/O.

Theory of operation
-------------------
The puzzle itself has the values of its first position, so the first move is judged at once. For all
others the session asks for values: `wanted` has the moves after which it needs them, and `give`
hands them in. So a window can ask a process, and a test a function (`settle`). While they are
missing the status is `WAITING`, except after a wrong move: then better sentences follow.

A puzzle asks for one to four turns. A turn is right if each of its moves keeps the value. After
the last one the puzzle is solved: from there on a careful player keeps the value. The opponent
replies with best moves.

A wrong move stays on the board with its sentences until `retry` takes it back.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.analysis.sentences.templates import phrase
from doublecross.analysis.values import PositionValues
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

Judge = Callable[[DotsAndBoxesState], PositionValues]


class Status(StrEnum):
    """The state of a session.

    `YOURS`: the player moves. `WAITING`: values are missing. `WRONG`: a wrong move is on the board.
    `SHOWING`: the solution is being played out. `SOLVED`: the player found it. `SHOWN`: it is on
    the board.
    """

    YOURS = "yours"
    WAITING = "waiting"
    WRONG = "wrong"
    SHOWING = "showing"
    SOLVED = "solved"
    SHOWN = "shown"


class PuzzleSession:
    """A player's session with `puzzle`.

    `moves` are those that were played after the puzzle's position, `seat` is the player. `feedback`
    has phrases about the player's last move. `mistakes` counts wrong moves, `turn` the turns that
    were right. `helped` says whether the solution was shown.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.seat = puzzle.state().current_player()
        self.moves: tuple[int, ...] = ()
        self.status = Status.YOURS
        self.feedback: tuple[Sentence, ...] = ()
        self.mistakes = self.turn = 0
        self.helped = False
        self._known: dict[tuple[int, ...], PositionValues] = {}
        self._pending: int | None = None

    def state(self) -> DotsAndBoxesState:
        """Return the position now."""
        return self._state(self.moves)

    @property
    def over(self) -> bool:
        """Return whether the puzzle is solved, or its solution is on the board."""
        return self.status in (Status.SOLVED, Status.SHOWN)

    # -- the judge ---------------------------------------------------------------------------

    @property
    def wanted(self) -> tuple[int, ...] | None:
        """The moves, from the puzzle's position on, after which values are needed; or None."""
        if self.over:
            return None
        needed = [self.moves]
        if self.status is Status.WRONG:
            # For the sentences: the best moves, and those after the wrong move.
            needed = [self.moves[:-1], self.moves]
        for moves in needed:
            if moves not in self._known and not self._state(moves).is_terminal():
                return moves
        return None

    def give(self, moves: tuple[int, ...], values: PositionValues) -> None:
        """Take the values of the position after `moves`, and go on if the session waited."""
        self._known[moves] = values
        if self.status is Status.WRONG:
            self.feedback = self._said(self.moves[:-1], self.moves[-1])
        self._advance()

    # -- the player --------------------------------------------------------------------------

    def play(self, action: int) -> bool:
        """Play an edge; return whether that was possible now."""
        if self.status is not Status.YOURS or not self.state().is_legal(action):
            return False
        self._pending, self.status, self.feedback = action, Status.WAITING, ()
        self._advance()
        return True

    def retry(self) -> bool:
        """Take the wrong move back; return whether there is one."""
        if self.status is not Status.WRONG:
            return False
        self.moves = self.moves[:-1]
        self.status, self.feedback = Status.YOURS, ()
        return True

    def show(self) -> bool:
        """Play the rest of the solution out; return whether that was possible now."""
        self.retry()
        if self.status is not Status.YOURS:
            return False
        self.helped, self.status, self.feedback = True, Status.SHOWING, ()
        self._advance()
        return True

    def restart(self) -> None:
        """Begin again. Mistakes and what is known about positions stay."""
        self.moves, self.feedback, self.turn = (), (), 0
        self.status, self._pending = Status.YOURS, None

    # -- inside ------------------------------------------------------------------------------

    def _state(self, moves: tuple[int, ...]) -> DotsAndBoxesState:
        state = self.puzzle.state()
        for action in moves:
            state.apply(action)
        return state

    def _values(self, moves: tuple[int, ...]) -> PositionValues | None:
        known = self._known.get(moves)
        return self.puzzle.first_values() if known is None and not moves else known

    def _advance(self) -> None:
        """Judge the player's move and play the opponent's, as far as the values are known."""
        while self.status in (Status.WAITING, Status.SHOWING):
            values = self._values(self.moves)
            if values is None:
                return
            showing, best = self.status is Status.SHOWING, values.actions[0].action
            if self.state().current_player() != self.seat or showing:
                self._move(best)
            elif self._pending is not None:
                self._judge(self._pending)
            else:
                self.status = Status.YOURS

    def _judge(self, action: int) -> None:
        """Judge the player's move."""
        before, self._pending = self.moves, None
        values = self._values(before)
        assert values is not None
        self.feedback = self._said(before, action)
        if values.of(action).of(self.seat) < values.value.of(self.seat):
            self.mistakes += 1
            self.moves, self.status = (*before, action), Status.WRONG
        else:
            self._move(action)

    def _move(self, action: int) -> None:
        """Play a move that keeps the value; the session is over after the last turn."""
        mover = self.state().current_player()
        self.moves = (*self.moves, action)
        state = self.state()
        if mover == self.seat and state.current_player() != self.seat:
            self.turn += 1
        if self.turn >= self.puzzle.turns or state.is_terminal():
            self.status = Status.SHOWN if self.status is Status.SHOWING else Status.SOLVED

    def _said(self, before: tuple[int, ...], action: int) -> tuple[Sentence, ...]:
        """Return the phrases about a move; a mistake without a reason gets one about its cost."""
        state, values = self._state(before), self._values(before)
        assert values is not None
        after = self._known.get((*before, action))
        judgement = values.judgement(action, () if after is None else after.pv)
        said = say(Facts.of(state, action, judgement))
        lost = round(judgement.cost(self.seat).boxes)
        if not lost or any(each.rule == "cost" for each in said):
            return said
        name = state.game.action_name(action)
        cost = phrase("move-cost", move=name, count=lost)
        return (cost, *said)


def settle(session: PuzzleSession, judge: Judge) -> None:
    """Hand in all values that the session wants."""
    while (moves := session.wanted) is not None:
        state = session.puzzle.state()
        for action in moves:
            state.apply(action)
        session.give(moves, judge(state))
