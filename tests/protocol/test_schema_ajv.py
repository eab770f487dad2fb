"""Check the JSON Schema with ajv, the usual validator in JavaScript, on messages of a real session.

Python's regular expressions know more letters than those of ECMA, and pydantic's schemas have
keywords that JSON Schema lacks. Only a validator of another language notices either.

`make test-all` installs ajv. Without it the test is skipped, or fails if DOUBLECROSS_NEED_NODE is
set, as in .ci/run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.documentation.schema import json_schema, portable_pattern
from tests.fakes.advisers import FakeAdviser
from tests.fakes.reviewers import FakeReviewer
from tests.protocol import test_conformance as session
from tests.protocol.wire import Message, WireClient, serving

AJV = Path(__file__).parents[1] / "node"
NAMES = ("Zoë", "李雷")


class RecordingClient(WireClient):
    """Keeps the requests that it sends, too."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.sent: list[Message] = []

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        await super().send(message)


def errors(messages: list[tuple[str, Message]]) -> list[str | None]:
    """Return ajv's first error in each message, None for a valid one."""
    lines = "\n".join(json.dumps({"as": kind, "message": each}) for kind, each in messages)
    command = ["node", AJV / "validate.mjs"]
    text = f"{json.dumps(json_schema())}\n{lines}"
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    found: list[str | None] = json.loads(done.stdout)
    return found


def need_ajv() -> None:
    lacking = "node" if shutil.which("node") is None else "ajv"
    if lacking == "node" or not (AJV / "node_modules" / "ajv").is_dir():
        reason = f"{lacking} is not installed: run make node"
        if os.environ.get("DOUBLECROSS_NEED_NODE"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.mark.processes
async def test_ajv_accepts_the_messages_of_a_session_and_no_changed_ones(
    tmp_path: Path,
) -> None:
    need_ajv()
    recorded = await record(tmp_path)
    assert len(recorded) > 100
    assert any(name in json.dumps(recorded, ensure_ascii=False) for name in NAMES)
    wrong: list[tuple[str, Message]] = [
        (kind, {**message, **change})
        for kind, message in recorded[::5]
        for change in ({"id": "1"}, {"extra": 1}, {"type": "nothing"})
        # A client ignores fields of the server that it does not know.
        if kind == "ClientMessage" or "type" in change
    ]
    assert len(wrong) > 20
    found = errors(recorded + wrong)
    right, refused = found[: len(recorded)], found[len(recorded) :]
    assert [each for each in zip(recorded, right, strict=True) if each[1] is not None] == []
    assert [each for each in zip(wrong, refused, strict=True) if each[1] is None] == []


async def record(folder: Path) -> list[tuple[str, Message]]:
    """Return the messages of a session with all requests and unusual names."""
    codec = JsonCodec()
    helpers = {"adviser": FakeAdviser(), "reviewer": FakeReviewer(at_once=True)}
    async with serving(folder, grace_s=0, **helpers) as server:  # type: ignore[arg-type]
        ann = await RecordingClient.player(server, "Ann", codec)
        ben = await RecordingClient.player(server, "Ben", codec, **session.BOT)
        eve = await RecordingClient.player(server, "Eve", codec)
        players = [await RecordingClient.player(server, name, codec) for name in NAMES]
        await eve.ask({"type": "follow_lobby"})
        await session.rooms(ann, ben, eve)
        await session.endings(ann, ben)
        await session.offers(ann, ben, eve)
        await session.absence(server, ann, ben)
        await session.tournament(ann, ben, eve)
        clients = [ann, ben, eve, *players]
        for client in clients:
            await client.close()
    return [
        (kind, message)
        for client in clients
        if isinstance(client, RecordingClient)
        for kind, messages in (("ClientMessage", client.sent), ("ServerMessage", client.received))
        for message in messages
    ]


def test_a_pattern_means_the_same_in_python_and_in_ecma() -> None:
    name = portable_pattern(r"^\w(?:[\w .'+-]*[\w+])?$")
    assert "\\w" not in name
    assert portable_pattern(r"^[^\x00-\x1f]+$") == r"^[^\x00-\x1f]+$"
    for pattern in (r"^\d$", r"^[^\w]$", r"\bx"):
        with pytest.raises(ValueError, match="other languages"):
            portable_pattern(pattern)


def test_the_schema_has_only_keywords_of_json_schema() -> None:
    assert '"discriminator"' not in json.dumps(json_schema())
