"""Run the checks of the board's modules that need no browser, with samples of all games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.board.conftest import samples
from tests.client.web.harness.node import run


@pytest.mark.processes
def test_the_board_without_a_browser(tmp_path: Path) -> None:
    file = tmp_path / "samples.json"
    file.write_bytes(samples())
    run(Path(__file__).with_name("pure.mjs"), BOARD_SAMPLES=str(file))
