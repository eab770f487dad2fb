"""Check that everything that a killed server had acknowledged is in the database."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from doublecross.server.store.sql import SqlStore, database_url
from tests.server.store.committer import committing


@pytest.mark.processes
async def test_what_was_acknowledged_survives_sigkill(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    last = 0
    for acknowledged in (1, 37, 53, 160):  # The number of entries that are written before the kill.
        process = committing(database, tmp_path / "errors.txt")
        lines = [process.stdout.readline() for _ in range(acknowledged)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        assert process.wait() == -9
        process.stdout.close()
        ids = [int(line) for line in lines if line.endswith("\n")]
        assert ids[0] == last + 1
        assert ids == list(range(ids[0], ids[0] + len(ids)))

        store = await SqlStore.open(database_url(str(database)))
        last = await store.last_entry_id()
        assert last in (ids[-1], ids[-1] + 1)  # One entry may be stored but not acknowledged.
        found = {entry.entry_id: entry.frames async for entry in store.journal()}
        assert all(found[number] == bytes([number % 256]) * 3000 for number in found)
        # What it deletes at each 50 is up to 41 below that.
        kept_from = last // 50 * 50 - 40 if last >= 50 else 1
        assert set(range(max(1, kept_from), last + 1)) <= set(found)
        for number in range(1, last + 1):
            assert (await store.game(str(number)) is not None) == (number % 3 == 0)
        await store.close()
