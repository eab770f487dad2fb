"""Check that reports of games are stored, replaced and bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from doublecross.server.core.storage import DatabaseTakenError, ReviewRow
from doublecross.server.store.sql import SqlStore

ROW = ReviewRow("g1", "1.1", 60, bytes(range(256)), b"\x00packed", 1_700_000_000_000)


async def test_a_report_is_read_back_by_another_server(url: str) -> None:
    store = await SqlStore.open(url)
    assert await store.review("g1") is None
    await store.add_review(ROW, keep=9)
    await store.close()
    store = await SqlStore.open(url)
    assert await store.review("g1") == ROW
    await store.close()


async def test_a_newer_report_replaces_an_older_one(store: SqlStore) -> None:
    await store.add_review(ROW, keep=9)
    newer = replace(ROW, version="1.2", text=b"better", made_ms=ROW.made_ms + 5)
    await store.add_review(newer, keep=9)
    assert await store.review("g1") == newer


async def test_the_oldest_reports_go_first(store: SqlStore) -> None:
    for number, age in enumerate((5, 3, 9, 1)):
        row = replace(ROW, game_id=f"g{number}", made_ms=ROW.made_ms - age)
        await store.add_review(row, keep=3)
    found = [await store.review(f"g{number}") is not None for number in range(4)]
    assert found == [True, True, False, True]
    await store.add_review(replace(ROW, game_id="g4", made_ms=ROW.made_ms), keep=1)
    found = [await store.review(f"g{number}") is not None for number in range(5)]
    assert found == [False, False, False, False, True]


async def test_a_server_that_was_replaced_stores_no_report(store: SqlStore, url: str) -> None:
    raised = sa.text("UPDATE counters SET value = value + 1 WHERE name = 'epoch'")
    await store._database.write([(raised, [{}])])
    with pytest.raises(DatabaseTakenError):
        await store.add_review(ROW, keep=9)
    assert await store.review("g1") is None
