"""Reads of SQLite in threads."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.store.sql import SqlStore, database_url


async def test_a_read_comes_back_to_the_event_loop_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(database_url(str(tmp_path / "games.db")))
    assert await store.players_like("Ann", "ann") == []
    loop, returns = asyncio.get_running_loop(), 0
    call = loop.call_soon_threadsafe

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal returns
        returns += 1
        return call(*args, **options)

    monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
    assert await store.players_like("Ann", "ann") == []
    assert returns == 1
    await store.close()
