"""Check that the generated documentation is current and complete, and its prose correct."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic_core import to_jsonable_python
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from doublecross.games.dots_and_boxes.board import board
from doublecross.games.registry import GAMES
from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.common import MatchSettings, TimeControl, WireModel
from doublecross.protocol.documentation import files
from doublecross.protocol.documentation.files import main, stale
from doublecross.protocol.documentation.reference import attribute_docs, close_codes
from doublecross.protocol.documentation.schema import json_schema, members, message_type
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import ServerMessage, Termination
from doublecross.server.core.rooms.status import TRANSITIONS
from tests.protocol.example_session import running_server

PAGE = files.DOCS / files.PAGE_FILE
TEXT = PAGE.read_text(encoding="utf-8")
DEFS: dict[str, Any] = json_schema()["$defs"]


def test_the_generated_files_are_up_to_date() -> None:
    assert stale() == [], "run python -m doublecross.protocol.documentation"


def test_the_command_writes_what_is_stale_and_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "protocol.md").write_text("# {{version}}\n\n{{error_codes}}\n")
    (tmp_path / "example-session.jsonl").write_text("")
    monkeypatch.setattr(files, "DOCS", tmp_path)
    monkeypatch.setattr(files, "TYPES", tmp_path)
    assert main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out
    assert main([]) == 0
    assert main(["--check"]) == 0
    written = tmp_path / "protocol.md"
    assert "`bad_message`" in written.read_text()
    written.write_text("changed by hand")
    assert main(["--check"]) == 1


def test_every_message_has_a_section_and_a_definition() -> None:
    for model in (*members(ClientMessage), *members(ServerMessage)):
        assert f"\n### `{message_type(model)}`\n" in TEXT
        assert f'<a id="{model.__name__.lower()}"></a>' in TEXT
        assert DEFS[model.__name__]["properties"]["type"] == {
            "const": message_type(model),
            "type": "string",
        }
        assert "type" in DEFS[model.__name__]["required"]


def test_every_field_has_a_description() -> None:
    rows = re.findall(r"^\| (`\w+`) \| (.+?) \| (.*?) \| (.*) \|$", TEXT, re.MULTILINE)
    assert len(rows) > 150
    assert [row for row in rows if not row[3].strip()] == []


def test_defaults_are_those_of_the_models() -> None:
    models: list[type[WireModel]] = [MatchSettings, TimeControl]
    for model in (*models, *members(ClientMessage), *members(ServerMessage)):
        properties = DEFS[model.__name__]["properties"]
        for name, field in model.model_fields.items():
            if name == "type" or field.is_required():
                assert "default" not in properties[name]
            else:
                default = to_jsonable_python(field.get_default(call_default_factory=True))
                assert properties[name]["default"] == default, (model, name)


def test_every_request_documents_its_answer() -> None:
    answers = {message_type(m) for m in members(ServerMessage)}
    for model in members(ClientMessage):
        said = (model.__doc__ or "").partition("Answer: ")[2]
        named = set(re.findall(r"`(\w+)`", said)) & answers
        assert named, model
        for answer in members(ServerMessage):
            if message_type(answer) in named:
                assert "id" in answer.model_fields, (model, answer)


def test_every_code_is_explained() -> None:
    assert set(attribute_docs(ErrorCode)) == {code.name for code in ErrorCode}
    for code in ErrorCode:
        assert f"\n| `{code.value}` | " in TEXT
    for name, number in close_codes().items():
        assert re.search(rf"^\| {number} \| \w", TEXT, re.MULTILINE), name


def test_links_have_targets() -> None:
    anchors = set(re.findall(r'<a id="([^"]+)">', TEXT))
    titles = re.findall(r"^#+ ([\w ]+)$", TEXT, re.MULTILINE)
    anchors |= {title.lower().replace(" ", "-") for title in titles}
    targets = set(re.findall(r"\]\(#([^)]+)\)", TEXT))
    assert targets - anchors == set()
    for name in re.findall(r"\]\(([\w.-]+)\)", TEXT):
        assert (files.DOCS / name).is_file()


def test_the_schema_is_strict_for_requests_and_lenient_for_server_messages() -> None:
    for model in members(ClientMessage):
        assert DEFS[model.__name__]["additionalProperties"] is False
    for model in members(ServerMessage):
        assert "additionalProperties" not in DEFS[model.__name__]
    assert DEFS["MatchSettings"]["additionalProperties"] is False
    assert "additionalProperties" not in DEFS["MatchSettingsRead"]
    assert DEFS["Snapshot"]["properties"]["settings"]["$ref"] == "#/$defs/MatchSettingsRead"


def test_the_diagram_is_the_one_of_the_server() -> None:
    diagram = TEXT[TEXT.index("waiting --match_started-->") :].partition("\n\n")[0]
    table = TEXT[TEXT.index("| termination |") :].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(get_args(Termination))
    words = set(re.findall(r"[a-z_]+", diagram))
    assert words == {word for before, cause in TRANSITIONS for word in (before, cause)} | {"closed"}


def test_the_games_are_those_of_the_registry() -> None:
    for key, game in GAMES.items():
        row = re.search(rf"^\| `{key}` \| (.*?) \| .* \|$", TEXT, re.MULTILINE)
        assert row, key
        said = re.findall(r"`(\w+)` (\d+) to (\d+) \((\d+)\)", row[1])
        assert said == [(p.name, str(p.low), str(p.high), str(p.default)) for p in game.parameters]


def test_the_picture_numbers_edges_as_the_rules_do() -> None:
    edges = board(2, 3)
    picture = [
        [int(n) for n in re.findall(r"\d+", line)]
        for line in TEXT[TEXT.index("    o--0--o") :].splitlines()[:9]
    ]
    rows = [numbers for numbers in picture if numbers]
    flat = rows[0] + rows[2] + rows[4] + rows[1] + rows[3]
    assert flat == list(range(edges.num_edges))
    for r in range(2):
        for c in range(3):
            around = (
                rows[2 * r][c],
                rows[2 * r + 2][c],
                rows[2 * r + 1][c],
                rows[2 * r + 1][c + 1],
            )
            assert around == edges.box_edges[r * 3 + c]


@pytest.mark.parametrize("offered", [None, ["chat"]])
async def test_a_handshake_without_our_subprotocols_is_refused(offered: list[str] | None) -> None:
    names = None if offered is None else [Subprotocol(name) for name in offered]
    async with running_server() as server:
        with pytest.raises(InvalidStatus) as refused:
            await connect(server.addresses.ws, subprotocols=names)
    assert refused.value.response.status_code == 400
