"""Check the TypeScript declarations that are generated from the models."""

from __future__ import annotations

import pytest

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.documentation.schema import members
from doublecross.protocol.documentation.typescript import interface, type_of, wire_types
from doublecross.protocol.server_messages import ServerMessage
from doublecross.server.core.events import player_dict, settings_dict

WIRE = wire_types()


def declaration(name: str) -> str:
    """Return the fields of an interface."""
    _, _, rest = WIRE.partition(f"\nexport interface {name} {{\n")
    return rest.partition("\n}")[0]


def test_every_message_has_an_interface_and_stands_in_its_union() -> None:
    for union, models in (
        ("ClientMessage", members(ClientMessage)),
        ("ServerMessage", members(ServerMessage)),
    ):
        kinds = WIRE.partition(f"export type {union} =\n  | ")[2].partition(";")[0]
        assert kinds.split("\n  | ") == [model.__name__ for model in models]
        for model in models:
            assert f'  type: "{model.model_fields["type"].default}";' in declaration(model.__name__)


def test_what_may_be_missing_is_optional() -> None:
    move = declaration("MoveMade")
    assert "  to_move: number | null;" in move
    assert "  expected?: number | null;" in move
    assert "  board?: BoardState | null;" in move
    assert "  scores: [number, number];" in move
    assert "  clock_ms: [number, number] | null;" in move
    assert "  events?: Event[] | null;" in declaration("RoomState")


def test_a_request_may_leave_out_what_the_server_fills_in() -> None:
    assert "  time: TimeControl;" in declaration("MatchSettings")
    assert "  rated: boolean;" in declaration("MatchSettings")
    assert "  time?: TimeControlInput;" in declaration("MatchSettingsInput")
    assert "  settings: MatchSettingsInput;" in declaration("CreateRoom")
    assert "  settings: MatchSettings;" in declaration("Snapshot")
    assert "  params: Record<string, number>;" in declaration("MatchSettings")


def test_the_server_fills_in_what_the_types_say() -> None:
    # `interface(complete=True)` relies on these dicts having every field.
    assert set(settings_dict(MatchSettings(game="nim"))) == set(MatchSettings.model_fields)
    assert set(player_dict(PlayerInfo(name="Ada", kind="human"))) == set(PlayerInfo.model_fields)


def test_types_of_schemas() -> None:
    number = {"type": "integer"}
    either = {"anyOf": [number, {"type": "null"}]}
    assert type_of({"enum": ["a", "b"]}) == '"a" | "b"'
    assert type_of({"type": "array", "items": either}) == "(number | null)[]"
    pair = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
    assert type_of(pair) == "[number, number]"
    assert type_of({"anyOf": [number, {"type": "number"}]}) == "number"
    with pytest.raises(ValueError, match="No TypeScript type"):
        type_of({"type": "mystery"})


def test_comments_end_where_they_should() -> None:
    schema = {"description": "a */ b", "properties": {"x": {"type": "string"}}, "required": ["x"]}
    assert interface("A", schema) == "/** a * / b */\nexport interface A {\n  x: string;\n}"
    long = interface("A", {"description": "word " * 40})
    assert all(len(line) <= 96 for line in long.splitlines())
    assert long.count("word") == 40
