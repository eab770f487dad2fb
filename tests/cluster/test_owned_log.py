"""The tasks of a log that a node owns."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from doublecross.server.cluster import parts
from doublecross.server.cluster.parts import check_troubled
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.store import FakeStore


class Noted:
    """Note whether the storage works."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self.works = asyncio.Event()

    def storage_works(self, who: object, works: bool) -> None:
        self.told.append(works)
        if works:
            self.works.set()


async def test_a_log_in_which_nobody_plays_does_not_fail_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "CHECK_S", 0.001)
    noted = Noted()
    committer = Committer(FakeStore(), 0, replace(TimeSource.simple(lambda: 0), watch=noted))
    committer.writer._fails(RuntimeError("no disk"))
    assert committer.writer.trouble == "no disk"
    task = asyncio.ensure_future(check_troubled(committer))
    async with asyncio.timeout(5):
        await noted.works.wait()
    assert not committer.writer.trouble
    task.cancel()
    assert noted.told == [False, True]
