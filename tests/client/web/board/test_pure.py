"""Run the checks of the board's modules that need no browser, with samples of all games."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.client.web.board.conftest import samples
from tests.client.web.harness.node import NEED

HERE: Final = Path(__file__).parent
HOOKS: Final = HERE.parents[2] / "node" / "page.mjs"


@pytest.mark.processes
def test_the_board_without_a_browser(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        reason = "There is no Node.js: apt-get install nodejs npm"
        if os.environ.get(NEED):
            pytest.fail(f"{reason} ({NEED} is set)", pytrace=False)
        pytest.skip(reason)
    file = tmp_path / "samples.json"
    file.write_bytes(samples())
    done = subprocess.run(
        [node, "--import", str(HOOKS), "--test-reporter=spec", str(HERE / "pure.mjs")],
        env={**os.environ, "BOARD_SAMPLES": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0" not in done.stdout
