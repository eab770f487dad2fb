"""A player's session with a puzzle, with the exact solver as the judge."""

from __future__ import annotations

import pytest

from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.puzzles.session import PuzzleSession, Status, settle
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.analysis.values import PositionValues
from doublecross.bots.teaching.exact_judge import ExactJudge
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

pytestmark = pytest.mark.search
BOOK = puzzles()
SMALL = [puzzle for puzzle in BOOK.puzzles if puzzle.size in ("3x3", "3x4")]


def judge(state: DotsAndBoxesState) -> PositionValues:
    return _Judges.of(state)


class _Judges:
    known: dict[str, ExactJudge] = {}  # noqa: RUF012 - the tests share the tables

    @classmethod
    def of(cls, state: DotsAndBoxesState) -> PositionValues:
        size = state.game.size
        found = cls.known.setdefault(size, ExactJudge(state.board))
        values = found.values(state)
        pv = found.pv(state, values.pv[0])
        return PositionValues(values.value, values.actions, pv)


def of_kind(kind: str, turns: int = 1) -> Puzzle:
    return next(puzzle for puzzle in SMALL if puzzle.kind == kind and puzzle.turns == turns)


def wrong_edge(puzzle: Puzzle) -> int:
    return max(puzzle.cost_of, key=lambda edge: (puzzle.cost_of[edge], -edge))


def test_the_best_moves_solve_a_puzzle() -> None:
    for puzzle in SMALL[::4]:
        session = PuzzleSession(puzzle)
        for _ in range(40):
            settle(session, judge)
            if session.over:
                break
            assert session.status is Status.YOURS
            assert session.state().current_player() == session.seat
            values = judge(session.state())
            assert session.play(values.actions[0].action)
        assert session.status is Status.SOLVED, puzzle
        assert session.mistakes == 0
        assert session.turn == puzzle.turns or session.state().is_terminal()
        assert session.wanted is None


def test_the_first_move_needs_no_judge() -> None:
    puzzle = of_kind("decline")
    session = PuzzleSession(puzzle)
    assert session.play(puzzle.keeping[0])
    assert session.status is Status.SOLVED
    assert session.feedback[0].rule == "kept-control"


def test_a_wrong_move_costs_and_can_be_taken_back() -> None:
    puzzle = of_kind("decline")
    session, wrong = PuzzleSession(puzzle), wrong_edge(puzzle)
    assert session.play(wrong)
    assert (session.status, session.mistakes, session.moves) == (Status.WRONG, 1, (wrong,))
    lost = puzzle.cost_of[wrong]
    assert any(f"{lost} box" in str(phrase) for phrase in session.feedback)
    assert not session.play(puzzle.keeping[0])
    assert session.retry()
    assert not session.retry()
    assert (session.status, session.moves, session.feedback) == (Status.YOURS, (), ())
    assert session.play(puzzle.keeping[0])
    assert (session.status, session.mistakes) == (Status.SOLVED, 1)


def test_better_sentences_come_with_the_lines() -> None:
    heard = set()
    for puzzle in SMALL:
        if puzzle.kind != "control":
            continue
        for wrong in (edge for edge, cost in puzzle.cost_of.items() if cost):
            session = PuzzleSession(puzzle)
            session.play(wrong)
            before = [phrase.rule for phrase in session.feedback]
            assert "handed-over-the-first-chain" not in before
            assert {"cost", "move-cost"} & set(before)
            assert session.wanted == ()
            settle(session, judge)
            assert session.status is Status.WRONG
            heard.update(phrase.rule for phrase in session.feedback)
        if "handed-over-the-first-chain" in heard:
            return
    pytest.fail(f"No wrong move got the sentence about the first chain, only {heard}.")


def test_edges_that_are_drawn_are_refused_and_change_nothing() -> None:
    puzzle = of_kind("take")
    session = PuzzleSession(puzzle)
    assert not session.play(puzzle.actions[0])
    assert not session.play(-1)
    assert (session.status, session.moves, session.mistakes) == (Status.YOURS, (), 0)


def test_a_longer_puzzle_waits_for_values() -> None:
    puzzle = next(puzzle for puzzle in SMALL if puzzle.turns > 1)
    session = PuzzleSession(puzzle)
    while session.status is Status.YOURS:
        session.play(judge(session.state()).actions[0].action)
    assert session.status is Status.WAITING
    wanted = session.wanted
    assert wanted == session.moves
    assert not session.play(session.state().legal_actions()[0])
    settle(session, judge)
    assert session.status in (Status.YOURS, Status.SOLVED)
    assert len(session.moves) > len(wanted or ())


def test_the_solution_is_played_out() -> None:
    puzzle = next(puzzle for puzzle in SMALL if puzzle.turns > 1)
    session = PuzzleSession(puzzle)
    session.play(wrong_edge(puzzle))
    assert session.show()
    settle(session, judge)
    assert (session.status, session.helped) == (Status.SHOWN, True)
    assert session.turn == puzzle.turns or session.state().is_terminal()
    assert session.moves[0] in puzzle.keeping
    assert not session.show()
    session.restart()
    assert (session.status, session.moves, session.turn) == (Status.YOURS, (), 0)
