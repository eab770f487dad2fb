"""Make games whose every move has a known cost, and reports that need no search."""

from __future__ import annotations

from analysis.judgement import Cost, Estimate, Judgement
from analysis.report import GameReport, MoveReport, make_report
from analysis.sentences.phrase import Phrase
from games.dots_and_boxes.rules import DotsAndBoxes
from games.record import Record
from tests.analysis.judges import BruteJudge
from tests.games.test_record import finished

NAMES = ("Ann", "Bob")


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
    judgement = Judgement(before, after, best, line=(9, 10, 11) if cost else ())
    phrases = (Phrase("test", said),) if said else ()
    return MoveReport(ply, seat, ply, before, after, Cost(cost, spread * 1.4), judgement, phrases)


def report(*moves: MoveReport, turning: int | None = None, sure: bool = True) -> GameReport:
    """Return a report of a game on 2x2 with these moves."""
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    return GameReport(game, (), moves, (91.6, None), turning, sure)
