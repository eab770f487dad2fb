"""Make rows for the tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.storage import Batch, GameRow, JournalEntry
from doublecross.server.store.sql import SqlStore
from doublecross.server.store.sqlite.writer import SqliteWriter

GAME: Final = GameRow(
    game_id="g1",
    room="r1",
    match=2,
    game="dots_and_boxes",
    size="5x5",
    players=("Ann", "Bob"),
    engines=("", "rules 1"),
    rated=True,
    private=False,
    time_control="60+1",
    started_ms=1_700_000_000_000,
    finished_ms=1_700_000_060_000,
    termination="normal",
    result="1-0",
    winner=0,
    scores=(13, 12),
    plies=60,
    record="the record\n",
)
PLAYER: Final = PlayerRow(
    "Ann", "human", "", "", b"\x00" * 31 + b"\xff", 1_700_000_000_000, account_id="a1"
)


def game(game_id: str, **changes: Any) -> GameRow:
    return replace(GAME, game_id=game_id, **changes)


def entry(entry_id: int, frames: bytes = b"frames") -> JournalEntry:
    return JournalEntry(entry_id, 1_700_000_000_000 + entry_id, frames)


def batch(entry_id: int, frames: bytes = b"frames") -> Batch:
    """Return a batch with a single entry, which the store writes in one statement."""
    return Batch(entry(entry_id, frames))


def full_batch(entry_id: int, frames: bytes = b"frames") -> Batch:
    """Return a batch with an entry, a game with the id `str(entry_id)` and a player."""
    return Batch(entry(entry_id, frames), [game(str(entry_id))], [PLAYER])


async def run_sql(store: SqlStore, sql: str) -> None:
    """Execute SQL on the connection that writes to the SQLite file of this store."""
    writer = store._database._writer
    assert isinstance(writer, SqliteWriter)
    await writer._jobs().do(lambda: writer._opened().execute(sql).close())
