"""Check single games in this process: time limits by a test clock, and how games end."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.api import Bot, BotError, Limit
from doublecross.bots.arena.moves import Effort, MoveBudget, PlayedMove
from doublecross.bots.arena.referee import Failure, play_game
from doublecross.bots.greedy import GreedyBot
from doublecross.bots.random_bot import RandomBot
from doublecross.games.api import State
from doublecross.games.registry import make_game
from tests.bots import bad_bots
from tests.bots.late_bots import Spends, TestClock

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})


def play(
    first: Bot, second: Bot, budget: MoveBudget, clock: TestClock | None = None
) -> tuple[Failure | None, list[PlayedMove]]:
    moves: list[PlayedMove] = []
    clock = clock or TestClock()
    failure = play_game(GAME, (0,), (first, second), (budget, budget), 2.0, moves.append, clock)
    return failure, moves


def spends(*seconds: float) -> tuple[Spends, TestClock]:
    clock = TestClock()
    return Spends(clock, seconds), clock


def test_a_game_is_played_by_the_rules_to_its_end() -> None:
    failure, moves = play(GreedyBot(Random(1)), RandomBot(Random(2)), MoveBudget(time_s=1.0))
    assert failure is None
    state = GAME.initial_state((0,))
    for move in moves:
        assert move.seat == state.current_player()
        state.apply(move.action)
    assert state.is_terminal()


def test_a_late_move_within_the_margin_is_an_overrun() -> None:
    bot, clock = spends(0.1, 0.14, 0.16, 0.19)
    failure, moves = play(bot, RandomBot(Random(2)), MoveBudget(time_s=0.1), clock)
    assert failure is None
    mine = Effort.of([move for move in moves if move.seat == 0])
    # 0.16 and 0.19 are overruns; 0.14 is within the tolerance for a slow machine.
    assert mine.overruns == 2
    assert mine.longest_s == pytest.approx(0.19)
    assert mine.seconds == pytest.approx(0.59)
    assert mine.nodes == sum(range(1, mine.moves + 1))


@pytest.mark.parametrize(
    ("budget", "latest_s"),
    [
        (MoveBudget(time_s=0.1), 0.2),
        (MoveBudget(time_s=4.0), 5.0),
        (MoveBudget(time_s=20.0), 25.0),
        (MoveBudget(time_s=0.1, margin_s=0.0), 0.1),
        (MoveBudget(time_s=1.0, margin_s=3.0), 4.0),
        # A share of the clock only guides the bot.
        (MoveBudget(time_s=1.0, clock_s=2.0), 1.25),
        (MoveBudget(clock_s=100.0), 22.0),
    ],
)
def test_a_move_beyond_the_margin_loses_on_time(budget: MoveBudget, latest_s: float) -> None:
    bot, clock = spends(latest_s - 0.001)
    failure, _ = play(bot, RandomBot(Random(2)), budget, clock)
    assert failure is None
    bot, clock = spends(0.0, latest_s + 0.1)
    failure, moves = play(bot, RandomBot(Random(2)), budget, clock)
    assert failure is not None
    assert (failure.termination, failure.seat) == ("timeout", 0)
    assert failure.sentence.startswith(f"it took {latest_s + 0.1:.2f} s for a move with a limit of")
    assert [move.seat for move in moves].count(0) == 1


def test_the_clock_runs_down_and_gets_its_increment() -> None:
    bot, clock = spends(1.0, 0.25)
    failure, moves = play(
        bot, RandomBot(Random(2)), MoveBudget(clock_s=10.0, increment_s=0.5), clock
    )
    assert failure is None
    left = [move.left_s for move in moves if move.seat == 0]
    assert left[:3] == pytest.approx([9.5, 9.75, 10.25])
    assert [limit.clock_s for limit in bot.limits[:3]] == pytest.approx([10.0, 9.5, 9.75])
    assert all(limit.increment_s == 0.5 for limit in bot.limits)
    for limit in bot.limits:
        assert limit.time_s is not None
        assert limit.clock_s is not None
        assert limit.time_s <= limit.clock_s / 4


def test_a_bot_says_for_how_many_moves_its_clock_must_last() -> None:
    class Planner(Spends):
        @classmethod
        def moves_to_go(cls, state: State) -> int:
            return 20

    bot = Planner(TestClock(), (0.0,))
    play(bot, RandomBot(Random(2)), MoveBudget(clock_s=10.0))
    assert bot.limits[0].time_s == pytest.approx(0.5)


def test_an_empty_clock_loses_without_grace() -> None:
    bot, clock = spends(0.6, 0.41)
    failure, moves = play(bot, RandomBot(Random(2)), MoveBudget(clock_s=1.0), clock)
    assert failure is not None
    assert (failure.termination, failure.seat) == ("timeout", 0)
    assert "its clock ran out by 0.010 s" in failure.sentence
    assert min(move.left_s for move in moves if move.left_s is not None) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("bot", "termination", "says"),
    [
        (bad_bots.Raises, "crash", "it raised ValueError: no idea at ply 0"),
        (bad_bots.Exits, "crash", "it raised SystemExit: 3 at ply 0"),
        (bad_bots.Nothing, "crash", "choose returned NoneType, not a Choice"),
        (bad_bots.Illegal, "illegal", "it chose 60000, which is not legal at ply 0"),
    ],
)
def test_a_bot_that_fails_has_lost(bot: type[Bot], termination: str, says: str) -> None:
    failure, moves = play(bot(Random(1)), RandomBot(Random(2)), MoveBudget())
    assert failure is not None
    assert (failure.termination, failure.seat, moves) == (termination, 0, [])
    assert says in failure.sentence
    # Without an exception of the bot there is no traceback that would help its author.
    raised = bot in (bad_bots.Raises, bad_bots.Exits)
    assert ("Traceback" in failure.trace) == raised


def test_the_search_for_an_exact_value_takes_no_time_from_a_bot() -> None:
    clock = TestClock()

    def is_decided(state: State) -> bool:
        clock.now += 1000.0
        return state.ply == 5

    bots = RandomBot(Random(1)), RandomBot(Random(2))
    budget, moves = MoveBudget(clock_s=1.0), list[PlayedMove]()
    play_game(GAME, (), bots, (budget, budget), 2.0, moves.append, clock, is_decided)
    assert [move.left_s for move in moves] == [1.0] * 5


def test_limits_reach_the_bot_and_the_stop_flag_ends_its_thinking() -> None:
    bot, _ = spends()
    play(bot, RandomBot(Random(2)), MoveBudget(time_s=0.5, depth=4, nodes=900, memory_mb=16))
    assert bot.limits[0] == Limit(time_s=0.5, depth=4, nodes=900, memory_mb=16)
    waits = bad_bots.Waits(Random(1))
    failure, moves = play(waits, RandomBot(Random(2)), MoveBudget(time_s=0.002))
    assert failure is None  # The bot returned from every move.
    assert all(move.nodes > 0 for move in moves if move.seat == 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_s": 0.0},
        {"clock_s": -1.0},
        {"nodes": 0},
        {"depth": 0},
        {"increment_s": 1.0},
        {"time_s": 1.0, "margin_s": -0.1},
        {"clock_s": 5.0, "increment_s": -0.1},
    ],
)
def test_empty_budgets_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BotError):
        MoveBudget(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (MoveBudget(time_s=0.2), "0/0.2"),
        (MoveBudget(clock_s=10.0, increment_s=0.1), "10+0.1"),
        (MoveBudget(clock_s=60.0, time_s=5.0), "60+0/5"),
        (MoveBudget(nodes=5), "unlimited"),
    ],
)
def test_budgets_are_written_as_time_controls(budget: MoveBudget, text: str) -> None:
    assert budget.text == text
