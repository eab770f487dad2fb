"""The analysis in a review without a window: marks, notes, curve, task, lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doublecross.analysis.judgement import Cost, Estimate
from doublecross.client.tk.models.analysis.game import AnalysedGame, CostMark, cost_mark
from doublecross.client.tk.models.analysis.task import AnalysisTask, TaskState
from doublecross.client.tk.models.review import ReviewModel
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.client.tk.models.analysis.games import NAMES, judged, move_report, report, small

GAME = DotsAndBoxes({"rows": 2, "cols": 2})


@pytest.mark.parametrize(
    ("cost", "exact", "mark"),
    [
        (Cost(0), True, None),
        (Cost(2), True, CostMark("−1", 0)),
        (Cost(4), True, CostMark("−2", 1)),
        (Cost(6), True, CostMark("−3", 2)),
        (Cost(24), True, CostMark("−12", 2)),
        (Cost(3.9, 1.0), False, CostMark("~−2", 1)),
        (Cost(3.9, 2.0), False, None),  # not certain
        (Cost(0.8, 0.1), False, None),
    ],
)
def test_marks_of_costs(cost: Cost, exact: bool, mark: CostMark | None) -> None:
    assert cost_mark(cost, "boxes", exact=exact) == mark


@pytest.mark.parametrize("steps", [1, 2])
def test_marks_of_costs_in_games_without_a_score(steps: int) -> None:
    assert cost_mark(Cost(steps), "", exact=True) == CostMark("?" * steps, steps)


def test_mistakes_notes_and_better_lines() -> None:
    game = AnalysedGame(
        report(
            move_report(0, 0),
            move_report(1, 4, seat=1, said="It opened a chain."),
            move_report(2, 3, spread=0.5),
            turning=1,
        ),
        NAMES,
    )
    assert game.mistakes == (2, 3)
    assert [game.mistake(ply, 1) for ply in (0, 2, 3)] == [2, 3, None]
    assert [game.mistake(ply, -1) for ply in (2, 3)] == [None, 2]
    name = GAME.action_name
    note = game.note(2)
    assert note.headline == f"{name(1)} cost 2 boxes. Better: {name(9)}."
    assert note.sentences == ("It opened a chain.",)
    assert note.outlook == "With best play Ann wins by 6."
    assert note.best == (9,)
    assert game.note(1).headline == f"{name(0)} was one of the best moves."
    assert game.note(3).headline == f"{name(2)} cost about 2 boxes. Better: {name(9)}."
    assert game.note(3).outlook == "The result is open."
    assert game.note(0).headline == "2 mistakes."
    assert game.note(0).sentences == (f"The game turned at move 2: Bob {name(1)}.",)
    first = game.report.moves[0]
    assert first.judgement is not None
    for best, said in (((0, 5), "one of the best moves"), ((0,), "the only best move")):
        move = replace(first, judgement=replace(first.judgement, best=best, every=True))
        assert AnalysedGame(report(move), NAMES).note(1).headline == f"{name(0)} was {said}."
    assert game.better_variation(2) == (9, 10, 11)
    assert game.better_variation(1) == game.better_variation(0) == game.better_variation(99) == ()
    assert (game.accuracy(0), game.accuracy(1)) == ("92% accuracy", "")
    curve = game.curve
    assert curve.nets == (2.0, 2.0, 6.0, -1.0)
    assert curve.spreads == (0.0, 0.0, 0.0, 0.5)
    assert curve.turning == 2


def test_every_move_of_a_real_game_has_a_note_and_a_legal_better_line() -> None:
    record = small()
    game = AnalysedGame(judged(record), NAMES)
    model = ReviewModel(record)
    assert len(game.curve.nets) == model.total + 1
    assert game.curve.nets[-1] == model.replay.nets[-1]
    assert game.mistakes
    for ply in range(model.total + 1):
        assert game.note(ply).headline
        line = game.better_variation(ply)
        assert bool(line) == (ply in game.mistakes)
        if line:
            model.go(ply)
            model.show_variation(ply - 1, line)
            for _ in line:
                model.step(1)
            assert model.board.state.is_terminal()
            assert model.board.moves == (*model.replay.actions[: ply - 1], *line)
            model.leave_variation()
            assert model.ply == ply


def test_the_outlook_says_what_is_certain() -> None:
    game = AnalysedGame(report(move_report(0, 0)), NAMES)
    assert game.outlook(Estimate(-3)) == "With best play Bob wins by 3."
    assert game.outlook(Estimate(0)) == "With best play the game ends in a draw."
    assert game.outlook(Estimate(0, 0.1)) == "The result is open."
    assert game.outlook(Estimate(4.2, 0.5)) == "Ann should win by about 4."
    assert game.outlook(Estimate(4.2, 3)) == "The result is open."


def test_the_task_takes_only_the_answer_to_its_request() -> None:
    whole = report(move_report(0, 0), move_report(1, 0))
    task = AnalysisTask(GAME, (), (0, 1))
    assert task.state is TaskState.IDLE
    first = task.begin()
    assert first is not None
    assert task.begin() is None
    task.advance(first, 1)
    assert task.line == "Analysing ... 1 of 2 moves"
    task.stop()
    assert not task.take(first, whole)
    assert not task.fail(first, "Too late.")
    task.advance(first, 2)
    assert (task.state, task.done) == (TaskState.IDLE, 1)
    second = task.begin()
    assert second is not None
    assert task.fail(second, "The analysis ended; try again.")
    assert (task.state, task.line) == (TaskState.FAILED, "The analysis ended; try again.")
    third = task.begin()
    assert third is not None
    assert task.take(third, report(move_report(0, 0)))  # of another game
    assert task.state is TaskState.FAILED
    fourth = task.begin()
    assert fourth is not None
    assert task.take(fourth, whole)
    assert (task.state, task.line, task.report) == (TaskState.DONE, "", whole)
    assert task.begin() is None
    assert AnalysisTask(GAME, (), ()).begin() is None


def test_a_line_is_shown_step_by_step_and_left_again() -> None:
    model = ReviewModel(small())
    model.go(3)
    played = model.replay.actions
    other = next(a for a in range(12) if a not in played[:3])
    more = next(a for a in range(12) if a not in (*played[:2], other))
    model.show_variation(2, (other, more))
    assert model.board.moves == (*played[:2], other)
    assert model.position_line.startswith("Better line instead of move 3, 1 of 2: ")
    model.step(1)
    model.step(1)
    assert model.moves == (*played[:2], other, more)
    assert model.to_move == model.board.state.current_player()
    model.step(-1)
    model.step_turn(-1)  # in front of the line: back to the game
    assert (model.variation, model.ply, model.board.moves) == (None, 3, played[:3])
    model.show_variation(2, (other,))
    model.play(0.0)
    assert (model.variation, model.playing) == (None, True)
    model.show_variation(2, (other,))
    assert not model.playing
    model.go(5)
    assert (model.variation, model.ply) == (None, 5)
