"""Checking a database says whether a server could open it, and changes nothing."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from doublecross.server.core.storage import StoreError
from doublecross.server.store import checking
from doublecross.server.store.checking import check_database
from doublecross.server.store.sql import SqlStore, database_url


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


async def _refusal(database: str) -> str:
    with pytest.raises(StoreError) as caught:
        await check_database(database)
    return str(caught.value)


async def test_a_database_is_right_before_while_and_after_a_server_uses_it(tmp_path: Path) -> None:
    file = tmp_path / "games #1%.db"
    await check_database(str(file))
    await check_database(str(tmp_path / "new" / "folder" / "games.db"))
    assert _files(tmp_path) == {}
    store = await SqlStore.open(database_url(str(file)))
    await check_database(str(file))
    await check_database(database_url(str(file)))
    await store.close()
    before = _files(tmp_path)
    await check_database(str(file))
    assert _files(tmp_path) == before
    # A newer version is found, also as long as it stands in the write-ahead log only.
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
        connection.commit()
        assert "newer version of Doublecross" in await _refusal(str(file))
    assert "newer version of Doublecross" in await _refusal(str(file))


async def test_what_is_no_database_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text("a text that is no database " * 50)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("create table x (y)")
    before = _files(tmp_path)
    assert "file is not a database" in await _refusal(str(tmp_path / "text.txt"))
    assert "tables of another program" in await _refusal(str(tmp_path / "other.db"))
    assert (await _refusal(str(tmp_path))).endswith("it is a folder.")
    assert (await _refusal(str(tmp_path / "text.txt" / "games.db"))).endswith("is no folder.")
    assert "there is no folder" in await _refusal(f"sqlite:///{tmp_path}/new/games.db")
    assert "The address of the database is invalid" in await _refusal("postgresql://h:x")
    assert "Use an SQLite file, or PostgreSQL" in await _refusal("mysql://u:secret@h/x")
    # The tests may run as root, for whom everything is writable.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "is not writable" in await _refusal(str(tmp_path / "new.db"))
    assert "is not readable and writable" in await _refusal(str(tmp_path / "other.db"))
    assert _files(tmp_path) == before


async def test_a_database_that_cannot_be_reached_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("asyncpg")
    refused = await _refusal("postgresql://ann:secret@127.0.0.1:1/games")
    assert refused.startswith("The database postgresql+asyncpg://ann:***@127.0.0.1:1/games cannot")
    monkeypatch.setattr(checking, "ANSWER_S", 0.0)
    began = time.monotonic()
    assert "has not answered within 0 s" in await _refusal("postgresql://ann:secret@127.0.0.1:1/x")
    assert time.monotonic() - began < 5
