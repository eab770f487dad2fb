"""Check that the server plays the documented example session exactly as written."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from doublecross.protocol.codec import ANSWERS, JsonCodec
from tests.protocol.example_session import (
    Bindings,
    Mismatch,
    Step,
    read_steps,
    replay,
    running_server,
)


async def test_the_server_plays_the_example_session() -> None:
    async with running_server() as server:
        bindings = await replay(read_steps(), server)
    values = bindings.values
    assert values["left 5"] == 60_000 - values["took 5"]
    assert values["left 7"] == values["left 5"] - values["took 7"]
    assert values["Ann's token"] != values["Ben's token"]
    assert values["start"] <= values["end"]


def broken(steps: list[Step], kind: str, **change: Any) -> list[Step]:
    """Return the steps with another value in the first received message of that type."""
    changed = copy.deepcopy(steps)
    heard = next(s["hears"] for s in changed if "hears" in s and s["hears"]["type"] == kind)
    for name, value in change.items():
        if value is ...:
            del heard[name]
        else:
            heard[name] = value
    return changed


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("error", {"code": "stale_ply"}),
        ("move", {"scores": [0, 1]}),
        ("match_started", {"clock_ms": ...}),
        ("match_finished", {"extra": None}),
        ("record", {"game_id": "<epoch>-1"}),
        ("seated", {"seat": True}),
    ],
)
async def test_the_replay_detects_a_different_answer(kind: str, change: dict[str, Any]) -> None:
    async with running_server() as server:
        with pytest.raises(Mismatch):
            await replay(broken(read_steps(), kind, **change), server)


async def test_the_replay_detects_an_additional_answer() -> None:
    steps = read_steps()
    last = max(i for i, step in enumerate(steps) if step.get("who") == "Ann" and "hears" in step)
    async with running_server() as server:
        with pytest.raises(Mismatch, match="hears more"):
            await replay([*steps[:last], *steps[last + 1 :]], server)


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([1], [1, 2]),
        (["<x>", "<x>"], [1, 2]),
        (["<x>", "<x>-1"], ["r", "s-1"]),
        (["<x>-<y>", "<y>"], ["r-1", "2"]),
        ("<x>-1", 1),
        ("<x>", None),
    ],
)
def test_bindings_detect_every_difference(template: Any, found: Any) -> None:
    with pytest.raises(Mismatch):
        Bindings().match(template, found)


def test_bindings_bind_a_value_at_its_first_occurrence() -> None:
    bindings = Bindings()
    bindings.match(["<x>", "<x>-1", "[<x>] <y>"], ["r", "r-1", "[r] 12"])
    assert bindings.values == {"x": "r", "y": "12"}
    assert bindings.fill({"room": "<x>", "text": "<x>/<y>"}) == {"room": "r", "text": "r/12"}


def test_every_line_is_a_message_of_the_protocol() -> None:
    """Requests are checked as they are, answers with any values for their placeholders."""

    def filled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: filled(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return tuple(filled(v, key) for v in value)
        if isinstance(value, str) and value.startswith("<") and value.endswith(">"):
            return 7 if key in ("at", "started_at", "clock_ms", "elapsed_ms") else "x"
        return "x-1" if value == "<room>-1" else value

    requests = 0
    for step in read_steps():
        if "says" in step:
            JsonCodec().decode_request(json.dumps(filled(step["says"])))
            requests += 1
        elif "hears" in step:
            ANSWERS.validate_python(filled(step["hears"]), extra="forbid")
    assert requests > 10
