"""Tests for saving a server in one file and restoring it elsewhere."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import stat
import tarfile
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.server.store.whole import archive


def run(line: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command; return its exit code and what it printed."""
    capfd.readouterr()
    code = main(line.split())
    printed, complaint = capfd.readouterr()
    return code, printed + complaint


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A small database with the tables of a server, and the token of one resident beside it."""
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as made:
        for table in ("journal", "players", "games"):
            made.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY)")
        made.execute("INSERT INTO journal VALUES (7)")
        made.commit()
    folder = tmp_path / "games.db.bots"
    folder.mkdir()
    (folder / "rules.json").write_text('{"token": "secret"}')
    (folder / "rules.lock").touch()
    return path


def test_the_restored_server_starts_with_the_command_that_is_printed(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = database.with_name("games.db.bots")
    for name in ("rules-2", "easy", "my-own"):
        (folder / f"{name}.json").write_text(json.dumps({"name": name, "token": "secret"}))
    file = database.parent / "saved.tar"
    assert run(f"backup {file} --database {database}", capfd)[0] == 0
    restored = database.parent / "new.db"
    code, said = run(f"restore {file} --database {restored}", capfd)
    assert code == 0
    assert said.splitlines()[1:] == [
        f"Start the server: doublecross serve --database {restored} --bots easy,rules",
        "my-own was a bot of this server too: add module:Class to --bots.",
        "Add the other options that it had, such as --host.",
    ]


# -- what is in the file -----------------------------------------------------------------------


def save(database: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    file = database.parent / "saved.tar"
    code, said = run(f"backup {file} --database {database}", capfd)
    assert (code, said.strip()) == (0, f"Saved the database and the tokens of 1 bot in {file}.")
    return file


def test_a_backup_is_for_its_owner_only_and_has_tokens_but_no_locks(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = save(database, capfd)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with tarfile.open(file) as found:
        assert found.getnames() == ["backup.json", "database", "bots/rules.json"]
    # Nothing else is left in the folder, neither a copy nor a part of one.
    assert {path.name for path in database.parent.iterdir()} == {
        *("games.db", "games.db.bots", "saved.tar"),
    }


def test_what_is_not_yet_in_the_main_file_is_saved_too(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(sqlite3.connect(database)) as server:
        server.execute("PRAGMA journal_mode=WAL")
        server.execute("INSERT INTO journal VALUES (8)")
        server.commit()
        assert database.with_name("games.db-wal").stat().st_size
        # A transaction that is open does not disturb, and is not part of it.
        server.execute("INSERT INTO journal VALUES (9)")
        file = save(database, capfd)
    restored = database.parent / "elsewhere" / "new.db"
    assert run(f"restore {file} --database {restored}", capfd)[0] == 0
    with contextlib.closing(sqlite3.connect(restored)) as found:
        assert found.execute("SELECT id FROM journal").fetchall() == [(7,), (8,)]
    token = restored.with_name("new.db.bots") / "rules.json"
    assert token.read_text() == '{"token": "secret"}'
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


def test_a_backup_never_replaces_the_database(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = database.read_bytes()
    link = database.with_name("link.tar")
    link.symlink_to(database)
    for name in (database, link):
        code, said = run(f"backup {name} --database {database} --replace", capfd)
        assert code == 2
        assert "is the database itself" in said
    assert database.read_bytes() == before


def test_a_backup_is_no_stream(database: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = run(f"backup - --database {database}", capfd)
    assert (code, said.partition(".")[0]) == (2, "Error: A backup cannot go to standard output")


def test_an_old_backup_is_replaced_only_when_asked(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = save(database, capfd)
    before = file.read_bytes()
    assert run(f"backup {file} --database {database}", capfd) == (
        2,
        f"Error: {file} exists already. Choose another name, or add --replace.\n",
    )
    assert file.read_bytes() == before
    assert run(f"backup {file} --database {database} --replace", capfd)[0] == 0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.db", "There is no database"),
        ("text.db", "file is not a database"),
        ("other.db", "is not a database of Doublecross"),
        ("mysql://host/name", "cannot be backed up"),
        ("no address://", "address of the database is invalid"),
    ],
)
def test_what_cannot_be_saved(
    name: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.db").write_text("no database at all" * 100)
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as made:
        made.execute("CREATE TABLE shopping (what TEXT)")
    given = name if "://" in name else str(tmp_path / name)
    assert main(["backup", str(tmp_path / "saved.tar"), "--database", given]) != 0
    complaint = capfd.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1
    assert not (tmp_path / "saved.tar").exists()


# -- what is restored --------------------------------------------------------------------------


@pytest.mark.parametrize("taken", ["new.db", "new.db-wal", "new.db.bots/rules.json"])
def test_nothing_is_overwritten(
    taken: str, database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = save(database, capfd)
    there = database.parent / taken
    there.parent.mkdir(exist_ok=True)
    there.write_text("precious")
    code, said = run(f"restore {file} --database {database.parent}/new.db", capfd)
    assert code == 2
    assert "exists already" in said
    assert there.read_text() == "precious"


def changed(file: Path, name: str, content: bytes | None) -> None:
    """Replace, add or (None) remove one member of a backup."""
    with tarfile.open(file) as old:
        members = {m.name: old.extractfile(m).read() for m in old}  # type: ignore[union-attr]
    if content is None:
        del members[name]
    else:
        members[name] = content
    with tarfile.open(file, "w") as new:
        for member, text in members.items():
            header = tarfile.TarInfo(member)
            header.size = len(text)
            new.addfile(header, io.BytesIO(text))


def contents(**different: object) -> bytes:
    sums = {"database": "0" * 64}
    known = {"format": 1, "kind": "sqlite", "created": "2026", "sha256": sums}
    return json.dumps(known | different).encode()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("database", b"another", "is damaged"),
        ("bots/rules.json", None, "is damaged"),
        ("backup.json", contents(sha256={"database": "", "bots/../../x": ""}), "is damaged"),
        ("backup.json", contents(sha256={"database": "", "/etc/passwd": ""}), "is damaged"),
        ("backup.json", contents(format=3), "newer version"),
        ("backup.json", contents(sha256=[]), "not a backup"),
        ("backup.json", b"[1]", "not a backup"),
        ("backup.json", None, "not a backup"),
    ],
)
def test_a_backup_that_changed_is_refused_and_nothing_is_written(
    name: str,
    content: bytes | None,
    says: str,
    database: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    file = save(database, capfd)
    changed(file, name, content)
    before = sorted(database.parent.iterdir())
    code, said = run(f"restore {file} --database {database.parent}/new.db", capfd)
    assert code == 2
    assert says in said
    assert said.count("\n") == 1
    assert sorted(database.parent.iterdir()) == before


def test_a_cut_or_missing_backup_is_refused(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = save(database, capfd)
    file.write_bytes(file.read_bytes()[:2000])
    where = f"--database {database.parent}/new.db"
    assert run(f"restore {file} {where}", capfd)[0] == 2
    assert "There is no file" in run(f"restore {file}.missing {where}", capfd)[1]
    assert not (database.parent / "new.db").exists()


def test_a_backup_goes_back_to_the_same_kind_of_database(
    database: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = save(database, capfd)
    code, said = run(f"restore {file} --database postgresql://host/name", capfd)
    assert (code, "can only be restored to" in said) == (2, True)


def test_a_full_disk_leaves_no_half_backup(
    database: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "write", full)
    file = database.parent / "saved.tar"
    code, said = run(f"backup {file} --database {database}", capfd)
    assert (code, said) == (1, f"Error: {file} cannot be written: No space left on device.\n")
    assert not file.exists()


def test_the_password_of_postgresql_is_not_in_the_list_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "pg_dump"
    program.write_text('#!/bin/sh\necho "$PGPASSWORD $*" >&2\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    url = "postgresql+asyncpg://ann:secret@host/name"
    code, said = run(f"backup {tmp_path}/saved.tar --database {url}", capfd)
    assert code == 1
    assert "secret --dbname postgresql://ann@host/name --no-password" in said
