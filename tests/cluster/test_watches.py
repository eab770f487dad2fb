"""Several committers share the service time of their node."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from doublecross.server.cluster import watches
from doublecross.server.cluster.watches import SharedWatch, check_troubled
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.store import FakeStore


class Noted:
    """Note what the watch of the node is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.works = asyncio.Event()

    def commit_began(self) -> None:
        self.told.append("began")

    def commit_ended(self) -> None:
        self.told.append("ended")

    def storage_works(self, works: bool) -> None:
        self.told.append("works" if works else "fails")
        if works:
            self.works.set()

    def take(self) -> list[str]:
        told, self.told = self.told, []
        return told


def test_the_oldest_commit_counts_and_any_failure() -> None:
    noted = Noted()
    shared = SharedWatch(noted)
    one, two = shared.of_log(), shared.of_log()
    one.commit_began()
    two.commit_began()
    two.commit_ended()
    assert noted.take() == ["began"]
    two.commit_began()
    one.commit_ended()
    assert noted.take() == ["ended", "began"]
    two.commit_ended()
    assert noted.take() == ["ended"]

    one.storage_works(False)
    two.storage_works(False)
    one.storage_works(True)
    assert noted.take() == ["fails"]
    two.commit_began()
    two.close()
    two.storage_works(False)
    two.commit_began()
    assert noted.take() == ["began", "ended", "works"]
    silent = SharedWatch(None).of_log()
    silent.commit_began()
    silent.storage_works(False)
    silent.close()


async def test_a_log_in_which_nobody_plays_does_not_fail_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watches, "CHECK_S", 0.001)
    noted = Noted()
    time = replace(TimeSource.simple(lambda: 0), watch=SharedWatch(noted).of_log())
    committer = Committer(FakeStore(), 0, time)
    committer.writer._fails(RuntimeError("no disk"))
    assert committer.writer.trouble == "no disk"
    task = asyncio.ensure_future(check_troubled(committer))
    async with asyncio.timeout(5):
        await noted.works.wait()
    assert not committer.writer.trouble
    task.cancel()
    assert noted.take() == ["fails", "works"]
