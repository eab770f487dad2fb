"""Check the model of tournaments: lines, tables, requests and permissions."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.client.tk.models.lobby.past import PastTournament
from doublecross.client.tk.models.lobby.tournaments import (
    EVERY_S,
    SOON_S,
    TournamentsModel,
    game_note,
    is_aside,
    news_line,
    progress_line,
    short_line,
    terms_text,
    tournament_line,
)
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import TournamentState
from tests.client.tk.models.contests import SETTINGS, entrant, line, terms, tournament_state

ANN = entrant("Ann")
ROBO = entrant("robo", engine="rules 1")


def opened(*states: TournamentState, **given: Any) -> TournamentsModel:
    """Return Ann's view of the tournament t1 with the lobby entry `given`."""
    model = TournamentsModel("Ann")
    model.take_lines((line(**given),))
    for state in states:
        model.take(state)
    return model


# -- what there is -----------------------------------------------------------------------------


def test_the_lobby_summarises_tournaments_in_a_line() -> None:
    small = SETTINGS.model_copy(update={"params": {"rows": 3, "cols": 3}})
    spring = line(settings=small, entrants=1)
    summer = line(name="Summer", settings=small, entrants=4, status="running")
    assert tournament_line(()) == ""
    assert tournament_line((spring,)) == (
        "Tournament Spring is open: round robin, Dots and Boxes 3x3, 1 player."
    )
    assert tournament_line((spring, summer, spring)).endswith(
        "Tournament Summer is running: round robin, Dots and Boxes 3x3, 4 players."
        " 1 more is open or running."
    )
    assert tournament_line((spring,) * 5).endswith("3 more are open or running.")
    assert short_line(()) == ""
    assert short_line((spring,)) == "1 tournament is open or running."
    assert short_line((spring, summer)) == "2 tournaments are open or running."


def test_each_has_a_line_in_the_list() -> None:
    model = TournamentsModel("Ann")
    assert model.rows == []
    model.take_lines(
        (
            line("t1", entrants=3),
            line("t2", name="Summer", people=False, format="knockout"),
            line("t3", name="Autumn", people=False, status="running"),
        )
    )
    assert [(row.key, row.cells) for row in model.rows] == [
        ("t1", ("Spring", "round robin", "Dots and Boxes 2x2", "10 min + 1 s", "3", "open")),
        ("t2", ("Summer", "knockout", "Dots and Boxes 2x2", "10 min + 1 s", "0", "open to bots")),
        ("t3", ("Autumn", "round robin", "Dots and Boxes 2x2", "10 min + 1 s", "0", "on")),
    ]
    assert model.chosen == "t1"
    assert model.name == "Spring"


def test_one_that_has_ended_stays_in_the_list() -> None:
    model = opened(tournament_state(ANN))
    model.take_lines(())
    assert [row.cells[-1] for row in model.rows] == ["open"]  # No detailed state has arrived yet.
    model.take(tournament_state(ANN, status="finished", games_played=2))
    assert [(row.cells[-1], row.kind) for row in model.rows] == [("over", "finished")]
    assert model.chosen == "t1"


def test_the_table() -> None:
    model = opened(
        tournament_state(
            entrant("robo", engine="rules 1", games=4, points=3.5, net=6, playing=1),
            entrant("Ann", place=2, games=4, points=0.5, net=-6),
            entrant("Ben", place=3, online=False),
            entrant("Cid", place=3, state="left"),
            entrant("Dan", place=5, state="aside", reason="lost 3 games in a row"),
            entrant("Eve", place=6, state="aside"),
            status="running",
        )
    )
    assert [row.cells for row in model.table] == [
        ("1. robo (bot)", "playing", "4", "3½", "+6"),
        ("2. Ann (you)", "", "4", "½", "-6"),
        ("3. Ben", "away", "0", "0", "0"),
        ("3. Cid", "left", "0", "0", "0"),
        ("5. Dan", "aside: lost 3 games in a row", "0", "0", "0"),
        ("6. Eve", "set aside", "0", "0", "0"),
    ]
    assert [row.kind for row in model.table] == ["person"] * 3 + ["finished"] * 3
    assert model.about("robo") == "robo plays by rules 1."
    assert model.about("Dan") == "Dan was set aside (lost 3 games in a row)."
    assert model.about("Cid") == "Cid has left."
    assert model.about("Ann") == model.about("nobody") == ""


def test_before_the_start_nobody_has_a_place_and_after_the_end_nobody_is_away() -> None:
    gone = entrant("Ben", online=False)
    assert opened(tournament_state(gone)).table[0].cells[:2] == ("Ben", "away")
    over = opened(tournament_state(gone, status="finished")).table[0]
    assert over.cells[:2] == ("1. Ben", "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pairs": 2}, "Every two play 2 game pairs."),
        ({"format": "gauntlet"}, "Who joined first plays 1 game pair against each other player."),
        (
            {"format": "gauntlet", "hero": "robo"},
            "robo plays 1 game pair against each other player.",
        ),
        (
            {"format": "swiss", "rounds": 5},
            "5 rounds of 1 game pair between players of about the same points.",
        ),
        ({"format": "knockout", "pairs": 3}, "The loser of 3 game pairs is out."),
        (
            {"format": "ladder"},
            "Free players with similar ratings meet, until it is ended.",
        ),
        (
            {"format": "ladder", "rounds": 40},
            "Free players with similar ratings meet, 40 game pairs in all.",
        ),
    ],
)
def test_the_terms_in_words(given: dict[str, Any], said: str) -> None:
    assert terms_text(tournament_state(terms=terms(**given))).startswith(
        f"{said} Casual. Who loses"
    )


def test_who_may_play() -> None:
    rated = MatchSettings(game="dots-and-boxes", rated=True)
    assert terms_text(
        tournament_state(terms=terms(people=False, patience=1, settings=rated, phrases=False))
    ) == (
        "Every two play 1 game pair. Rated. Who loses 1 game by time or absence is set"
        " aside. Organised by Olga; for bots only, without quick phrases."
    )
    late = terms(invited=("Ann", "Ben"), late=True)
    assert terms_text(tournament_state(terms=late)).endswith(
        "Organised by Olga; people and bots may join, by invitation, also after the start."
    )
    assert terms_text(tournament_state(terms=terms(format="ladder"))).endswith(
        "also after the start."
    )


def test_the_progress_in_words() -> None:
    assert progress_line(tournament_state()) == "Olga has not started it yet"
    running: dict[str, Any] = {"status": "running", "games_played": 4}
    assert progress_line(tournament_state(games_planned=12, **running)) == "4 of 12 games played"
    assert progress_line(tournament_state(**running)) == "4 games played"
    assert (
        progress_line(tournament_state(status="finished", games_played=12)) == "Over after 12 games"
    )
    assert progress_line(tournament_state(status="cancelled", games_played=1)) == (
        "Ended before its time, after 1 game"
    )
    many = tournament_state(ANN, entrants_total=300, games_planned=9, **running)
    assert progress_line(many) == "4 of 9 games played · the first 1 of 300 are listed"


# -- when one asks -----------------------------------------------------------------------------


def test_the_state_is_requested_at_once_and_then_every_few_seconds() -> None:
    model = opened()
    assert model.progress == "Loading the table ..."
    assert model.due(10.0) == "t1"
    assert model.due(99.0) == ""  # The request has no answer yet.
    model.take(tournament_state())
    assert model.due(10.0 + EVERY_S - 0.01) == ""
    assert model.due(10.0 + EVERY_S) == "t1"


def test_a_changed_lobby_entry_causes_an_early_request() -> None:
    model = opened()
    model.due(10.0)
    model.take(tournament_state())
    model.take_lines((line(),))  # The lobby entry is unchanged.
    assert model.due(10.0 + SOON_S) == ""
    model.take_lines((line(entrants=1),))
    assert model.due(10.0 + SOON_S - 0.01) == ""
    assert model.due(10.0 + SOON_S) == "t1"
    model.take(tournament_state(ANN))
    assert model.due(10.0 + 2 * SOON_S) == ""
    # A change in another tournament's entry causes no request.
    model.take_lines((line(entrants=1), line("t2")))
    assert model.due(10.0 + 2 * SOON_S) == ""


def test_selecting_another_tournament_requests_it_at_once_but_not_twice() -> None:
    model = opened()
    model.take_lines((line("t1"), line("t2")))
    assert model.due(10.0) == "t1"
    model.choose("t2")
    assert model.due(10.1) == ""
    model.answered("t1", "There is no tournament t1.")
    assert model.problem == ""  # The answer belongs to the other tournament.
    assert model.due(10.2) == "t2"
    model.take(tournament_state(key="t2"))
    model.choose("t2")  # It is already chosen.
    assert model.due(10.3) == ""


def test_a_refusal_is_shown_until_there_is_an_answer() -> None:
    model = opened()
    model.due(10.0)
    model.answered("t1", "The server's storage does not answer; try again.")
    assert model.progress == "The server's storage does not answer; try again."
    assert model.due(10.0 + EVERY_S) == "t1"
    model.take(tournament_state())
    assert model.progress == "Olga has not started it yet"


def test_an_ended_tournament_is_not_requested_again() -> None:
    model = opened(tournament_state(ANN, status="running"))
    model.take_lines(())
    assert model.due(10.0) == "t1"
    model.take(tournament_state(ANN, status="finished"))
    assert model.due(99.0) == ""


def test_a_tournament_outside_the_lobby_can_be_requested() -> None:
    model = TournamentsModel("Ann", "t9")
    model.take_lines((line(),))
    assert model.chosen == model.due(1.0) == "t9"
    assert (model.name, model.table, model.terms, model.may_join) == ("", [], "", False)
    model.take(tournament_state(ANN, key="t9", status="finished"))
    assert [row.key for row in model.rows] == ["t1", "t9"]
    assert model.name == "Spring"
    assert not model.may_join
    assert not model.may_leave


def test_without_tournaments_nothing_is_requested() -> None:
    model = TournamentsModel("Ann")
    model.take_lines(())
    assert (model.chosen, model.due(1.0), model.progress, model.name) == ("", "", "", "")


# -- joining and leaving -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "mine", "may_join", "may_leave"),
    [
        (True, None, True, False),
        (False, None, False, False),
        (True, "in", False, True),
        (False, "in", False, True),
        (True, "left", True, False),
        (False, "left", True, False),  # A player can usually come back; the server decides.
        (True, "aside", False, False),
    ],
)
def test_who_may_join_and_who_may_leave(
    people: bool, mine: str | None, may_join: bool, may_leave: bool
) -> None:
    entrants = (ROBO,) if mine is None else (ROBO, entrant("Ann", state=mine))
    model = opened(tournament_state(*entrants), people=people)
    assert (model.may_join, model.may_leave) == (may_join, may_leave)


def test_joining_waits_until_the_entrants_are_known() -> None:
    assert not opened().may_join


def test_leaving_a_running_knockout_warns_once() -> None:
    knockout = terms(format="knockout")
    assert opened(tournament_state(ANN, terms=knockout)).warning() == ""
    assert opened(tournament_state(ANN, status="running")).warning() == ""
    model = opened(tournament_state(ANN, terms=knockout, status="running"))
    assert "cannot come back" in model.warning()
    assert model.warning() == ""
    model.take_lines((line("t1"), line("t2")))
    model.choose("t2")
    model.choose("t1")
    assert "cannot come back" in model.warning()


def test_an_own_change_causes_a_request_at_once() -> None:
    model = opened()
    model.due(10.0)
    model.take(tournament_state())
    model.hurry()
    assert model.due(10.1) == "t1"


# -- news and notes ----------------------------------------------------------------------------


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
            "You were set aside in the tournament Spring: was away for 9 s.",
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
    assert is_aside(state, "Ann") is said.startswith("You were set aside")


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


def test_tournaments_that_have_ended_are_listed_after_those_of_the_lobby() -> None:
    model = TournamentsModel("Ann")
    old = {"id": "t8", "status": "finished", "terms": terms(name="Winter").model_dump(mode="json")}
    past = PastTournament.parse(old)
    model.take_past([past])
    assert model.chosen == "t8"
    assert model.name == "Winter"
    assert not model.has_games
    model.take_lines([line("t1")])
    assert [(row.key, row.cells[0], row.cells[-1]) for row in model.rows] == [
        ("t1", "Spring", "open"),
        ("t8", "Winter", "over"),
    ]
    assert model.due(0.0) == "t8"
    model.take(tournament_state(ANN, key="t8", status="finished", games_played=2))
    assert model.has_games
    assert [row.key for row in model.rows] == ["t1", "t8"]
