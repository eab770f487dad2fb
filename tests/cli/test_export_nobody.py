"""An export of the games of a name that nobody has says so, from a server and from a database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.protocol.wire import serving


async def test_an_export_refuses_a_player_who_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as server:
        http = server.addresses.http
        capsys.readouterr()  # what the server printed
        line = ["export", "--server", http, "--player", "nobody else"]
        assert await asyncio.to_thread(main, line) == 2
        sentence = "There is no player nobody else."
        assert capsys.readouterr() == ("", f"Error: The server at {http} answers: {sentence}\n")
        assert await asyncio.to_thread(main, ["export", "--server", http]) == 0
        assert capsys.readouterr() == ("", "No finished public game is like that.\n")
    capsys.readouterr()
    line = ["export", "--database", str(tmp_path / "games.db"), "--player", "nobody else"]
    assert await asyncio.to_thread(main, line) == 2
    assert capsys.readouterr() == ("", f"Error: {sentence}\n")
