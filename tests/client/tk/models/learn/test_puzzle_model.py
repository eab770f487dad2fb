"""The model of the puzzle screen: which puzzle comes, what it says, and what it keeps."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from doublecross.analysis.puzzles.book import PuzzleBook
from doublecross.analysis.puzzles.progress import PuzzleProgress
from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.client.tk.models.learn.puzzles import PuzzleModel
from doublecross.client.tk.progress_files import PuzzleFile
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.analysis.course.lessons import judge

DAY = date(2026, 11, 1)
FEW = [puzzle for puzzle in puzzles().puzzles if len(puzzle.costs) <= 12]
"""Puzzles that are judged by trying every game."""
TURNS = next(puzzle for puzzle in FEW if puzzle.turns == 2)
ONE = next(puzzle for puzzle in FEW if puzzle.turns == 1 and puzzle.kind != TURNS.kind)
OTHER = next(puzzle for puzzle in FEW if puzzle.kind == TURNS.kind and puzzle is not TURNS)


class Player:
    """A model of three puzzles with a helper that answers at once, unless it is `broken`."""

    def __init__(self, progress: PuzzleProgress | None = None) -> None:
        self.kept: list[PuzzleProgress] = []
        self.day = DAY
        self.broken = False
        book = PuzzleBook((TURNS, ONE, OTHER), "")
        self.model = PuzzleModel(
            book, progress or PuzzleProgress(), self.kept.append, lambda: self.day
        )
        self.answer()

    def answer(self) -> None:
        while (request := self.model.request()) is not None:
            if self.broken:
                assert self.model.fail(request, "The process for analysis has ended.")
                continue
            state = request.game.replay((), request.moves)
            assert isinstance(state, DotsAndBoxesState)
            assert self.model.take(request, judge(state))
        self.model.changes()  # as the screen does

    def open(self, puzzle: Puzzle) -> None:
        self.model.open(puzzle)
        self.answer()

    def play(self, action: int) -> None:
        assert self.model.play(action)
        self.answer()

    def best(self) -> int:
        return judge(self.model.session.state()).actions[0].action

    def fail(self) -> int:
        cost_of = self.model.puzzle.cost_of
        edge = max(cost_of, key=cost_of.__getitem__)
        self.play(edge)
        return edge

    def solve(self) -> None:
        while not self.model.session.over:
            self.play(self.best())


def test_a_puzzle_from_the_first_move_to_the_progress() -> None:
    player = Player()
    player.open(TURNS)
    model = player.model
    assert "turn 1 of 2" in model.you
    assert (model.can_retry, model.can_restart) == (False, False)
    while model.session.turn == 0:
        player.play(player.best())
    sentence, tone = model.message
    assert (sentence.endswith("Right. Go on."), tone) == (True, "good")
    assert "turn 2 of 2" in model.you
    player.solve()
    assert model.message[0].endswith("Solved at the first try.")
    assert (model.can_play, model.can_show) == (False, False)
    assert len(player.kept) == 1
    assert model.progress.clean == {TURNS.id}
    assert model.counts_line.startswith("1 of 3 solved · 1 at the first try")
    assert model.kinds[TURNS.kind].endswith("1/2")


def test_a_wrong_move_stays_until_it_is_taken_back_and_counts() -> None:
    player = Player()
    player.open(ONE)
    model = player.model
    edge = player.fail()
    sentence, tone = model.message
    assert tone == "wrong"
    assert "cost" in sentence
    assert model.board.last == edge
    assert (model.can_play, model.retry_text) == (False, "Take it back")
    assert model.retry()
    player.answer()
    assert model.board.moves == ONE.actions
    player.solve()
    assert model.message[0].endswith("Solved, after 1 mistake.")
    assert (model.progress.solved, model.progress.clean) == ({ONE.id}, frozenset())


def test_the_solution_is_stepped_through_and_solves_nothing() -> None:
    player = Player()
    player.open(TURNS)
    model = player.model
    player.fail()
    assert model.show()
    player.answer()
    assert model.board.moves == TURNS.actions  # the wrong move is gone, the solution not begun
    count = len(model.session.moves)
    assert model.message[0].startswith(f"The solution has {count} move")
    assert model.can_step == (False, True)
    while model.step(1):
        model.changes()
    assert model.can_step == (True, False)
    assert model.message[0].startswith(f"{count} of {count}: ")
    assert model.board.moves == (*TURNS.actions, *model.session.moves)
    assert not player.kept
    model.restart()
    player.answer()
    player.solve()
    assert model.message[0].endswith("it does not count: you have seen the solution.")
    player.open(ONE)
    player.solve()
    assert [kept.solved for kept in player.kept] == [{ONE.id}]
    player.open(TURNS)  # opening it again makes no difference, but another time it counts
    player.solve()
    assert model.progress.solved == {ONE.id}
    another = Player(model.progress)
    another.open(TURNS)
    another.solve()
    assert another.model.progress.solved == {ONE.id, TURNS.id}


def test_todays_puzzle_counts_for_the_day_however_it_was_opened() -> None:
    player = Player()
    today = player.model.puzzle
    player.open(TURNS if today is not TURNS else ONE)
    player.open(today)
    player.solve()
    assert player.model.progress.days == {DAY}


def test_the_puzzle_of_the_day_comes_first_and_makes_a_streak() -> None:
    player = Player()
    model = player.model
    assert model.heading == "Today's puzzle"
    player.solve()
    assert model.heading.startswith("Today's puzzle · ")
    assert model.progress.days == {DAY}
    assert "daily puzzle: 1 day" in model.counts_line
    player.day = DAY + timedelta(days=1)
    model.open_today()
    player.answer()
    player.solve()
    assert "daily puzzle: 2 days" in model.counts_line
    again = Player(model.progress)  # today's puzzle is solved, so another one is open
    assert again.model.puzzle.id not in model.progress.solved


def test_the_next_puzzle_has_the_chosen_kind_and_each_comes_before_one_repeats() -> None:
    player = Player()
    model = player.model
    assert model.heading == "Today's puzzle"
    seen = {model.puzzle.id}
    for _ in range(2):
        assert model.open_next()
        seen.add(model.puzzle.id)
    assert len(seen) == 3
    model.kind = TURNS.kind
    player.open(TURNS)
    assert TURNS.kind == OTHER.kind
    assert model.open_next()
    assert model.puzzle == OTHER
    model.kind = ONE.kind
    assert model.open_next()
    assert not model.open_next()
    assert model.message[0].startswith("There is no other puzzle like this.")
    assert model.puzzle == ONE
    player.answer()
    player.solve()
    model.kind, model.difficulty = TURNS.kind, None
    for _ in range(2):
        assert model.open_next()
        player.answer()
        player.solve()
    assert model.open_next()
    assert model.message[0].startswith("You have solved all puzzles like this")


def test_without_a_helper_the_first_move_is_judged_and_later_ones_say_so() -> None:
    player = Player()
    player.broken = True
    player.open(TURNS)
    model = player.model
    player.fail()
    assert model.message[1] == "wrong"
    assert "has ended" not in model.message[0]
    assert model.retry()
    player.answer()
    player.play(model.puzzle.keeping[0])
    assert model.message == ("The process for analysis has ended. Try again.", "wrong")
    assert model.retry_text == "Try again"
    player.broken = False
    assert model.retry()
    player.answer()
    assert not model.can_retry
    player.solve()


def test_an_answer_for_a_puzzle_that_was_left_is_dropped() -> None:
    player = Player()
    model = player.model
    player.broken = True
    model.open(TURNS)
    request = model.request()
    assert request is not None
    model.open(ONE)
    assert not model.fail(request, "Too late.")
    assert model.request() is not None


def test_the_file_keeps_what_several_windows_solve(tmp_path: Path) -> None:
    one, other = PuzzleFile(tmp_path / "new"), PuzzleFile(tmp_path / "new")
    assert one.read() == PuzzleProgress()
    one.add(PuzzleProgress().with_solved("a", clean=True, day=DAY))
    other.add(PuzzleProgress().with_solved("b", clean=False))
    assert one.read() == PuzzleProgress(frozenset("ab"), frozenset("a"), frozenset({DAY}))
    (tmp_path / "new" / "puzzles.json").write_text('{"solved": 3}')
    assert one.read() == PuzzleProgress()
