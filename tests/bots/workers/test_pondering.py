"""Check that a bot may think on its opponent's time in a worker, where other work comes first."""

from __future__ import annotations

import asyncio

import pytest

from doublecross.bots.api import Limit
from doublecross.bots.errors import BotFailed, PoolClosed
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.registry import make_game
from tests.bots.pondering_bots import HERE

pytestmark = pytest.mark.usefixtures("fork_server")

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
QUICK = Limit(time_s=20.0)
LONG_S = 600.0


async def test_only_a_bot_that_can_and_may_ponder_wants_to() -> None:
    async with WorkerPool(1) as pool:
        for spec, wants in (
            ("random", False),
            (f"{HERE}:Ponders", True),
            (f"{HERE}:Ponders:ponder=no", False),
        ):
            assert (await pool.open_game(spec, GAME, 1)).ponders is wants


async def test_a_move_ends_pondering_at_once_and_uses_what_it_found() -> None:
    # A move that waited for the end of pondering would come after ten minutes.
    async with WorkerPool(1) as pool:
        handle = await pool.open_game(f"{HERE}:Ponders", GAME, 1)
        state = GAME.initial_state()
        pondering = asyncio.ensure_future(handle.ponder(state, LONG_S))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="pondering already"):
            await handle.ponder(state, LONG_S)
        choice = await handle.choose(state, QUICK)
        assert choice.nodes == 1
        assert not await pondering


async def test_another_game_comes_first_and_a_stop_ends_pondering() -> None:
    async with WorkerPool(1) as pool:
        handle = await pool.open_game(f"{HERE}:Ponders", GAME, 1)
        other = await pool.open_game("random", GAME, 1)
        state = GAME.initial_state()
        pondering = asyncio.ensure_future(handle.ponder(state, LONG_S))
        await asyncio.sleep(0)
        assert state.is_legal((await other.choose(state, QUICK)).action)
        assert not await pondering
        moving = asyncio.ensure_future(other.choose(state, QUICK))
        pondering = asyncio.ensure_future(handle.ponder(state, LONG_S))
        await asyncio.sleep(0)
        handle.stop_pondering()
        await asyncio.gather(moving, pondering)


async def test_pondering_ends_by_itself_after_its_time_and_with_its_game() -> None:
    async with WorkerPool(1) as pool:
        quick = await pool.open_game(f"{HERE}:Ponders:end=returns", GAME, 1)
        state = GAME.initial_state()
        assert await quick.ponder(state, LONG_S)
        handle = await pool.open_game(f"{HERE}:Ponders", GAME, 1)
        assert not await handle.ponder(state, 0.01)
        pondering = asyncio.ensure_future(handle.ponder(state, LONG_S))
        await asyncio.sleep(0)
        handle.close()
        with pytest.raises(PoolClosed):
            await pondering
        assert (await quick.choose(state, QUICK)).nodes == 1


@pytest.mark.parametrize(
    ("end", "kind"), [("raises", "raised"), ("dies", "died"), ("hangs", "hung")]
)
async def test_a_bot_that_fails_while_pondering_can_still_move(end: str, kind: str) -> None:
    # On a busy machine an end is noticed late; only a bot that hangs has to be given up.
    async with WorkerPool(1, stop_grace_s=0.05 if end == "hangs" else 10) as pool:
        handle = await pool.open_game(f"{HERE}:Ponders:end={end}", GAME, 1)
        state = GAME.initial_state()
        with pytest.raises(BotFailed) as failed:
            await handle.ponder(state, 0.01)
        assert failed.value.kind == kind
        await handle.make()
        # A new bot has not pondered.
        assert (await handle.choose(state, QUICK)).nodes == 0


async def test_a_bot_that_hangs_while_pondering_holds_up_no_game_after_its_own() -> None:
    async with WorkerPool(1) as pool:
        neighbour = await pool.open_game("random", GAME, 1)
        handle = await pool.open_game(f"{HERE}:Ponders:end=hangs", GAME, 1)
        state = GAME.initial_state()
        pondering = asyncio.ensure_future(handle.ponder(state, LONG_S))
        await asyncio.sleep(0)
        handle.stop_pondering()
        handle.close()
        with pytest.raises(PoolClosed):
            await pondering
        async with asyncio.timeout(20):
            assert state.is_legal((await neighbour.choose(state, QUICK)).action)
