"""The report file of FIDE: places of its columns, byes, unplayed games, formats without rounds."""

from __future__ import annotations

import pytest

from doublecross.server.core.errors import Refused
from tests.server.tournaments.core.simulated_server import SimulatedServer, make_terms


def began(format_: str, players: int, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms(format_, **terms))
    server.fill(players)
    server.start()
    return server


def players(server: SimulatedServer) -> list[str]:
    return [line for line in server.tournament.trf(()).splitlines() if line.startswith("001")]


def test_every_game_has_a_round_and_byes_and_games_that_an_opponent_missed_count() -> None:
    server = began("swiss", 3, rounds=2)
    server.play_out(hangs=[0, 1, 2])
    server.keep(server.tournament.set_aside(1, "for a test"))
    server.play_out()
    text = server.tournament.trf(("2026/11/29", "2026/11/30"))
    assert text.splitlines()[:3] == ["012 The Cup", "042 2026/11/29", "052 2026/11/30"]
    assert text.endswith("\r\n")
    lines = players(server)
    assert [(line[4:8], line[14:18], line[80:89]) for line in lines] == [
        ("   1", "bot0", " 4.0    1"),
        ("   2", "bot1", " 0.0    3"),
        ("   3", "bot2", " 2.0    2"),
    ]
    assert [[line[at : at + 8] for at in range(91, len(line), 10)] for line in lines] == [
        ["   2 w +", "   2 b +", "   3 w 1", "   3 b 1"],
        ["   1 b -", "   1 w -", "0000 - Z", "0000 - Z"],
        ["0000 - U", "0000 - U", "   1 b 0", "   1 w 0"],
    ]


def test_a_round_robin_has_the_rounds_of_the_circle_method() -> None:
    server = began("round-robin", 4)
    server.play_out()
    lines = players(server)
    for column in range(91, 91 + 60, 10):
        opponents = [line[column : column + 4].strip() for line in lines]
        assert sorted(opponents) == ["1", "2", "3", "4"]
        colours = {str(at + 1): line[column + 5] for at, line in enumerate(lines)}
        assert all({colours[str(n + 1)], colours[o]} == {"w", "b"} for n, o in enumerate(opponents))
    assert [line[80:89] for line in lines] == [" 6.0    1", " 4.0    2", " 2.0    3", " 0.0    4"]


def test_a_ladder_and_too_many_points_are_refused() -> None:
    with pytest.raises(Refused, match="no rounds"):
        began("ladder", 2).tournament.trf(())
    server = began("round-robin", 2, pairs=60)
    server.play_out()
    with pytest.raises(Refused, match="more than"):
        server.tournament.trf(())
