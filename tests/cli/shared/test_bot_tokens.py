"""Tests for the folder with the tokens of a server's resident bots."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from doublecross.cli.shared.server_files.bot_tokens import token_folder


def test_tokens_are_kept_beside_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    beside = tmp_path / "var" / "games.db.bots"
    assert token_folder("var/games.db") == beside
    assert token_folder(f"sqlite+aiosqlite:///{tmp_path}/var/games.db") == beside
    one, other, again = (
        token_folder(f"postgresql://{who}@host/{name}")
        for who, name in (("ann:secret", "a"), ("ann:secret", "b"), ("ann:changed", "a"))
    )
    assert one == again != other
    assert tmp_path / "state" in one.parents
    assert "secret" not in str(one)
    assert token_folder("postgresql+asyncpg://ann@host/a") == one
    assert token_folder("postgres://ann@host/a") == one


def test_tokens_stay_where_an_earlier_version_kept_them(tmp_path: Path) -> None:
    # It took the name of the driver into account.
    url = "postgresql+asyncpg://ann@host/a"
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    earlier = token_folder("postgresql://ann@host/a").with_name(digest)
    assert token_folder(url) != earlier
    earlier.mkdir(parents=True)
    assert token_folder(url) == earlier
