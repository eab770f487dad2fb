"""Make the report of a game: judge its moves, find where it turned, and say why.

Theory of operation
-------------------
The moves are judged from the last to the first. Each position is then one move before a position
that the evaluator knows already, so an exact search finds most of what it needs in its table.

A move without a choice is not judged: its cost is 0 and its value is that of the move after it.

The *turning point* is the move after which the result could not be saved: the last move before
which best play would have led to another result than that of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from doublecross.analysis.accuracy import accuracy
from doublecross.analysis.judgement import Cost, Estimate, Evaluator, Judgement
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.games.api import Game, State
from doublecross.games.api.sentence import Sentence


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move of a game: ply (from 0), seat, action, what it cost, and why.

    `judgement` is None if the player had no choice. `phrases` may be empty.
    """

    ply: int
    seat: int
    action: int
    before: Estimate
    after: Estimate
    cost: Cost
    judgement: Judgement | None
    phrases: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class GameReport:
    """The report of a game.

    `accuracy` has a percentage for each seat, or None if it had no choice. `turning` is the ply of
    the turning point; None if the game never turned or nobody knows where. `turning_sure` says
    whether all values that decide this are exact.
    """

    game: Game
    opening: tuple[int, ...]
    moves: tuple[MoveReport, ...]
    accuracy: tuple[float | None, float | None]
    turning: int | None
    turning_sure: bool

    def worst(self, seat: int) -> MoveReport | None:
        """Return the costliest move of `seat` that certainly cost something, if any."""
        sure = [move for move in self.moves if move.seat == seat and move.cost.sure]
        return max(sure, key=lambda move: move.cost.net, default=None)


def make_report(
    game: Game,
    opening: Sequence[int],
    actions: Sequence[int],
    evaluator: Evaluator,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> GameReport:
    """Return the report of the game in which `actions` were played after `opening`.

    `progress` receives how many moves are judged, and how many there are. The game need not be
    over.

    Raises:
        GameError: an action is not legal.
    """
    state = game.replay(opening, actions)
    after, result = _ended(state)
    moves: list[MoveReport] = []
    for done in range(len(actions)):
        action = state.undo()
        move = judge_move(state, action, after, evaluator)
        moves.append(move)
        # Without a choice the value is the same before the move and after it.
        after = move.before
        progress(done + 1, len(actions))
    moves.reverse()
    turning, sure = turning_point(moves, result)
    return GameReport(
        game,
        tuple(opening),
        tuple(moves),
        (accuracy_of(moves, 0), accuracy_of(moves, 1)),
        turning,
        sure,
    )


def judge_move(
    state: State, action: int, after: Estimate | None, evaluator: Evaluator
) -> MoveReport:
    """Return the report of the legal `action` in `state`.

    `after` is the value of the next position, if it is known: a move without a choice keeps it.
    """
    seat = state.current_player()
    judgement = None
    if after is None or len(state.legal_actions()) > 1:
        judgement = evaluator.judge(state, action)
        before, after = judgement.before, judgement.played
        cost = judgement.cost(seat)
        phrases = say(Facts.of(state, action, judgement))
    else:
        before, cost, phrases = after, Cost(0.0), ()
    return MoveReport(state.ply, seat, action, before, after, cost, judgement, phrases)


def turning_point(moves: Sequence[MoveReport], result: int | None) -> tuple[int | None, bool]:
    """Return the ply of the move after which the result could not be saved, and whether it is sure.

    `result` is 1, 0 or -1, the points of seat 0; None if the game is not over.
    """
    if result is None:
        return None, False
    sure = True
    for move in reversed(moves):
        before = move.before.winner()
        sure = sure and move.before.exact
        if before is None:
            return None, False
        if before != result:
            return move.ply, sure
    return None, sure


def _ended(state: State) -> tuple[Estimate, int] | tuple[None, None]:
    """Return the value of a position in which the game is over, and the points of seat 0."""
    if not state.is_terminal():
        return None, None
    scores = state.scores()
    return Estimate(float(scores[0] - scores[1])), int(state.returns()[0])


def accuracy_of(moves: Iterable[MoveReport], seat: int) -> float | None:
    """Return the accuracy of `seat` in percent; moves of one turn count together."""
    losses = []
    for mover, turn in groupby(moves, key=lambda move: move.seat):
        judged = [move for move in turn if move.judgement is not None]
        if mover == seat and judged:
            losses.append(sum(move.cost.boxes for move in judged))
    return accuracy(losses)
