"""Check what the host reads when a database and the tokens of bots do not belong together."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from doublecross.cli.serve.tokens_check import wrong_tokens
from tests.server.store.test_saved import build


def test_a_new_database_beside_old_tokens_and_the_reverse(tmp_path: Path) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "games.db.bots"
    folder.mkdir()
    assert wrong_tokens(str(path), folder, ["rules"]) is None
    token = folder / "rules.json"
    token.write_text("{}")
    said = wrong_tokens(str(path), folder, [])
    assert said is not None
    assert f"{path} is new, but {folder} has the tokens of another one" in said
    assert not path.exists()
    build(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        (bot,) = connection.execute("SELECT name FROM players WHERE kind = 'bot'").fetchone()
    assert wrong_tokens(str(path), folder, [bot]) is None
    token.unlink()
    assert wrong_tokens(str(path), folder, ["another"]) is None
    said = wrong_tokens(str(path), folder, [bot])
    assert said is not None
    assert f"knows {bot}, but their tokens are not in {folder}" in said
