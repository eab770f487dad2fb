"""Make games whose every move has a known cost, and reports that need no search."""

from __future__ import annotations

from doublecross.analysis.judgement import Cost, Estimate, Judgement
from doublecross.analysis.report import GameReport, MoveReport, make_report
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.record import Record
from tests.analysis.judges import BruteJudge
from tests.games.test_record import finished

NAMES = ("Ann", "Bob")


class WarningJudge:
    """Says of every move that it cost 12 boxes, and that the others were better."""

    def judge(self, state: State, action: int) -> Judgement:
        sign = 1 if state.current_player() == 0 else -1
        best = tuple(edge for edge in state.legal_actions() if edge != action)
        return Judgement(Estimate(12.0 * sign), Estimate(-12.0 * sign), best, pv=best[:5])


class GuessingJudge:
    """Judges any game of Dots and Boxes by rule of thumb, exactly once few edges are left.

    Its values are plausible, not true; it is for pictures and layouts.
    """

    def __init__(self, exact_from: int = 22) -> None:
        self._exact_from = exact_from

    def judge(self, state: State, action: int) -> Judgement:
        sign = 1 if state.current_player() == 0 else -1
        losses = {edge: self._loss(state, edge) for edge in state.legal_actions()}
        least = min(losses.values())
        free = len(losses)
        spread = 0.0 if free <= self._exact_from else 0.04 * free
        first, second = state.scores()
        lead = float(first - second) + sign * (2 if free % 4 else -1)
        best = tuple(edge for edge, loss in losses.items() if loss == least)
        played = lead - sign * 2 * (losses[action] - least)
        phrases = tuple(best[:1])
        return Judgement(
            Estimate(lead, spread), Estimate(played, spread), best, pv=(*phrases, *best[1:4])
        )

    def _loss(self, state: State, edge: int) -> int:
        """Return how many boxes the opponent could take at once after `edge`."""
        after = state.clone()
        after.apply(edge)
        taken = 0
        while not after.is_terminal():
            for other in after.legal_actions():
                before = sum(after.scores())
                after.apply(other)
                if sum(after.scores()) > before:
                    taken += 1
                    break
                after.undo()
            else:
                break
        return min(taken, 6)


def judged(record: Record) -> GameReport:
    """Return the report of a game on a board of at most 2x3 boxes."""
    moves = tuple(move.action for move in record.moves)
    return make_report(record.game, record.opening, moves, BruteJudge())


def small() -> Record:
    """Return the record of a whole game on 2x2."""
    return finished(players=NAMES)


def move_report(
    ply: int, cost: float, *, spread: float = 0.0, seat: int = 0, said: str = ""
) -> MoveReport:
    """Return the report of a move that costs `cost` points of net score; the best edge is 9."""
    before = Estimate(2.0, spread)
    after = Estimate(2.0 - cost if seat == 0 else 2.0 + cost, spread)
    best = (9,) if cost else (ply,)
    judgement = Judgement(before, after, best, pv=(9, 10, 11) if cost else ())
    phrases = (
        (Sentence.of(said, {}, rule="test"), Sentence.of("It cost boxes.", {}, rule="cost"))
        if said
        else ()
    )
    return MoveReport(ply, seat, ply, before, after, Cost(cost, spread * 1.4), judgement, phrases)


def report(*moves: MoveReport, turning: int | None = None, sure: bool = True) -> GameReport:
    """Return a report of a game on 2x2 with these moves."""
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    return GameReport(game, (), moves, (91.6, None), turning, sure)
