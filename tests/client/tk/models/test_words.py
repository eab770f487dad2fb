"""Check the texts for matches, players, endings and advice."""

from __future__ import annotations

import pytest

from client.tk.models.words import (
    advice_line,
    ended_why,
    game_line,
    match_line,
    of_player,
    signed,
    time_line,
)
from protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from tests.client.tk.models.rooms import settings


@pytest.mark.parametrize(
    ("time", "line"),
    [
        ("unlimited", "no clock"),
        ("300+3", "5 min + 3 s"),
        ("60+0", "1 min"),
        ("90+0.5", "90 s + 0.5 s"),
        ("0/10", "10 s a move"),
        ("60+1/15", "1 min + 1 s, 15 s a move"),
        ("5400", "90 min"),
        ("7200", "2 h"),
        ("864000/86400", "240 h, 24 h a move"),
        ("123456.789", "123456.789 s"),
    ],
)
def test_a_time_control_in_words(time: str, line: str) -> None:
    assert time_line(TimeControl.parse(time)) == line


def test_a_match_in_a_line() -> None:
    assert match_line(settings("5x4", "300+3")) == "Dots and Boxes 5x4 · 5 min + 3 s · casual"
    rated = settings("3x3", "unlimited", rated=True, opening=(1, 2))
    assert match_line(rated) == "Dots and Boxes 3x3 · from an opening · no clock · rated"


def test_a_game_that_is_not_known_has_its_key() -> None:
    assert game_line(MatchSettings(game="go")) == "go"
    assert game_line(MatchSettings(game="dots-and-boxes", params={"rows": 99})) == "dots-and-boxes"


def test_the_kind_of_a_player_in_words() -> None:
    engine = EngineInfo(name="minimax", version="2")
    assert of_player(PlayerInfo(name="Ann", kind="human")) == ""
    assert of_player(PlayerInfo(name="Robo", kind="bot", engine=engine)) == "bot · minimax 2"
    assert of_player(PlayerInfo(name="Minimax", kind="bot", engine=engine)) == "bot"
    assert of_player(PlayerInfo(name="Robo", kind="bot")) == "bot"


@pytest.mark.parametrize(
    ("termination", "loser", "reason", "why"),
    [
        ("completed", "Ann", "", "played to the end"),
        ("resigned", "Ann", "", "Ann resigned"),
        ("timeout", "You", "", "You ran out of time"),
        ("disconnect", "Ann", "", "Ann stayed away"),
        ("crash", "Robo", "It broke", "Robo's program failed: It broke"),
        ("illegal", None, "", "A player made an illegal move"),
        ("aborted", None, "Called off by Ann.", "The match was called off"),
        ("void", None, "disk full", "The server could not keep the match: disk full"),
        ("new way", None, "", "new way"),
        ("{new} way", None, "", "{new} way"),
    ],
)
def test_why_a_match_ended(termination: str, loser: str | None, reason: str, why: str) -> None:
    assert ended_why(termination, loser, reason) == why


@pytest.mark.parametrize(
    ("number", "text"),
    [(3, "+3"), (-2, "-2"), (0, "0"), (2.5, "+2.5"), (-0.04, "0"), (12.0, "+12"), (-3.96, "-4")],
)
def test_a_net_score_has_its_sign(number: float, text: str) -> None:
    assert signed(number) == text


@pytest.mark.parametrize(
    ("net", "exact", "unit", "line"),
    [
        (3, True, "boxes", "Best: c4. Expected result: +3 for you (certain)."),
        (-1.26, False, "boxes", "Best: c4. Expected result: -1.3 for you (an estimate)."),
        (0, True, "boxes", "Best: c4. Expected result: a draw (certain)."),
        (0.0, False, "boxes", "Best: c4. Expected result: 0 for you (an estimate)."),
        (1, True, "", "Best: c4. Expected result: you win (certain)."),
        (-1, True, "", "Best: c4. Expected result: you lose (certain)."),
        (0, True, "", "Best: c4. Expected result: a draw (certain)."),
    ],
)
def test_advice_in_words(net: float, exact: bool, unit: str, line: str) -> None:
    assert advice_line("c4", net, exact=exact, unit=unit) == line
