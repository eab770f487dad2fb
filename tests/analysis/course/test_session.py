"""The session of a learner: moves, replies, sentences, hints, and everything in any order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.analysis.course.lesson import Exercise
from doublecross.analysis.course.session import ExerciseSession, Status, settle
from tests.analysis.course.lessons import judge, read_one

TWO_CHAINS = "b7 d7 f7 b5 d5 f5 g4 g2 b3 d3 b1 d1 f1"
OPENED = f"{TWO_CHAINS} a6"


def begin(exercise: Exercise) -> ExerciseSession:
    session = ExerciseSession(exercise)
    settle(session, judge)
    return session


def play(session: ExerciseSession, *names: str) -> None:
    for name in names:
        assert session.play(session.exercise.position.game.parse_action(name)), name
        settle(session, judge)


def said(session: ExerciseSession) -> tuple[str, ...]:
    return tuple(map(str, session.feedback))


def names(session: ExerciseSession, actions: tuple[int, ...]) -> str:
    return " ".join(map(session.exercise.position.game.action_name, actions))


DEAL = read_one(
    *("best", "3x3", OPENED),
    best="c6",
    value=5,
    moves=2,
    wrong=[{"move": "takes", "say": "Leave two."}],
)


def test_right_moves_solve_an_exercise() -> None:
    session = begin(DEAL)
    play(session, "c6")
    assert (session.status, session.progress) == (Status.YOURS, (1, 2))
    play(session, "g6")
    assert session.status is Status.SOLVED
    assert said(session) == ("Well done.",)
    assert session.mistakes == 0
    assert not session.play(0)


def test_a_wrong_move_says_why_and_what_it_cost_until_it_is_taken_back() -> None:
    session = begin(DEAL)
    play(session, "c6", "e6")
    assert session.status is Status.WRONG
    assert said(session) == (*("Leave two.", "It cost 4 boxes.", "It turned a win into a loss."),)
    assert names(session, session.answer).startswith("g6")
    assert not session.play(session.exercise.position.game.parse_action("g6"))
    assert session.retry()
    assert not session.retry()
    play(session, "g6")
    assert (session.status, session.mistakes) == (Status.SOLVED, 1)


def test_without_a_sentence_of_the_lesson_a_rule_says_why() -> None:
    session = begin(read_one("best", "3x3", OPENED, best="c6", value=5, moves=2))
    play(session, "c6", "e6")
    assert said(session)[0] == (
        "Taking the last boxes gave up control. Leaving 2 of them by g6 would have won 7-2."
    )
    assert said(session)[1] == "It cost 4 boxes."
    session.retry()
    play(session, "a4")
    assert said(session)[0] == "It cost 6 boxes."  # no rule has a reason
    session.restart()
    play(session, "a4")
    assert said(session)[0] == "a4 left 3 boxes that could be taken."


def test_a_move_waits_for_the_values() -> None:
    session = ExerciseSession(DEAL)
    assert session.wanted == ()
    assert session.play(DEAL.best[0])
    assert (session.status, session.moves) == (Status.WAITING, ())
    assert not session.play(0)
    session.give((), judge(session.state()))
    assert session.moves == DEAL.best
    assert session.wanted == DEAL.best


def test_the_opponent_replies_until_the_game_is_over() -> None:
    session = begin(read_one("play", "3x3", OPENED, value=5))
    play(session, "c6", "g6")
    # The opponent takes two boxes by a double-cross and must open the chain of 6.
    assert session.state().scores() == (1, 2)
    assert session.status is Status.YOURS
    while session.status is Status.YOURS:
        settle(session, judge)
        best = judge(session.state()).actions[0].action
        session.play(best)
        settle(session, judge)
    assert session.status is Status.SOLVED
    assert session.state().scores() == (7, 2)


def test_a_game_may_cost_something_if_the_goal_stays_in_reach() -> None:
    session = begin(read_one("play", "3x3", OPENED, value=5, least=1))
    play(session, "e6")  # leaves three boxes, and keeps control
    assert session.status is Status.YOURS
    assert session.mistakes == 1
    assert "It cost 1 box." in " ".join(said(session))
    strict = begin(read_one("play", "3x3", OPENED, value=5))
    play(strict, "e6")
    assert strict.status is Status.WRONG


def test_to_find_edges_is_to_click_each_once() -> None:
    session = begin(
        read_one("find", "1x3", "b3 b1 d1", what="safe", wrong=[{"edges": "a2", "say": "Third."}])
    )
    assert session.wanted is None
    play(session, "a2")
    assert said(session) == ("Third.",)
    play(session, "c2")
    assert said(session)[0].startswith("c2 is not one of them. It gives a box its third edge")
    play(session, "d3")
    assert said(session) == ("d3 is right. 4 to go.",)
    assert not session.play(session.exercise.position.game.parse_action("d3"))
    play(session, "f3", "f1", "e2", "g2")
    assert (session.status, session.progress) == (Status.SOLVED, (5, 5))
    assert session.mistakes == 2


def test_a_number_is_checked() -> None:
    session = begin(
        read_one(
            *("count", "1x3", "b3 b1 d1"),
            what="safe edges",
            answer=5,
            wrong=[{"number": 7, "say": "Two are not safe."}],
        )
    )
    session.enter(7)
    assert said(session) == ("Two are not safe.",)
    session.enter(4)
    assert said(session) == ("4 is too few. Count again.",)
    session.enter(9)
    assert said(session) == ("9 is too many. Count again.",)
    assert session.enter(5)
    assert session.status is Status.SOLVED
    assert not session.enter(5)


def test_to_watch_is_to_step_on_and_back() -> None:
    steps = [{"edge": "a2", "say": "Opens."}, {"edge": "c2"}]
    session = begin(read_one("watch", "1x3", "b3 d3 f3 b1 d1 f1", steps=steps))
    assert not session.step(-1)
    assert session.step(1)
    assert said(session) == ("Opens.",)
    assert session.step(1)
    assert said(session) == ("c2.",)
    assert session.status is Status.SOLVED
    assert not session.step(1)
    assert session.step(-1)
    assert session.progress == (1, 2)


def test_hints_come_one_by_one_and_then_the_answer() -> None:
    session = begin(DEAL)
    assert session.marked == ()
    assert [session.hint() for _ in range(2)] == ["Look.", "Look again."]
    assert session.marked == ()
    session.hint()
    assert names(session, session.marked) == "c6"


def test_a_new_beginning_forgets_the_moves() -> None:
    session = begin(DEAL)
    play(session, "c6", "e6")
    session.restart()
    assert (session.moves, session.status, said(session)) == ((), Status.YOURS, ())
    play(session, "c6", "g6")
    assert session.status is Status.SOLVED


@settings(max_examples=40)
@given(st.lists(st.integers(0, 23), max_size=30))
def test_any_order_of_calls_keeps_the_session_sound(calls: list[int]) -> None:
    session = ExerciseSession(read_one("play", "3x3", OPENED, value=5))
    for call in calls:
        before = session.moves
        if call == 0:
            session.retry()
            assert before[: len(session.moves)] == session.moves
        elif call == 1:
            settle(session, judge)
            assert session.wanted is None
        elif call == 2:
            session.hint()
        elif not session.play(call):
            assert session.moves == before
        state = session.state()
        if session.status is Status.YOURS:
            assert state.current_player() == session.seat
        if session.status is Status.SOLVED:
            assert state.is_terminal()
            assert state.scores()[0] - state.scores()[1] >= 5
