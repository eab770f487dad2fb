"""Record the sessions of the client in Python once for all tests here."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.client.web.sessions.scenes import SCENES


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the session of each scene, a step on each line."""
    folder = tmp_path_factory.mktemp("recorded")
    # With this factory the runner leaves the loop of the other tests in its place.
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        for name, scene in SCENES.items():
            recorder = runner.run(scene())
            recorder.world.crash()
            lines = (json.dumps(line, separators=(",", ":")) + "\n" for line in recorder.lines)
            (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return folder
