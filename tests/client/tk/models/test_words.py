"""Check the texts for matches, players, endings and advice."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.words import (
    advice_line,
    ended_why,
    game_line,
    match_line,
    of_player,
    signed,
    time_line,
)
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
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
        ("864000/86400", "10 days, 1 day a move"),
        ("123456.789", "123456.789 s"),
    ],
)
def test_a_time_control_in_words(time: str, line: str) -> None:
    assert time_line(TimeControl.parse(time)) == line


def test_a_match_in_a_line() -> None:
    assert match_line(settings("5x4", "300+3")) == "Dots and Boxes 5 × 4 · 5 min + 3 s · casual"
    rated = settings("3x3", "unlimited", rated=True, opening=(1, 2))
    assert match_line(rated) == "Dots and Boxes 3 × 3 · from an opening · no clock · rated"


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
        ("timeout", "Ann", "", "Ann ran out of time"),
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
    ("termination", "reason", "why"),
    [
        ("completed", "", "played to the end"),
        ("resigned", "", "You resigned"),
        ("timeout", "", "You ran out of time"),
        ("disconnect", "", "You stayed away"),
        ("illegal", "", "You made an illegal move"),
        ("crash", "It broke", "Your program failed: It broke"),
        ("new way", "", "new way"),
    ],
)
def test_why_a_match_ended_in_words_to_the_loser(termination: str, reason: str, why: str) -> None:
    assert ended_why(termination, "Ann", reason, own=True) == why


@pytest.mark.parametrize(
    ("number", "text"),
    [(3, "+3"), (-2, "-2"), (0, "0"), (2.5, "+2.5"), (-0.04, "0"), (12.0, "+12"), (-3.96, "-4")],
)
def test_a_net_score_has_its_sign(number: float, text: str) -> None:
    assert signed(number) == text


@pytest.mark.parametrize(
    ("net", "exact", "unit", "result"),
    [
        (3, True, "boxes", "You win by 3."),
        (-1, True, "boxes", "You lose by 1."),
        (-2.5, False, "boxes", "You should lose by about 3."),
        (1.26, False, "boxes", "You should win by about 1."),
        (0, True, "boxes", "It ends in a draw."),
        (0.4, False, "boxes", "The game is about even."),
        (1, True, "", "You win."),
        (-1, True, "", "You lose."),
        (0, True, "", "It ends in a draw."),
        (-0.8, False, "", "You should lose."),
        (0.3, False, "", "The game is about even."),
    ],
)
def test_advice_in_words(net: float, exact: bool, unit: str, result: str) -> None:
    line = advice_line("c4", "c4 takes a box.", net, exact=exact, unit=unit)
    assert line == f"c4 takes a box. {result}"


def test_advice_without_a_reason_or_for_one_of_two_people() -> None:
    assert advice_line("c4", "", 2, exact=True, unit="boxes") == "Best: c4. You win by 2."
    for exact, result in ((True, "Bob loses by 2."), (False, "Bob should lose by about 2.")):
        line = advice_line("c4", "It is safe.", -2, exact=exact, unit="boxes", mover="Bob")
        assert line == f"It is safe. {result}"
