"""Check that a newer server breaks no client, and that an older server refuses a newer client."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.protocol.codec import Codec
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.server_messages import MoveMade, RoomState
from tests.protocol.strategies import SERVER_SCHEMAS, wire_answers, wire_requests
from tests.protocol.test_roundtrip import CODECS, FEW, frame

NEW: Any = {"a field": [1, {"of": "a newer"}, None], "server": 2.5}

FREE_KEYS = {
    name
    for schema in SERVER_SCHEMAS.values()
    for name, member in schema.get("properties", {}).items()
    if isinstance(member.get("additionalProperties"), dict)
}
"""The members whose maps have keys of the sender's choice, where no key is unknown."""


def with_more(value: Any) -> Any:
    """Return the message with an unknown field in each map, except maps with free keys."""
    if isinstance(value, dict):
        return {
            **{k: v if k in FREE_KEYS else with_more(v) for k, v in value.items()},
            "zz_new": NEW,
        }
    if isinstance(value, tuple):
        return tuple(with_more(part) for part in value)
    return value


@settings(FEW, max_examples=80)
@given(wire_answers())
def test_clients_ignore_unknown_fields_wherever_they_are(message: dict[str, Any]) -> None:
    for codec in CODECS:
        plain = codec.decode_server(frame(codec, codec.encode(message)))
        assert plain is not None
        assert codec.decode_server(frame(codec, codec.encode(with_more(message)))) == plain


@settings(FEW, max_examples=60)
@given(wire_requests())
def test_the_server_refuses_unknown_fields(message: dict[str, Any]) -> None:
    for codec in CODECS:
        with pytest.raises(DecodeError) as refused:
            codec.decode_request(frame(codec, codec.encode({**message, "zz_new": NEW})))
        assert refused.value.code is ErrorCode.BAD_MESSAGE
        assert refused.value.request_id == message["id"]


@pytest.mark.parametrize("place", ["settings", "time", "engine"])
def test_the_server_refuses_unknown_fields_inside(place: str) -> None:
    inner: dict[str, Any] = {"zz_new": 1}
    messages: dict[str, dict[str, Any]] = {
        "settings": {"type": "seek", "key": "k", "settings": {"game": "g", **inner}},
        "time": {"type": "seek", "key": "k", "settings": {"game": "g", "time": inner}},
        "engine": {
            "type": "hello",
            "protocol": 2,
            "kind": "bot",
            "engine": {"name": "n", "version": "1", **inner},
        },
    }
    message = {**messages[place], "id": 5}
    for codec in CODECS:
        with pytest.raises(DecodeError) as refused:
            codec.decode_request(frame(codec, codec.encode(message)))
        assert refused.value.code is ErrorCode.BAD_MESSAGE
        assert "zz_new" in refused.value.sentence
        assert refused.value.request_id == 5


UNKNOWN = st.text("abcdefg_", min_size=1, max_size=12).map(lambda name: f"new_{name}")


@given(UNKNOWN, st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3))
@settings(FEW, max_examples=40)
def test_clients_ignore_unknown_types_and_the_server_refuses_them(
    kind: str, fields: dict[str, int]
) -> None:
    for codec in CODECS:
        data = frame(codec, codec.encode({**fields, "type": kind, "id": 3}))
        assert codec.decode_server(data) is None
        with pytest.raises(DecodeError) as refused:
            codec.decode_request(data)
        assert refused.value.code is ErrorCode.UNKNOWN_TYPE
        assert refused.value.request_id == 3


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_unknown_events_in_a_room_state_are_left_out(codec: Codec) -> None:
    seat = {"connected": True, "claim_in_ms": None}
    move = {
        "type": "move",
        "room": "r",
        "seq": 4,
        "match": 1,
        "ply": 0,
        "seat": 0,
        "action": 3,
        "to_move": 1,
        "scores": (0, 0),
        "clock_ms": None,
        "elapsed_ms": 5,
    }
    message = {
        "type": "room_state",
        "room": "r",
        "seat": 0,
        "events": ({"type": "new_thing", "room": "r", "seq": 3}, with_more(move)),
        "presence": {"type": "presence", "room": "r", "seats": (seat, seat), "spectators": 0},
    }
    state = codec.decode_server(frame(codec, codec.encode(message)))
    assert isinstance(state, RoomState)
    assert state.events == (MoveMade(**{k: v for k, v in move.items() if k != "type"}),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "move"},
        {"type": "room_state", "events": 5},
        {"type": "room_state", "events": [5]},
        {"type": "room_state", "events": [{"type": 5}]},
        {"type": "pong", "id": None},
        {"type": "pong", "id": True},
        {"type": 5},
        {},
        [],
        "pong",
        None,
    ],
)
def test_malformed_answers_are_errors_of_a_client_too(message: Any) -> None:
    import json

    import msgpack

    for codec in CODECS:
        data = json.dumps(message) if codec.text else msgpack.packb(message)
        with pytest.raises(DecodeError):
            codec.decode_server(data)
