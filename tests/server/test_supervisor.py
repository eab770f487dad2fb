"""Long-lived tasks: restarted when they fail, and given up when that does not help."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from doublecross.server.shell.upkeep.periodic import FAILURES_IN_A_ROW, every
from doublecross.server.supervisor import RESTARTS, Supervisor, UnrecoverableError


async def settle() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


class Work:
    """A task that fails `failures` times and then runs."""

    def __init__(self, failures: int, error: Exception | None = None) -> None:
        self.failures = failures
        self.error = error
        self.starts = 0

    async def __call__(self) -> None:
        self.starts += 1
        if self.starts <= self.failures:
            if self.error is not None:
                raise self.error
            return
        await asyncio.Event().wait()


@pytest.mark.parametrize("error", [None, RuntimeError("a bug"), OSError(28, "No space left")])
async def test_a_task_that_fails_is_started_again(error: Exception | None) -> None:
    supervisor, work = Supervisor(pause_s=0.0), Work(RESTARTS, error)
    supervisor.watch("sweep", work)
    async with asyncio.timeout(5):
        while work.starts <= RESTARTS:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await settle()
    assert supervisor.down == {}
    assert not supervisor.failed.done()
    supervisor.cancel()
    await supervisor.close(1.0)


async def test_a_task_that_keeps_failing_is_given_up() -> None:
    supervisor, work = Supervisor(pause_s=0.0), Work(99, RuntimeError("a bug"))
    supervisor.watch("sweep", work)
    supervisor.watch("clocks", Work(0))
    async with asyncio.timeout(5):
        sentence = await supervisor.failed
    assert "'sweep'" in sentence
    assert sentence.endswith(": a bug. Start it again to continue all games.")
    assert work.starts == RESTARTS + 1
    assert list(supervisor.down) == ["sweep"]
    supervisor.cancel()
    await supervisor.close(1.0)


async def test_failures_of_long_ago_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    supervisor, work = Supervisor(pause_s=0.0), Work(3 * RESTARTS, RuntimeError("a bug"))
    times = iter(range(0, 10_000, 20))
    monkeypatch.setattr("doublecross.server.supervisor.WINDOW_S", 50.0)
    real = loop.time
    with monkeypatch.context() as patch:
        patch.setattr(loop, "time", lambda: float(next(times)) + real())
        supervisor.watch("sweep", work)
        for _ in range(200):
            await asyncio.sleep(0)
    assert work.starts == 3 * RESTARTS + 1
    assert not supervisor.failed.done()
    supervisor.cancel()
    await supervisor.close(1.0)


async def test_what_cannot_be_continued_is_not_restarted() -> None:
    supervisor, work = (
        Supervisor(pause_s=0.0),
        Work(1, UnrecoverableError("Another server is here.")),
    )
    supervisor.watch("committer", work)
    async with asyncio.timeout(5):
        assert await supervisor.failed == "Another server is here."
    assert work.starts == 1
    assert supervisor.down == {"committer": "Another server is here."}
    await supervisor.close(1.0)


async def test_a_log_that_raises_ends_the_server_and_not_only_the_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class FullDisk:
        def exception(self, event: str, **values: object) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("doublecross.server.supervisor._log", FullDisk())
    supervisor = Supervisor(pause_s=0.0)
    supervisor.watch("sweep", Work(1, RuntimeError("a bug")))
    async with asyncio.timeout(5):
        assert "'sweep'" in await supervisor.failed
    assert list(supervisor.down) == ["sweep"]
    await supervisor.close(1.0)


async def test_a_task_may_end_while_the_server_stops() -> None:
    supervisor = Supervisor(pause_s=0.0)
    end = asyncio.Event()

    async def work() -> None:
        await end.wait()

    supervisor.watch("http", work)
    await settle()
    supervisor.stopping()
    end.set()
    await supervisor.close(1.0)
    assert supervisor.down == {}
    assert not supervisor.failed.done()


async def test_a_task_that_failed_just_before_the_end_is_not_started_again() -> None:
    supervisor, work = Supervisor(pause_s=0.05), Work(1, RuntimeError("a bug"))
    supervisor.watch("http", work)
    await settle()
    supervisor.stopping()
    await supervisor.close(5.0)
    assert work.starts == 1
    assert not supervisor.tasks["http"].cancelled()


async def test_a_task_that_is_cancelled_from_within_is_not_taken_for_running() -> None:
    async def work() -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.cancel()  # as a library does with a request that it gives up
        await future

    supervisor = Supervisor(pause_s=0.0)
    supervisor.watch("committer", work, restarts=0)
    async with asyncio.timeout(5):
        assert "'committer'" in await supervisor.failed
    assert list(supervisor.down) == ["committer"]
    await supervisor.close(1.0)


async def test_close_cancels_what_does_not_end() -> None:
    supervisor = Supervisor(pause_s=0.0)
    supervisor.watch("http", Work(0))
    await settle()
    await supervisor.close(0.0)
    assert supervisor.tasks["http"].cancelled()


async def test_periodic_work_survives_errors_but_not_too_many_in_a_row() -> None:
    outcomes = [False] * (FAILURES_IN_A_ROW - 1) + [True] + [False] * FAILURES_IN_A_ROW
    done: list[bool] = []

    def act() -> None:
        done.append(outcomes[len(done)])
        if not done[-1]:
            raise RuntimeError("a bug")

    with capture_logs() as logged, pytest.raises(RuntimeError, match="a bug"):
        async with asyncio.timeout(5):
            await every(0.0, act)
    assert done == outcomes
    assert [line["event"] for line in logged] == ["periodic_work_failed"] * (
        2 * FAILURES_IN_A_ROW - 2
    )
