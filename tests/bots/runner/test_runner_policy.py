"""Check which games a runner accepts, and how much time it gives to each move."""

from __future__ import annotations

import pytest

from doublecross.bots.api import Bot
from doublecross.bots.registry import bot_class
from doublecross.bots.runner import GameRange, GameResult, NumberRange, Policy, RunnerReport
from doublecross.bots.runner.core.timing import Latency, move_limit
from doublecross.client.core.room import RoomMirror
from doublecross.games.api import Game
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import Termination
from tests.fakes.rooms import room_in_play

ANN = PlayerInfo(name="Ann", kind="human")
BOT = PlayerInfo(name="bob", kind="bot", engine=EngineInfo(name="bob", version="1"))
FIVE = MatchSettings(game="dots-and-boxes", time=TimeControl(base_ms=60_000))
RULES = bot_class("rules")


class OnlyTicTacToe(RULES):  # type: ignore[misc, valid-type]
    @classmethod
    def plays(cls, game: Game) -> bool:
        return game.key == "tic-tac-toe"


def changed(**fields: object) -> MatchSettings:
    return FIVE.model_copy(update=fields)


@pytest.mark.parametrize(
    ("policy", "settings", "words"),
    [
        (Policy(), FIVE, None),
        (Policy(), changed(game="chess"), "do not know"),
        (Policy(), changed(params={"rows": 99}), "do not know"),
        (Policy(), changed(opening=(0, 0)), "do not know"),
        (Policy(games=(GameRange("tic-tac-toe"),)), FIVE, "this game here"),
        (Policy(games=(GameRange.parse("any 5x5"),)), FIVE, None),
        (Policy(games=(GameRange.parse("any 6x3-9x9"),)), FIVE, "from 6x3 on"),
        (Policy(games=(GameRange.parse("dots-and-boxes 1x1-9x4"),)), FIVE, "up to 9x4"),
        (Policy(rated=False), changed(rated=True), "casual games only"),
        (Policy(casual=False), FIVE, "rated games only"),
        (Policy(base_s=NumberRange(61)), FIVE, "need 61 s on the clock"),
        (Policy(base_s=NumberRange(most=59)), FIVE, "at most 59 s"),
        (Policy(unlimited=False), changed(time=TimeControl()), "with a clock only"),
        (Policy(base_s=NumberRange(5)), changed(time=TimeControl()), None),
        (Policy(min_move_s=2), changed(time=TimeControl(move_ms=1000)), "2 s for a move"),
    ],
)
def test_a_policy_gives_a_short_reason(
    policy: Policy, settings: MatchSettings, words: str | None
) -> None:
    objection = policy.objection(RULES.plays, settings, ANN)
    if words is None:
        assert objection is None
    else:
        assert objection is not None
        assert words in objection
        assert len(objection) <= 64


def test_ratings_outside_the_range_are_refused() -> None:
    policy = Policy(rating=NumberRange(1000, 1400))
    assert policy.objection(RULES.plays, FIVE, ANN, 1200) is None
    assert policy.objection(RULES.plays, FIVE, ANN) == "I play with ratings of at most 1400 only."
    assert (
        policy.objection(RULES.plays, FIVE, ANN, 9) == "I play with ratings of at least 1000 only."
    )


def test_opponents_and_the_bot_can_be_restricted() -> None:
    assert Policy(people=False).objection(RULES.plays, FIVE, ANN) == "I play bots only."
    for names in ({"only": frozenset({"Bob"})}, {"refused": frozenset({"Ann"})}):
        assert Policy(**names).objection(RULES.plays, FIVE, ANN) == "I do not play with you."
    assert Policy(bots=False).objection(RULES.plays, FIVE, BOT) == "I play people only."
    assert Policy(bots=False).objection(RULES.plays, FIVE, ANN) is None
    bot: type[Bot] = OnlyTicTacToe
    assert Policy().objection(bot.plays, FIVE, ANN) == "I cannot play this game or size."


def mirror(time: TimeControl) -> RoomMirror:
    fake = room_in_play(settings=MatchSettings(game="dots-and-boxes", time=time))
    return RoomMirror(fake.room_state(), 0.0)


def limit_s(time: TimeControl, now: float = 0.0, crowd: int = 1, think_s: float = 10.0) -> float:
    limit = move_limit(
        mirror(time), now, moves=30, margin_s=0.1, think_s=think_s, crowd=crowd, memory_mb=64
    )
    assert limit.memory_mb == 64
    assert limit.time_s is not None
    return limit.time_s


def test_the_clock_is_shared_among_the_remaining_moves() -> None:
    clock = TimeControl(base_ms=60_000)
    # 60 edges are free, so about 30 moves are still to come.
    assert limit_s(clock) == pytest.approx(2.0)
    assert limit_s(clock, crowd=4) == pytest.approx(0.5)
    assert limit_s(clock, think_s=0.5) == 0.5
    assert limit_s(TimeControl(base_ms=60_000, increment_ms=1000)) == pytest.approx(2.8)
    assert limit_s(TimeControl(move_ms=1000)) == pytest.approx(0.9)
    assert limit_s(TimeControl(base_ms=60_000, move_ms=500)) == pytest.approx(0.4)
    assert limit_s(TimeControl()) == 10.0


def test_a_short_clock_is_never_exceeded() -> None:
    clock = TimeControl(base_ms=60_000, increment_ms=5000)
    for left_s in (1.0, 0.3, 0.1, 0.01):
        assert limit_s(clock, now=60.0 - left_s) <= left_s / 2
    assert limit_s(clock, now=70.0) == 0.001


def test_the_margin_follows_the_measured_delays() -> None:
    latency = Latency()
    before = latency.margin
    for _ in range(30):
        latency.record(0.5)
    assert before < 0.1 < 0.9 < latency.margin < 1.1


def test_results_are_reported_from_the_bots_side() -> None:
    report = RunnerReport()
    endings: tuple[tuple[int | None, Termination, str], ...] = (
        (1, "completed", "won"),
        (0, "timeout", "lost"),
        (None, "completed", "drawn"),
        (None, "void", "void"),
    )
    for winner, termination, outcome in endings:
        result = GameResult(
            "r-1",
            "r",
            1,
            FIVE,
            "Ann",
            1,
            winner,
            termination,
            (3, 6),
            12,
        )
        assert result.outcome == outcome
        how = "" if termination == "completed" else f" ({termination})"
        assert str(result) == f"{outcome} against Ann, 6:3{how}"
        report.count(result)
    assert (report.won, report.lost, report.drawn, report.void, report.games) == (1, 1, 1, 1, 3)
