"""Check that the server plays the documented example session exactly as written."""

from __future__ import annotations

import json
from typing import Any

from doublecross.protocol.codec import ANSWERS, JsonCodec
from tests.protocol.example_session import (
    read_steps,
    replay,
    running_server,
)


async def test_the_server_plays_the_example_session() -> None:
    async with running_server() as server:
        bindings = await replay(read_steps(), server)
    values = bindings.values
    assert values["left 5"] == 60_000  # a person's first move is free
    assert values["left 7"] == values["left 5"] - values["took 7"]
    assert values["Ann's token"] != values["Ben's token"]
    assert values["start"] <= values["end"]


def test_every_line_is_a_message_of_the_protocol() -> None:
    """Requests are checked as they are, answers with any values for their placeholders."""

    def filled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: filled(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return tuple(filled(v, key) for v in value)
        if isinstance(value, str) and value.startswith("<") and value.endswith(">"):
            return (
                7
                if key in ("at", "started_at", "clock_ms", "elapsed_ms", "first_move_in_ms")
                else "x"
            )
        return "x-1" if value == "<room>-1" else value

    requests = 0
    for step in read_steps():
        if "says" in step:
            JsonCodec().decode_request(json.dumps(filled(step["says"])))
            requests += 1
        elif "hears" in step:
            ANSWERS.validate_python(filled(step["hears"]), extra="forbid")
    assert requests > 10
