"""Check the types of the HTTP answers for the browser page."""

from __future__ import annotations

from doublecross.server.shell.web import types


def test_answers_have_interfaces_and_take_parts_from_the_wire() -> None:
    text = types.api_types()
    assert "export interface GameGeometry {" in text
    assert "export interface LobbyRoom " not in text
    assert "  rooms: LobbyRoom[];" in text
    assert "  points: [number, number][];" in text
    assert "  clock_ms: (number | null)[];" in text
    assert "  terms: TournamentTerms | null;" in text
