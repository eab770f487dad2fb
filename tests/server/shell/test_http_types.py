"""Check that the types of the HTTP answers for the browser page are current."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.protocol.documentation.files import stale
from doublecross.server.shell.web import types


def test_the_types_are_up_to_date() -> None:
    assert stale(types.generated()) == [], f"run {types.COMMAND}"


def test_answers_have_interfaces_and_take_parts_from_the_wire() -> None:
    text = types.api_types()
    assert "export interface GameGeometry {" in text
    assert "export interface LobbyRoom " not in text
    assert "  rooms: LobbyRoom[];" in text
    assert "  points: [number, number][];" in text
    assert "  clock_ms: (number | null)[];" in text
    assert "  terms: TournamentTerms | null;" in text


def test_the_command_checks_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(types, "TYPES", tmp_path)
    assert types.main(["--check"]) == 1
    assert f"run {types.COMMAND}" in capsys.readouterr().out
    assert types.main([]) == 0
    assert types.main(["--check"]) == 0
