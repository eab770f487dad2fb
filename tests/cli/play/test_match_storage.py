"""Check what `match` says while the server cannot store moves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from doublecross.bots.runner.config import STORAGE_SENTENCES
from tests.chaos.servers import EVERYTHING, ForkedServer
from tests.cli.commands import DEADLINE_S, PROGRAM, environment


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is Linux's")
def test_a_full_disk_is_told_once_and_so_is_its_end(tmp_path: Path) -> None:
    games = ("--games", "20", "--size", "9x9", "--seed", "1", "--verbose")
    with (
        ForkedServer(tmp_path) as server,
        subprocess.Popen(
            [*PROGRAM, "match", "random", "random", "--server", server.url, *games],
            cwd=tmp_path,
            env=environment(XDG_STATE_HOME=str(tmp_path)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as match,
    ):
        assert match.stdout is not None
        assert match.stderr is not None
        assert any(line.startswith("Room ") for line in iter(match.stdout.readline, ""))
        server.let_files_grow(0)
        lines = iter(match.stderr.readline, "")
        assert next(line for line in lines if "store" in line).strip() == STORAGE_SENTENCES[False]
        server.let_files_grow(EVERYTHING)
        assert next(line for line in lines if "store" in line).strip() == STORAGE_SENTENCES[True]
        match.terminate()
        _, errors = match.communicate(timeout=DEADLINE_S)
        assert "store" not in errors
