"""Check the worker pool: bots that fail, hang or crash, stop flags, and complete cleaning up."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from doublecross.bots.api import BotError, Limit
from doublecross.bots.errors import BotFailed, PoolClosed
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.registry import make_game
from tests.bots.bad_bots import HERE

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
QUICK = Limit(time_s=20.0)
ROOT = Path(__file__).resolve().parents[3]


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    async with WorkerPool(1, stop_grace_s=5.0) as pool:
        yield pool


async def test_a_bot_plays_a_whole_game_and_keeps_what_it_learnt(pool: WorkerPool) -> None:
    handle = await pool.open_game(f"{HERE}:Counts", GAME, 7)
    state = GAME.initial_state()
    moves = 0
    while not state.is_terminal():
        choice = await handle.choose(state, QUICK)
        moves += 1
        assert choice.nodes == moves
        assert choice.score == QUICK.time_s
        state.apply(choice.action)
    assert len(pool.pids) == 1


async def test_the_same_seed_plays_the_same_game_and_another_state_is_understood(
    pool: WorkerPool,
) -> None:
    first = await pool.open_game("random", GAME, "seed")
    second = await pool.open_game("random", GAME, "seed")
    state = GAME.initial_state((0, 1))
    for _ in range(4):
        one, two = await asyncio.gather(first.choose(state, QUICK), second.choose(state, QUICK))
        assert one.action == two.action
        state.apply(one.action)
    state.undo()  # not a continuation of what the worker has seen
    assert state.is_legal((await first.choose(state, QUICK)).action)


@pytest.mark.parametrize(
    ("bot", "kind", "words"),
    [
        ("Raises", "raised", "the bot raised ValueError: no idea"),
        ("Exits", "raised", "the bot raised SystemExit: 3"),
        ("Nothing", "raised", "not a Choice"),
        ("Illegal", "illegal", "the bot chose 60000, which is not legal now"),
        ("Dies", "died", "killed by SIGKILL"),
    ],
)
async def test_a_failing_bot_is_reported_and_its_neighbour_plays_on(
    pool: WorkerPool, bot: str, kind: str, words: str
) -> None:
    neighbour = await pool.open_game("random", GAME, 1)
    handle = await pool.open_game(f"{HERE}:{bot}", GAME, 1)
    state = GAME.initial_state()
    failing = asyncio.ensure_future(handle.choose(state, QUICK))
    waiting = asyncio.ensure_future(neighbour.choose(state, QUICK))
    with pytest.raises(BotFailed, match=words) as failed:
        await failing
    assert failed.value.kind == kind
    assert ("Traceback" in failed.value.trace) == (bot in ("Raises", "Exits"))
    assert state.is_legal((await waiting).action)


async def test_the_last_lines_of_a_process_are_the_trace_of_its_end() -> None:
    async with WorkerPool(keeps_output=True) as pool:
        handle = await pool.open_game(f"{HERE}:Dies", GAME, 1)
        with pytest.raises(BotFailed) as failed:
            await handle.choose(GAME.initial_state(), QUICK)
    assert failed.value.trace == "my last words"


async def test_a_bot_that_failed_once_is_made_again(pool: WorkerPool, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    handle = await pool.open_game(f"{HERE}:Dies:once={mark}", GAME, 1)
    with pytest.raises(BotFailed):
        await handle.choose(GAME.initial_state(), QUICK)
    assert (await handle.choose(GAME.initial_state(), QUICK)).action == 0


async def test_a_worker_killed_between_moves_is_replaced_silently(pool: WorkerPool) -> None:
    handle = await pool.open_game(f"{HERE}:Counts", GAME, 1)
    state = GAME.initial_state()
    assert (await handle.choose(state, QUICK)).nodes == 1
    (pid,) = pool.pids
    os.kill(pid, signal.SIGKILL)
    while pool.pids:  # noqa: ASYNC110 - until the event loop has heard of it
        await asyncio.sleep(0)
    choice = await handle.choose(state, QUICK)
    assert choice.nodes == 1
    assert choice.elapsed != pid


async def test_a_search_stops_at_its_time_and_on_demand(pool: WorkerPool) -> None:
    handle = await pool.open_game(f"{HERE}:Waits", GAME, 1)
    state = GAME.initial_state()
    choice = await handle.choose(state, Limit(time_s=0.02))
    assert choice.nodes > 0
    assert choice.score is None  # not a number on the wire
    thinking = asyncio.ensure_future(handle.choose(state, Limit()))
    await asyncio.sleep(0)
    handle.stop()
    await thinking


async def test_a_limit_is_asked_for_when_the_bot_starts_to_think(pool: WorkerPool) -> None:
    slow = await pool.open_game(f"{HERE}:Waits", GAME, 1)
    quick = await pool.open_game(f"{HERE}:Counts", GAME, 1)
    state = GAME.initial_state()
    asked: list[str] = []

    def limit() -> Limit:
        asked.append("now")
        return Limit(time_s=9.0)

    first = asyncio.ensure_future(slow.choose(state, Limit()))
    second = asyncio.ensure_future(quick.choose(state, limit))
    await asyncio.sleep(0)
    assert not asked
    slow.stop()
    await first
    assert (await second).score == 9.0
    assert asked


async def test_a_bot_that_ignores_its_stop_is_killed_and_others_go_on() -> None:
    async with WorkerPool(1, stop_grace_s=0.05) as pool:
        neighbour = await pool.open_game("random", GAME, 1)
        handle = await pool.open_game(f"{HERE}:Hangs", GAME, 1)
        state = GAME.initial_state()
        hanging = asyncio.ensure_future(handle.choose(state, Limit(time_s=0.01)))
        waiting = asyncio.ensure_future(neighbour.choose(state, QUICK))
        with pytest.raises(BotFailed, match="did not answer within") as failed:
            await hanging
        assert failed.value.kind == "hung"
        assert state.is_legal((await waiting).action)


async def test_a_pool_recovers_from_a_bot_that_hangs_after_its_game() -> None:
    async with WorkerPool(1, stop_grace_s=60.0) as pool:
        handle = await pool.open_game(f"{HERE}:Hangs", GAME, 1)
        (before,) = pool.pids
        hanging = asyncio.ensure_future(handle.choose(GAME.initial_state(), Limit()))
        await asyncio.sleep(0)
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        await pool.recover("random", GAME)
        (after,) = pool.pids
        assert after != before
        await pool.recover("random", GAME)
        assert pool.pids == (after,)


@pytest.mark.parametrize("end", ["close", "cancel"])
async def test_a_hang_whose_game_ends_after_its_stop_holds_up_no_other_game(end: str) -> None:
    async with WorkerPool(1, stop_grace_s=60.0) as pool:
        neighbour = await pool.open_game("random", GAME, 1)
        handle = await pool.open_game(f"{HERE}:Hangs", GAME, 1)
        (before,) = pool.pids
        state = GAME.initial_state()
        hanging = asyncio.ensure_future(handle.choose(state, Limit()))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(neighbour.choose(state, QUICK))
        handle.stop()
        if end == "cancel":
            hanging.cancel()
        else:
            handle.close()
        await asyncio.gather(hanging, return_exceptions=True)
        async with asyncio.timeout(20):
            assert state.is_legal((await waiting).action)
            await pool.recover("random", GAME)
        assert before not in pool.pids


async def test_a_pool_recovers_from_a_process_that_died() -> None:
    async with WorkerPool(2) as pool:
        handle = await pool.open_game(f"{HERE}:Dies", GAME, 1)
        with pytest.raises(BotFailed):
            await handle.choose(GAME.initial_state(), Limit())
        await pool.recover("random", GAME)
        assert len(pool.pids) == 2
        with pytest.raises(BotError):
            await WorkerPool(1).recover(f"{HERE}:Unmakeable", GAME)


@pytest.mark.parametrize("fails", [False, True])
async def test_a_bot_is_closed_once_after_its_game(tmp_path: Path, fails: bool) -> None:
    file = tmp_path / "closed"
    async with WorkerPool(1) as pool:
        spec = f"tests.bots.nameless_bots:Closes:file={file},fails={fails}"
        handle = await pool.open_game(spec, GAME, 1)
        await handle.choose(GAME.initial_state(), QUICK)
        assert not file.exists()
        handle.close()
        # The worker does its jobs in order, so the bot is closed before the next one is made.
        await pool.open_game("random", GAME, 1)
        assert file.read_text() == "closed\n"


async def test_a_cancelled_move_stops_the_bot_and_the_next_one_is_answered(
    pool: WorkerPool,
) -> None:
    handle = await pool.open_game(f"{HERE}:Waits:at=0", GAME, 1)
    other = await pool.open_game("random", GAME, 1)
    state = GAME.initial_state()
    thinking = asyncio.ensure_future(handle.choose(state, Limit()))
    behind = asyncio.ensure_future(other.choose(state, Limit()))
    await asyncio.sleep(0)
    behind.cancel()
    thinking.cancel()
    for task in (thinking, behind):
        with pytest.raises(asyncio.CancelledError):
            await task
    assert state.is_legal((await other.choose(state, QUICK)).action)
    assert (await handle.choose(state, Limit(time_s=0.01))).action == 0


async def test_a_bot_that_prints_or_plays_on_its_state_harms_nothing(pool: WorkerPool) -> None:
    handle = await pool.open_game(f"{HERE}:Prints", GAME, 1)
    state = GAME.initial_state()
    for _ in range(3):
        choice = await handle.choose(state, QUICK)
        assert choice.pv[0] == choice.action
        state.apply(choice.action)


@pytest.mark.skipif(sys.platform != "linux", reason="the cap is the kernel's")
async def test_memory_is_capped() -> None:
    async with WorkerPool(1, memory_mb=512) as pool:
        handle = await pool.open_game(f"{HERE}:Eats", GAME, 1)
        with pytest.raises(BotFailed, match="MemoryError"):
            await handle.choose(GAME.initial_state(), QUICK)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody", "There is no bot 'nobody'"),
        (f"{HERE}:Unmakeable", "no table"),
    ],
)
async def test_a_bot_that_cannot_be_made_is_refused(
    pool: WorkerPool, spec: str, words: str
) -> None:
    with pytest.raises(BotError, match=words):
        await pool.open_game(spec, GAME, 1)


async def test_a_closed_pool_or_game_refuses_requests() -> None:
    pool = WorkerPool(2, stop_grace_s=0.1)
    handle = await pool.open_game(f"{HERE}:Waits", GAME, 1)
    other = await pool.open_game("random", GAME, 1)
    thinking = asyncio.ensure_future(handle.choose(GAME.initial_state(), Limit()))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="thinking already"):
        await handle.choose(GAME.initial_state(), QUICK)
    other.close()
    other.close()
    with pytest.raises(PoolClosed):
        await other.choose(GAME.initial_state(), QUICK)
    processes = [psutil.Process(pid) for pid in pool.pids]
    assert len(processes) == 2
    await pool.close()
    await pool.close()
    with pytest.raises(PoolClosed):
        await thinking
    with pytest.raises(PoolClosed):
        await pool.open_game("random", GAME, 1)
    assert not any(process.is_running() for process in processes)


async def test_games_are_spread_over_the_workers() -> None:
    async with WorkerPool(2) as pool:
        handles = [await pool.open_game(f"{HERE}:Counts", GAME, n) for n in range(4)]
        choices = [await handle.choose(GAME.initial_state(), QUICK) for handle in handles]
        pids = [choice.elapsed for choice in choices]
        assert pids[0] == pids[2] != pids[1] == pids[3]


async def test_signals_for_the_parent_do_not_reach_a_bot(pool: WorkerPool) -> None:
    handle = await pool.open_game(f"{HERE}:Counts", GAME, 1)
    (pid,) = pool.pids
    for name in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, name)
    assert (await handle.choose(GAME.initial_state(), QUICK)).elapsed == pid
    assert os.getpgid(pid) == pid


_PARENT = """\
import asyncio, sys
sys.path.insert(0, {root!r})
from doublecross.bots.api import Limit
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.registry import make_game

async def main():
    async with WorkerPool(1) as pool:
        game = make_game("dots-and-boxes")
        handle = await pool.open_game({spec!r}, game, 1)
        choice = await handle.choose(game.initial_state(), Limit())
        print("chose", choice.action)

asyncio.run(main())
"""


def _wait_for(path: Path) -> list[psutil.Process]:
    give_up = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < give_up
        time.sleep(0.01)
    return [psutil.Process(int(pid)) for pid in path.read_text().split()]


def _ended(processes: list[psutil.Process]) -> bool:
    """Return whether the processes end, without waitpid, which would take the status from
    asyncio.
    """
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        if not any(_lives(process) for process in processes):
            return True
        time.sleep(0.01)
    return False


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_worker_does_not_outlive_its_killed_parent(tmp_path: Path) -> None:
    pids_file = tmp_path / "pids"
    script = textwrap.dedent(_PARENT.format(root=str(ROOT), spec=f"{HERE}:Spawns"))
    parent = subprocess.Popen(
        [sys.executable, "-P", "-c", script], env={**os.environ, "BAD_BOTS_PIDS": str(pids_file)}
    )
    worker, child = _wait_for(pids_file)
    parent.kill()
    parent.wait()
    assert _ended([worker])
    child.kill()


async def test_a_killed_worker_ends_the_processes_of_its_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAD_BOTS_PIDS", str(tmp_path / "pids"))
    async with WorkerPool(1, stop_grace_s=0.01) as pool:
        handle = await pool.open_game(f"{HERE}:Spawns", GAME, 1)
        hanging = asyncio.ensure_future(handle.choose(GAME.initial_state(), Limit()))
        await asyncio.sleep(0)
        processes = await asyncio.to_thread(_wait_for, tmp_path / "pids")
        handle.stop()
        with pytest.raises(BotFailed):
            await hanging
        assert await asyncio.to_thread(_ended, processes)
