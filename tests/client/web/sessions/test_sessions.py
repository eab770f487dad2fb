"""Replay the recorded sessions in the Python client, as `core/sessions.test.mjs` does in the page.

Both must do what the files say, so a change of one of them alone fails.
"""

from __future__ import annotations

import json

import pytest

from tests.client.web.sessions.dump import Flat
from tests.client.web.sessions.record import FOLDER
from tests.client.web.sessions.replay import Replay, merged
from tests.client.web.sessions.scenes import SCENES

FILES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
DID = ("id", "sent", "updates", "answers")


def test_each_scene_has_its_file() -> None:
    assert sorted(SCENES) == FILES, "run python -m tests.client.web.sessions.record"
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 350_000


@pytest.mark.parametrize("name", FILES)
def test_the_python_client_follows(name: str) -> None:
    replay = Replay()
    expected: Flat = {}
    for number, line in enumerate((FOLDER / f"{name}.jsonl").read_text().splitlines(), 1):
        step = json.loads(line)
        did = replay.step(step)
        expected = merged(expected, step)
        assert did.pop("dump") == expected, f"line {number}: {step['do']}"
        assert did == {key: step[key] for key in DID if key in step}, f"line {number}"
