"""The model of the lesson screen: what it asks, says and allows; the trial board; progress."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from doublecross.analysis.course.lesson import Lesson
from doublecross.analysis.course.progress import Progress
from doublecross.client.tk.models.learn.lesson import LessonModel
from doublecross.client.tk.models.learn.trial import TrialModel
from doublecross.client.tk.progress_files import CourseFile
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.analysis.course.lessons import exercise, judge, read
from tests.analysis.course.test_session import OPENED

STEPS = [{"edge": "a2", "say": "Opens."}, {"edge": "c2", "say": "Takes."}]


def lesson() -> Lesson:
    return read(
        exercise("best", "3x3", OPENED, id="deal", best="c6", value=5, moves=2),
        exercise("count", "1x3", "b3 b1 d1", id="count", what="safe edges", answer=5),
        exercise("watch", "1x3", "b3 d3 f3 b1 d1 f1", id="watch", steps=STEPS),
    )


class Learner:
    """A model with a helper that answers at once."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.kept: list[Progress] = []
        self.model = LessonModel(lesson(), progress or Progress(), self.kept.append)
        self.answer()

    def answer(self) -> None:
        while (request := self.model.request()) is not None:
            state = request.game.replay((), request.moves)
            assert isinstance(state, DotsAndBoxesState)
            assert self.model.take(request, judge(state))

    def play(self, name: str) -> None:
        assert self.model.play(self.model.exercise.position.game.parse_action(name))
        self.answer()


def test_an_exercise_from_the_first_move_to_the_progress() -> None:
    learner = Learner()
    model = learner.model
    assert model.heading == "Exercise 1 of 3"
    assert (model.you, model.done_line) == ("You are A · 0-0", "0 of 2 moves")
    learner.play("c6")
    assert (model.you, model.message) == ("You are A · 1-0", ("", "wrong"))
    learner.play("e6")
    sentence, tone = model.message
    assert tone == "wrong"
    assert sentence.startswith("Taking the last boxes gave up control.")
    assert (model.can_play, model.can_retry, model.can_hint) == (False, True, False)
    assert model.retry()
    learner.play("g6")
    assert model.message == ("Well done.", "good")
    assert [sorted(progress.solved) for progress in learner.kept] == [["test/deal"]]
    assert model.heading == "Exercise 1 of 3 · solved"
    model.open(0)
    learner.answer()
    learner.play("c6")
    learner.play("g6")
    assert len(learner.kept) == 1


def test_hints_stand_in_for_the_message_until_the_next_move() -> None:
    learner = Learner()
    learner.model.hint()
    assert learner.model.message == ("Look.", "hint")
    learner.model.hint()
    learner.model.hint()
    assert learner.model.message == ("The marked edge is right.", "hint")
    learner.play("c6")
    assert learner.model.message[0] == ""


def test_a_helper_that_fails_is_asked_again_on_request() -> None:
    model = LessonModel(lesson(), Progress(), lambda _: None)
    request = model.request()
    assert request is not None
    assert model.request() is None
    assert model.play(model.exercise.best[0])
    assert model.message == ("Thinking about your move ...", "plain")
    assert [model.tick(now) for now in (7.0, 11.9, 12.0, 13.0)] == [False, False, True, False]
    assert "the engine is being prepared" in model.message[0]
    assert model.fail(request, "No analysis here.")
    assert model.message == ("No analysis here.", "wrong")
    assert model.request() is None
    assert model.can_retry
    assert model.retry()
    again = model.request()
    assert again is not None
    assert not model.fail(request, "Late.")
    model.open(1)
    assert not model.take(again, judge(model.session.state()))


def test_numbers_and_other_texts() -> None:
    model = Learner(Progress(frozenset(["test/deal"]))).model
    assert model.heading == "Exercise 2 of 3"  # the first that is not solved
    assert not model.enter("many")
    assert model.message == ("Enter a whole number, such as 3.", "wrong")
    assert model.enter("4")
    assert model.message == ("4 is too few. Count again.", "wrong")
    assert model.enter(" 5 ")
    assert model.message[1] == "good"
    assert not model.can_play


def test_watching_ends_with_the_last_step() -> None:
    learner = Learner(Progress(frozenset(["test/deal", "test/count"])))
    model = learner.model
    assert model.step(1)
    assert (model.message, model.done_line) == (("Opens.", "plain"), "1 of 2 moves")
    assert model.step(1)
    assert (model.message, model.solved) == (("Takes.", "good"), True)
    assert model.is_last


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("", "A begins. Draw any edge: click it, or choose it with the arrows and Enter."),
        ("b7", "A safe edge. 23 are still safe. B is to draw."),
        ("b7 b5 a6", "Now B can take 1 box in one turn."),
        ("b7 b5 a6 c6", "B took a box, and draws again."),
    ],
)
def test_the_trial_board_says_what_an_edge_did(edges: str, message: str) -> None:
    trial = TrialModel()
    for name in edges.split():
        trial.play(trial.board.game.parse_action(name))
    assert trial.message == message
    before = trial.board.moves
    trial.play(before[0] if before else None)
    assert trial.board.moves == before
    trial.begin()
    assert trial.board.moves == ()


def test_the_trial_board_names_the_moves_of_control() -> None:
    trial = TrialModel()
    said = []
    for name in [*OPENED.split(), "c6", "g6", "e6"]:
        trial.play(trial.board.game.parse_action(name))
        said.append(trial.message)
    assert said[-3:] == [
        "A took a box, and draws again.",
        "A double-dealing move: B can take 2 boxes, and must draw again.",
        "B took two boxes by one stroke: a double-cross, and draws again.",
    ]
    for name in ["a4", "c4", "e4", "f3", "e2", "c2", "a2"]:
        trial.play(trial.board.game.parse_action(name))
    assert trial.message == "All edges are drawn. A has 7 boxes, B has 2."


def test_what_is_solved_stays_whoever_writes_last(tmp_path: Path) -> None:
    file = CourseFile(tmp_path / "new")
    assert file.read() == Progress()
    file.add(Progress(frozenset(["a/one"])))
    CourseFile(tmp_path / "new").add(Progress(frozenset(["b/two"])))
    assert file.read().solved == {"a/one", "b/two"}
    path = tmp_path / "new" / "course.json"
    for bad in ("{", "[]", json.dumps({"version": 1, "solved": 3}), json.dumps({"version": 9})):
        path.write_text(bad)
        assert file.read() == Progress()
        file.add(Progress(frozenset(["a/one"])))
        assert file.read().solved == {"a/one"}
        assert path.with_name("course.json.bak").read_text() == bad


def test_two_windows_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    other = threading.Thread(
        target=lambda: CourseFile(tmp_path).add(Progress(frozenset(["b/two"])))
    )

    class Interrupted(CourseFile):
        def _load(self) -> Progress:
            loaded = super()._load()
            other.start()
            other.join(0.2)  # without a lock it would write here
            return loaded

    Interrupted(tmp_path).add(Progress(frozenset(["a/one"])))
    other.join()
    assert CourseFile(tmp_path).read().solved == {"a/one", "b/two"}


def test_progress_leads_to_the_next_exercise_and_lesson() -> None:
    one = lesson()
    progress = Progress().with_solved("test/deal").with_solved("test/watch")
    assert (progress.count(one), progress.first_open(one)) == (2, 1)
    assert progress.next_lesson([one]) is one
    whole = progress.with_solved("test/count")
    assert whole.finished(one)
    assert (whole.next_lesson([one]), whole.first_open(one)) == (None, 0)
    assert Progress.from_json(json.loads(json.dumps(whole.to_json()))) == whole
