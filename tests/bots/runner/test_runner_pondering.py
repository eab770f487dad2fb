"""Check that a runner lets its bot think on the opponent's time, and never loses by it."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from doublecross.bots.errors import BotFailed, PoolClosed
from doublecross.bots.runner import ChallengePlan
from doublecross.bots.runner.pondering import MOST_S, Pondering
from doublecross.games.api import State
from doublecross.games.registry import make_game
from doublecross.protocol.server_messages import MoveMade
from tests.bots.pondering_bots import HERE
from tests.bots.running import RATED, running, serving

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})


class FakeHandle:
    """Records requests; the test ends each one."""

    def __init__(self) -> None:
        self.ponders = True
        self.asked: list[tuple[int, float]] = []
        self.answer: asyncio.Future[bool] | None = None
        self.stops = self.made = 0

    async def ponder(self, state: State, most_s: float) -> bool:
        assert self.answer is None
        self.asked.append((state.ply, most_s))
        self.answer = asyncio.get_running_loop().create_future()
        try:
            return await self.answer
        finally:
            self.answer = None

    def stop_pondering(self) -> None:
        self.stops += 1
        self.end(done=False)

    def end(self, *, done: bool) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(done)

    def fail(self, error: Exception) -> None:
        assert self.answer is not None
        self.answer.set_exception(error)

    async def make(self) -> None:
        self.made += 1


class Game:
    """A game whose clock only the test advances."""

    def __init__(self) -> None:
        self.time = 0.0
        self.handle = FakeHandle()
        self.state = GAME.initial_state()
        self.traces: list[str] = []
        self.pondering = Pondering(self.handle, "Room r1", self.is_new_trace, lambda: self.time)

    def is_new_trace(self, trace: str) -> bool:
        self.traces.append(trace)
        return True

    async def update(self, *, theirs: bool = True) -> None:
        self.pondering.update(self.state if theirs else None)
        await settle()


async def settle() -> None:
    """Let all tasks of the loop run as far as they can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_each_position_of_the_opponent_is_pondered_once() -> None:
    game = Game()
    await game.update()
    await game.update()
    assert game.handle.asked == [(0, MOST_S)]
    game.state.apply(0)
    await game.update(theirs=False)
    assert game.handle.stops >= 1
    assert game.handle.answer is None
    game.state.apply(1)
    await game.update()
    game.handle.end(done=True)  # nothing is left to do
    await settle()
    await game.update()
    assert [ply for ply, _ in game.handle.asked] == [0, 2]


async def test_a_position_after_another_one_of_the_opponent_takes_its_place() -> None:
    game = Game()
    await game.update()
    game.state.apply(0)
    await game.update()
    assert [ply for ply, _ in game.handle.asked] == [0, 1]


async def test_an_interrupted_bot_goes_on_until_the_time_for_the_position_is_over() -> None:
    game = Game()
    await game.update()
    game.time = 20.0
    game.handle.end(done=False)
    await settle()
    assert game.handle.asked == [(0, MOST_S), (0, MOST_S - 20.0)]
    game.time = MOST_S
    game.handle.end(done=False)
    await settle()
    assert len(game.handle.asked) == 2


async def test_a_bot_that_does_not_ponder_is_never_asked() -> None:
    game = Game()
    game.handle.ponders = False
    await game.update()
    assert not game.handle.asked


async def test_a_failure_is_logged_the_bot_is_made_again_and_ponders_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    game = Game()
    await game.update()
    game.handle.fail(BotFailed("raised", "the bot raised ValueError: no idea", "Traceback ..."))
    await settle()
    assert game.handle.made == 1
    assert "Room r1: the bot raised ValueError: no idea" in caplog.text
    assert game.traces == ["Traceback ..."]
    game.state.apply(0)
    await game.update()
    assert len(game.handle.asked) == 1


async def test_a_closed_game_ends_it_without_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    game = Game()
    await game.update()
    game.handle.fail(PoolClosed("The game was closed while its bot was thinking."))
    await settle()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_real_game_uses_the_opponents_time_and_survives_a_crash(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    moves: list[MoveMade] = []
    plan = ChallengePlan.pairs("plan", "slow", RATED, [()], at_once=1)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, f"{HERE}:Ponders:end=dies", name="slow"),
            running(
                url, tmp_path, f"{HERE}:Ponders", name="quick", plan=plan, on_move=moves.append
            ) as (_, task),
        ):
            report = await task
    assert [result.termination for result in report.plan.values()] == ["completed"] * 2
    seats = {result.room: result.seat for result in report.plan.values()}
    # The bot reports how many positions it has pondered when it moves.
    own = [move.expected or 0 for move in moves if move.seat == seats[move.room]]
    assert max(own) >= 2
    assert "the worker process" in caplog.text
    assert "while its opponent was thinking" in caplog.text
