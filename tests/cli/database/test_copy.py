"""Tests for the commands that copy and upgrade databases."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.server.store import migrate
from tests.server.store.later import LATER, add_revision
from tests.server.store.test_saved import build


def run(line: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command; return its exit code and what it printed."""
    capfd.readouterr()
    code = main(["database", *line.split()])
    printed, complaint = capfd.readouterr()
    return code, printed + complaint


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database, and the token of a bot beside it."""
    path = tmp_path / "old.db"
    build(path)
    folder = tmp_path / "old.db.bots"
    folder.mkdir()
    (folder / "rules.json").write_text(json.dumps({"name": "rules", "token": "secret"}))
    return path


def test_a_database_is_upgraded_and_copied_with_the_tokens_of_its_bots(
    old: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = migrate.revisions()[-1]
    add_revision(old.parent, monkeypatch)
    new = old.parent / "folder" / "new.db"
    code, said = run(f"copy {old} {new}", capfd)
    assert (code, said.count("\n")) == (2, 1)
    assert f"Upgrade it first: doublecross database upgrade {old}" in said
    assert not list(new.parent.glob("*.bots/*"))
    code, said = run(f"upgrade {old}", capfd)
    assert code == 0
    assert f"Upgraded the database {old} from revision {before} to {LATER}." in said
    assert "is up to date" in run(f"upgrade {old}", capfd)[1]
    code, said = run(f"copy {old} {new}", capfd)
    assert code == 0, said
    assert "  games                   4  checksum " in said
    assert f"Start the server: doublecross serve --database {new} --bots rules" in said
    token = new.with_name("new.db.bots") / "rules.json"
    assert json.loads(token.read_text())["token"] == "secret"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700
    code, said = run(f"copy {old} {new}", capfd)
    assert (code, "new.db.bots exists already" in said) == (2, True)
    assert "secret" in token.read_text()


BAD = {
    "copy old.db": "Missing argument",
    "copy missing.db new.db": "There is no database missing.db.",
    "copy text.db new.db": "file is not a database",
    "copy old.db taken.db": "taken.db.bots exists already",
    "copy old.db mysql://host/name": "of the kind mysql cannot be used",
    "copy old.db ://x": "address of the database is invalid",
    "upgrade missing.db": "There is no database missing.db.",
    "upgrade empty.db": "The database empty.db is empty.",
    "upgrade old.db": "The database is too old for this version of Doublecross",
}


def test_bad_input_gets_one_sentence_and_leaves_nothing(
    old: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(old.parent)
    Path("text.db").write_text("no database at all" * 100)
    Path("empty.db").touch()
    with closing(sqlite3.connect("old.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
    Path("taken.db.bots").mkdir()
    Path("taken.db.bots/rules.json").write_text("{}")
    for line, says in BAD.items():
        code, said = run(line, capfd)
        assert (code, said.count("\n")) == (2, 1), line
        assert says in said
        assert not Path("new.db").exists()
        assert not Path("new.db.bots").exists()
