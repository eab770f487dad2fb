"""Check that the page reads the same messages as the Python client, and refuses the same ones."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.common import PlayerInfo, TournamentTerms
from doublecross.protocol.documentation.schema import members, message_type
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.server_messages import ServerMessage
from tests.fakes.histories import own
from tests.fakes.reviewers import REPORT
from tests.fakes.rooms import BOB

pytestmark = pytest.mark.processes

ROOT: Final = Path(__file__).parents[4]
ENGINE: Final = {"name": "rules", "version": "1"}
SAID: Final = {
    "type": "said",
    "room": "r1",
    "match": 1,
    "seat": 0,
    "player": "Ann",
    "words": "Hi",
    "at": 5,
}
RARE: Final[list[dict[str, Any]]] = [
    {"type": "pong", "id": 1},
    {"type": "room_closed", "room": "r1", "seq": 9, "reason": "Over."},
    {"type": "record", "id": 1, "game_id": "g1", "text": "x"},
    {"type": "offer_ended", "offer": "o1", "outcome": "expired"},
    {"type": "challenge_sent", "id": 1, "challenge": "c1"},
    {
        "type": "review",
        "game_id": "g1",
        "status": "done",
        "place": 0,
        "done": 1,
        "all": 1,
        "report": REPORT,
    },
    {
        "type": "games",
        "id": 1,
        "games": [own(1).model_dump(mode="json")],
        "more": True,
    },
    {
        "type": "advice",
        "id": 1,
        "room": "r1",
        "match": 1,
        "ply": 0,
        "best": [3],
        "net": 1.5,
        "exact": False,
        "reason": "It is safe.",
    },
    {
        "type": "evaluation",
        "id": 1,
        "room": "r1",
        "match": 1,
        "takebacks": 0,
        "move": REPORT["moves"][0],
    },
    {
        "type": "seated",
        "room": "r1",
        "seq": 2,
        "seat": 1,
        "player": {**BOB.model_dump(), "kind": "bot", "engine": ENGINE},
    },
    {
        "type": "room_created",
        "room": "r1",
        "seq": 1,
        "private": False,
        "at": 5,
        "keys": ["k", None],
        "settings": {"game": "nim"},
        "tag": {"tournament": "t1", "pairing": 0, "game": 1, "attempt": 1},
    },
    {"type": "rematch_ended", "room": "r1", "seq": 9, "seat": 1, "outcome": "declined"},
    {
        "type": "plan",
        "id": 1,
        "room": "r1",
        "match": 1,
        "ply": 3,
        "takebacks": 0,
        "lines": [[1, 2], [3, 4]],
    },
    {"type": "talk", "id": 1, "room": "r1", "said": [SAID]},
    SAID,
    {
        "type": "ties",
        "id": 1,
        "follows": [{"player": "Ann", "kind": "human", "here": True, "watching": None}],
        "blocks": ["Bob"],
    },
    {
        "type": "open_games",
        "id": 1,
        "games": [
            {
                "room": "r1",
                "match": 1,
                "settings": {"game": "nim"},
                "seat": 0,
                "to_move": 1,
                "players": [BOB.model_dump(), BOB.model_dump()],
                "plies": 3,
                "scores": [1, 2],
                "left_ms": 5,
                "board": {"cells": "0.", "legal": "01", "winning": []},
            }
        ],
    },
    {
        "type": "your_turn",
        "room": "r1",
        "match": 1,
        "ply": 3,
        "opponent": "Bob",
        "left_ms": 5,
    },
    {"type": "announcement", "text": "Restart at noon.", "until_ms": 5},
    {"type": "weather", "id": 1},
]
"""Messages that no recorded session has."""
WRONG: Final = (None, "x", 5, -1, 1.5, True, [], {}, [None], [5, 5], {"x": 5})


def examples(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield messages of each type and shape."""
    seen: set[str] = set()
    for path in sorted(folder.iterdir()):
        for line in path.read_text().splitlines():
            step = json.loads(line)
            message = step.get("frame", step.get("message"))
            if not isinstance(message, dict) or "more" in message:
                continue
            shape = json.dumps(shape_of(message))
            if shape not in seen and len(seen) < 110:
                seen.add(shape)
                yield message
    yield from RARE


def shape_of(value: Any) -> Any:
    """Return the fields of a value, and of the first item of each list."""
    if isinstance(value, dict):
        return {name: shape_of(part) for name, part in value.items()} | {"": value.get("type")}
    if isinstance(value, list):
        return [shape_of(value[0])] if value else []
    return value is None


def changed(message: dict[str, Any], seen: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the message, and copies with one part that is missing or of another kind.

    `seen` has the parts of earlier messages, which are not changed again.
    """
    yield message
    for path in paths(message):
        if (place := place_of(message, path)) in seen:
            continue
        seen.add(place)
        if path[-1] in ("base_ms", "increment_ms"):
            continue  # only the server checks what the fields of a time control mean together
        for wrong in (..., *WRONG):
            copied = copy.deepcopy(message)
            part: Any = copied
            for name in path[:-1]:
                part = part[name]
            if wrong is ...:
                del part[path[-1]]
            else:
                part[path[-1]] = wrong
            yield copied


def place_of(message: dict[str, Any], path: list[Any]) -> str:
    """Return the types around a part of a message, the names of its path, and its own type."""
    part: Any = message
    found: list[object] = []
    for name in path:
        found += [part.get("type") if isinstance(part, dict) else "", str(name)]
        part = part[name]
    return json.dumps([*found, type(part).__name__])


def paths(value: Any) -> Iterator[list[Any]]:
    """Yield the path of each part of a message."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for name, part in parts:
        yield [name]
        if isinstance(part, dict | list):
            yield from ([name, *path] for path in paths(part))


def read(text: str) -> Any:
    """Return what the Python client reads."""
    try:
        message = JsonCodec().decode_server(text)
    except DecodeError:
        return "unreadable"
    return "unknown" if message is None else json.loads(message.model_dump_json())


def test_the_page_and_python_read_alike(recorded: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("There is no Node.js: apt-get install nodejs npm")
    found = list(examples(recorded))
    kinds = {message_type(model) for model in members(ServerMessage)}
    assert kinds <= {message["type"] for message in found}
    seen: set[str] = set()
    texts = [json.dumps(each) for message in found for each in changed(message, seen)]
    hooks, program = ROOT / "tests/node/page.mjs", ROOT / "tests/node/read-messages.mjs"
    done = subprocess.run(
        [node, "--import", str(hooks), str(program)],
        input="\n".join(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    for text, theirs in zip(texts, json.loads(done.stdout), strict=True):
        assert shown(theirs) == shown(read(text)), text


def shown(value: Any) -> Any:
    """Return a value without the fields that nobody knows, which only the page keeps."""
    if isinstance(value, dict):
        return {name: shown(part) for name, part in value.items() if name != "x"}
    return [shown(part) for part in value] if isinstance(value, list) else value


def test_fields_take_as_many_letters_as_the_protocol() -> None:
    page = (ROOT / "client/web/widgets/field.js").read_text(encoding="utf-8")
    terms = TournamentTerms.model_json_schema()["properties"]
    player = PlayerInfo.model_json_schema()["properties"]
    assert f"MOST_NAME = {player['name']['maxLength']};" in page
    assert f"MOST_LABEL = {terms['name']['maxLength']};" in page
