"""Jobs run in order in one thread, whoever waits for them."""

from __future__ import annotations

import asyncio
import threading

import pytest

from doublecross.server.store.sqlite.writer import JobThread


async def test_jobs_run_in_order_in_one_thread_and_answer() -> None:
    log: list[object] = []
    after: list[int] = []
    thread = JobThread("jobs", lambda: after.append(len(log)))

    def job(number: int) -> int:
        log.append((number, threading.current_thread().name))
        return -number

    def bug() -> None:
        raise ValueError("no")

    first, failed, last = thread.do(job, 1), thread.do(bug), thread.do(job, 2)
    async with asyncio.timeout(5):
        assert await last == -2
        assert await first == -1
        with pytest.raises(ValueError, match="no"):
            await failed
        assert log == [(1, "jobs"), (2, "jobs")]
        # The last job's answer comes before what is done after it.
        await thread.do(lambda: None)
    assert after[:3] == [1, 1, 2]
    thread.end()
    thread._thread.join(5)
    assert not thread._thread.is_alive()


async def test_a_job_that_nobody_waits_for_runs_all_the_same() -> None:
    thread, go, log = JobThread("jobs"), threading.Event(), list[str]()
    running = thread.do(go.wait, 5)
    cancelled = thread.do(log.append, "cancelled")
    failing = thread.do(lambda: 1 // 0)
    running.cancel()
    cancelled.cancel()
    failing.cancel()
    go.set()
    async with asyncio.timeout(5):
        await thread.do(log.append, "later")
    assert log == ["cancelled", "later"]
    thread.end()


def test_an_event_loop_that_has_ended_does_not_end_the_thread() -> None:
    thread, go = JobThread("jobs"), threading.Event()
    log: list[int] = []

    async def leave() -> None:
        thread.do(go.wait, 5)
        thread.do(log.append, 1)

    asyncio.run(leave())
    go.set()
    thread.end()
    thread._thread.join(5)
    assert log == [1]
    assert not thread._thread.is_alive()
