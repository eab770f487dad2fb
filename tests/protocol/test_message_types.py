"""Each message's `type` in the code is the one that the published schema gives to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.server_messages import ServerMessage

SCHEMA: Final[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "protocol.schema.json").read_text("utf-8")
)


def members(union: Any) -> list[Any]:
    """Return the classes of a union, also of unions inside it."""
    found: list[Any] = []
    for part in get_args(union):
        if isinstance(part, type):
            found.append(part)
        elif get_args(part):
            found.extend(members(part))
    return found


@pytest.mark.parametrize(
    "message", [*members(ClientMessage), *members(ServerMessage)], ids=lambda cls: cls.__name__
)
def test_a_type_is_the_published_one(message: Any) -> None:
    field = message.model_fields["type"]
    assert SCHEMA["$defs"][message.__name__]["properties"]["type"]["const"] == field.default
    assert get_args(field.annotation) == (field.default,)


def test_all_messages_are_looked_at() -> None:
    assert len(members(ClientMessage)) > 25
    assert len(members(ServerMessage)) > 20
