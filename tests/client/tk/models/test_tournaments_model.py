"""Check what the window says of tournaments: entries of the lobby, news and notes."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.lobby.tournaments import (
    game_note,
    is_aside,
    leave_warning,
    news_line,
    tournament_entries,
)
from doublecross.protocol.server_messages import TournamentState
from tests.client.tk.models.contests import entrant, line, terms, tournament_state

ANN = entrant("Ann")
ROBO = entrant("robo", engine="rules 1")


def test_each_tournament_has_an_entry() -> None:
    spring = line("t1", entrants=1)
    autumn = line("t2", name="Autumn", format="knockout", entrants=4, status="running")
    first, second = tournament_entries((spring, autumn), {}, "Ann")
    assert (first.key, first.title, first.thing, first.more) == ("t1", "Spring", spring, "View")
    assert first.about == (
        "round robin · Dots and Boxes 2 × 2 · 1 player · open",
        "Dots and Boxes 2 × 2 · 1 player · open",
        "1 player · open",
        "open",
    )
    assert second.about[0] == "knockout · Dots and Boxes 2 × 2 · 4 players · running"


@pytest.mark.parametrize(
    ("people", "mine", "action"),
    [
        (True, None, "Join"),
        (False, None, ""),
        (True, "in", "Withdraw"),
        (False, "in", "Withdraw"),
        (True, "left", "Join"),
        (False, "left", "Join"),  # A player can usually come back; the server decides.
        (True, "aside", ""),
    ],
)
def test_who_may_join_and_who_may_leave(people: bool, mine: str | None, action: str) -> None:
    entrants = (ROBO,) if mine is None else (ROBO, entrant("Ann", state=mine))
    states = {"t1": tournament_state(*entrants)}
    (entry,) = tournament_entries((line("t1", people=people),), states, "Ann")
    assert entry.action == action
    over = {"t1": tournament_state(*entrants, status="cancelled")}
    (entry,) = tournament_entries((line("t1", people=people),), over, "Ann")
    assert entry.action == ""


def test_leaving_a_running_knockout_has_a_warning() -> None:
    knockout = terms(format="knockout")
    assert leave_warning(None) == ""
    assert leave_warning(tournament_state(ANN, terms=knockout)) == ""
    assert leave_warning(tournament_state(ANN, status="running")) == ""
    running = tournament_state(ANN, terms=knockout, status="running")
    assert "cannot come back" in leave_warning(running)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            tournament_state(ANN, status="running"),
            "The tournament Spring has started. Your games come by themselves.",
        ),
        (tournament_state(ROBO, status="running"), ""),
        (tournament_state(entrant("Ann", state="left")), ""),
        (
            tournament_state(
                entrant("Ann", state="aside", reason="was away for 9 s"), status="running"
            ),
            "You were excluded from the tournament Spring: was away for 9 s.",
        ),
        (
            tournament_state(ROBO, entrant("Ann", place=2), status="finished", games_played=2),
            "The tournament Spring is over: you are in place 2 of 2.",
        ),
        (
            tournament_state(ROBO, status="finished", games_played=2),
            "The tournament Spring is over.",
        ),
        (
            tournament_state(ANN, status="cancelled"),
            "The tournament Spring was ended before its time.",
        ),
    ],
)
def test_news(state: TournamentState, said: str) -> None:
    assert news_line(state, "Ann") == said
    assert is_aside(state, "Ann") is said.startswith("You were excluded")


def test_the_text_after_a_tournament_game() -> None:
    assert game_note("", None, "Ann") == "A game of a tournament."
    assert game_note("Spring", None, "Ann") == "A game of the tournament Spring."
    running = tournament_state(ANN, status="running")
    assert game_note("Spring", running, "Ann").endswith("it opens automatically.")
    assert game_note("Spring", running, "Ben") == "A game of the tournament Spring."
    over = tournament_state(ROBO, entrant("Ann", place=2), status="finished", games_played=2)
    assert game_note("Spring", over, "Ann") == (
        "A game of the tournament Spring. It is over: you are in place 2 of 2."
    )
