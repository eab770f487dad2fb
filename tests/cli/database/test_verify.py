"""Tests that each kind of damage in a database is found, and nothing in a sound one."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from doublecross.cli.main import main
from doublecross.server.store import migrate
from tests.protocol.wire import serving
from tests.server.store.conftest import postgresql_url
from tests.server.store.saved.players import play
from tests.server.store.test_saved import arrive, build, rooms_of

__all__ = ["postgresql_url"]  # a fixture


def run(database: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Run the command; return its exit code and the lines that it printed."""
    capfd.readouterr()
    code = main(["database", "verify", str(database)])
    printed, complaint = capfd.readouterr()
    return code, (printed + complaint).splitlines()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with players, rooms in play, games and a tournament that runs."""
    path = tmp_path_factory.mktemp("built") / "games.db"
    build(path)
    return path


@pytest.fixture
def database(built: Path, tmp_path: Path) -> Path:
    """A copy of that database, which a test may damage."""
    return Path(shutil.copy(built, tmp_path))


def change(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
        connection.commit()


CHECKED = "33 journal entries, 7 unfinished rooms, 5 players, 4 games, 0 reviews, 1 tournament"


def test_a_sound_database_has_no_problems_and_stays_as_it_is(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in database.parent.iterdir()}
    newest = migrate.revisions()[-1]
    assert run(database, capfd) == (
        0,
        [f"Checked {CHECKED} in {database}, revision {newest}.", "No problems."],
    )
    assert {path: path.read_bytes() for path in database.parent.iterdir()} == before


DAMAGES = [
    ("UPDATE games SET record = 'nothing'", "game ", "its record cannot be read", 4),
    (
        "UPDATE games SET plies = 8 WHERE rated AND tournament_id IS NULL",
        "game ",
        "the number of moves 8,",
        2,
    ),
    ("UPDATE games SET score_0 = 7 WHERE NOT rated", "game ", "has the scores 7 and 0, its", 2),
    ("UPDATE games SET result = '1-0' WHERE NOT rated", "game ", "has the result 1-0, its", 3),
    ("UPDATE games SET winner = 0 WHERE NOT rated", "game ", "but its winner is 0", 2),
    ("UPDATE games SET player_0_key = 'A' WHERE NOT rated", "game ", "the keys of its players", 1),
    (
        "UPDATE games SET record = replace(record, 'Ann', 'Eve') WHERE NOT rated",
        "game ",
        "its row has the players Ann and Ben, its record Eve and Ben",
        1,
    ),
    (
        "UPDATE games SET record = replace(record, '1. b3', '1. d3') WHERE rated",
        "game ",
        "its record cannot be read",
        1,
    ),
    (
        "UPDATE games SET private = 1 WHERE NOT private AND NOT rated",
        "game ",
        "it is private, but its room was public",
        1,
    ),
    (
        "UPDATE games SET match = 3, game_id = room || '-3' WHERE NOT rated AND match = 1",
        "game ",
        "-2: its row is missing",
        1,
    ),
    ("UPDATE players SET name_key = 'ANN' WHERE name = 'Ann'", "player Ann:", "its key is", 1),
    ("UPDATE players SET kind = 'cat' WHERE name = 'Ann'", "player Ann:", "unknown kind 'cat'", 1),
    (
        "INSERT INTO accounts VALUES ('gone', NULL, NULL, 0)",
        "account gone:",
        "there is no player with the account gone",
        1,
    ),
    ("DELETE FROM counters WHERE name = 'epoch'", "counter epoch:", "it is missing", 1),
    (
        "UPDATE journal SET frames = x'c1' WHERE entry_id = 30",
        "journal entry 30:",
        "it has no msgpack at byte 0",
        None,
    ),
    ("DELETE FROM journal WHERE entry_id = 8", "room ", "it cannot be replayed", None),
    ("UPDATE pairings SET opening = 'x'", "tournament ", "its rows do not fit", 1),
    ("UPDATE tournaments SET terms = '{}'", "tournament ", "its rows do not fit", 1),
    ("DELETE FROM entrants WHERE number = 0", "tournament ", "its rows do not fit", 2),
    ("UPDATE entrants SET name = 'Zoe' WHERE number = 0", "tournament ", "but others played it", 1),
    ("DELETE FROM pairings", "tournament ", "which is missing", 2),
    ("DELETE FROM tournaments", "tournament ", "its row is missing", 4),
    (
        "DELETE FROM games WHERE finished_ms = (SELECT max(finished_ms) FROM games)",
        "table games:",
        "the number of its rows is 3, but should be 4",
        1,
    ),
    (
        "DELETE FROM journal WHERE entry_id = (SELECT max(entry_id) FROM journal)",
        "table journal:",
        "the number of its rows is 32, but should be 33",
        1,
    ),
    ("DELETE FROM players WHERE name = 'Eve'", "table players:", "is 4, but should be 5", 1),
    (
        "INSERT INTO reviews VALUES ('g1', '1', 3, 0, x'00', x'00')",
        "review of the game g1:",
        "it cannot be unpacked",
        1,
    ),
]


@pytest.mark.parametrize(("damage", "what", "why", "lines"), DAMAGES, ids=[d[0] for d in DAMAGES])
def test_each_damage_is_found(
    damage: str,
    what: str,
    why: str,
    lines: int | None,
    database: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    change(database, damage)
    code, said = run(database, capfd)
    assert code == 1
    *wrong, checked, last = said
    assert any(line.startswith(what) and why in line for line in wrong), wrong
    assert checked.startswith("Checked ")
    assert len(wrong) == lines or lines is None, wrong
    assert last == ("1 problem." if len(wrong) == 1 else f"{len(wrong)} problems.")


def test_a_damaged_file_is_found(database: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = database.read_bytes()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, '(look)', '(kind)')"
            " WHERE name = 'ix_players_look'"
        )
        connection.commit()
    code, said = run(database, capfd)
    assert code == 1
    assert said[-1].endswith("problems.")
    assert all(line.startswith("database file: it is damaged (") for line in said[:-1]), said
    database.write_bytes(whole[:8192] + bytes(8192) + whole[16384:])
    code, said = run(database, capfd)
    assert code == 1
    assert "damaged" in said[0] or "malformed" in said[0], said


async def test_a_server_may_be_running(
    database: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    clock = build(tmp_path / "for-the-time.db")
    async with serving(tmp_path, now=clock) as server:
        people = await arrive(server, ("Ann", "Ben"), bots=False)
        _, playing = await rooms_of(people["Ann"])
        await play(people, playing)
        code, said = await asyncio.to_thread(run, database, capfd)
        assert (code, said[-1]) == (0, "No problems.")
        for player in people.values():
            await player.close()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.db", "There is no database"),
        ("text.db", "file is not a database"),
        ("other.db", "contains the tables of another program"),
        ("too-old.db", "is too old for this version of Doublecross"),
        ("mysql://host/name", "of the kind mysql cannot be used"),
        ("postgresql://127.0.0.1:1/name", "cannot be read"),
    ],
)
def test_what_cannot_be_checked(
    name: str, says: str, database: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.db").write_text("no database at all" * 100)
    with closing(sqlite3.connect(tmp_path / "other.db")) as made:
        made.execute("CREATE TABLE shopping (what TEXT)")
    database.rename(tmp_path / "too-old.db")
    change(tmp_path / "too-old.db", "UPDATE alembic_version SET version_num = '0006'")
    assert main(["database", "verify", name if "://" in name else str(tmp_path / name)]) == 2
    complaint = capfd.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1


async def test_a_postgresql_database_is_checked_too(
    database: Path,
    postgresql_url: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert await asyncio.to_thread(main, ["database", "copy", str(database), postgresql_url]) == 0
    capfd.readouterr()
    assert await asyncio.to_thread(main, ["database", "verify", postgresql_url]) == 0
    assert f"Checked {CHECKED} in postgresql" in capfd.readouterr().out
    engine = create_async_engine(postgresql_url)
    async with engine.begin() as connection:
        await connection.execute(sa.text("UPDATE games SET plies = 99 WHERE NOT rated"))
    await engine.dispose()
    assert await asyncio.to_thread(main, ["database", "verify", postgresql_url]) == 1
    assert "the number of moves 99, its record 0" in capfd.readouterr().out


TO_LOGS = (
    "INSERT INTO logs VALUES ('solo', 1, NULL, 0, 33), ('leader', 1, NULL, 0, 0)",
    "INSERT INTO log_entries SELECT 'solo', entry_id, at_ms, frames FROM journal",
    "DELETE FROM journal",
    "UPDATE row_counts SET counted = 0 WHERE table_name = 'journal'",
)


def test_the_logs_of_a_cluster(database: Path, capfd: pytest.CaptureFixture[str]) -> None:
    change(database, *TO_LOGS)
    code, said = run(database, capfd)
    counts = "0 journal entries, 2 logs, 33 entries of logs, 7 unfinished rooms, 5 players"
    assert code == 0, said
    assert said[0].startswith(f"Checked {counts}, 4 games, ")
    change(
        database,
        "UPDATE log_entries SET frames = x'c1' WHERE entry_id = (SELECT max(entry_id) FROM"
        " log_entries)",
        "INSERT INTO log_entries VALUES ('leader', 1, 0, x'80')",
        "INSERT INTO log_entries SELECT 'aaab', entry_id, at_ms, frames FROM log_entries"
        " WHERE log = 'solo' AND entry_id = (SELECT min(entry_id) FROM log_entries)",
    )
    code, said = run(database, capfd)
    assert code == 1
    text = "\n".join(said)
    assert "log leader: the number of its entries is 1, but should be 0. Moves of" in text
    assert "log aaab: its row is missing. No process of a cluster runs its rooms" in text
    assert ": it is in several logs, or in a log and in the journal. " in text
    assert "entry of the log solo " in text
    assert "entry of the log leader 1: it cannot be read ('type'). Its owner can post" in text
    change(database, "DELETE FROM log_entries WHERE log <> 'aaab'")
    code, said = run(database, capfd)
    text = "\n".join(said)
    assert ": it is in the log aaab, to which it does not belong. Nobody can play in it" in text
