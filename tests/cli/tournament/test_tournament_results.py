"""Tests for the results of a tournament: the conversion for statistics, and the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doublecross.cli.shared.console import Problem, out
from doublecross.cli.shared.report.files import players_path
from doublecross.cli.tournament import results as tournament_results
from doublecross.cli.tournament.pairings import pairings_table
from doublecross.cli.tournament.results import ResultFiles, results_of, summary_of
from doublecross.stats.results import Encounter, Place

TERMS: dict[str, Any] = {
    "format": "round-robin",
    "rounds": None,
    "tie_breaks": ["net"],
    "pairs": 2,
    "hero": None,
    "seed": 7,
    "settings": {
        "game": "dots-and-boxes",
        "params": {"rows": 2, "cols": 2},
        "time": {"base_ms": 10_000, "increment_ms": 100, "move_ms": None},
    },
}


def game(pair: int, number: int, *, attempt: int = 1, **given: Any) -> dict[str, Any]:
    """Return a game that Ann wins; she has seat 0 in the first game of a pair."""
    players = ["Ann", "Bob"] if number == 0 else ["Bob", "Ann"]
    return {
        "id": f"r{pair}{number}{attempt}-1",
        "pair": pair,
        "game": number,
        "attempt": attempt,
        "players": players,
        "engines": [f"{player.lower()} 1" for player in players],
        "winner": number,
        "scores": [3, 1] if number == 0 else [1, 3],
        "termination": "completed",
        "moves": [5, 0],
        "thought_ms": [1000, 0],
        "longest_ms": [500, 0],
        "finished_ms": 10 * pair + number,
    } | given


def pairing(number: int, round_: int, *players: str | None) -> dict[str, Any]:
    opening = [number, 7]
    return {
        "number": number,
        "round": round_,
        "players": players,
        "opening": opening,
        "state": "done",
    }


def entrant(player: str, place: int = 1, points: float = 0.0, **given: Any) -> dict[str, Any]:
    return {
        "player": player,
        "engine": f"{player.lower()} 1",
        "state": "in",
        "reason": "",
        "place": place,
        "points": points,
    } | given


def tournament(*games: dict[str, Any], **given: Any) -> dict[str, Any]:
    return {
        "id": "t1",
        "name": "Spring",
        "status": "finished",
        "terms": TERMS,
        "entrants": [entrant("Bob", 2), entrant("Ann")],
        "pairings": [pairing(number, number, "Ann", "Bob") for number in range(2)],
        "games": list(games),
    } | given


def test_players_are_numbered_as_entrants_and_times_are_seconds() -> None:
    results = results_of(tournament(game(0, 0), game(0, 1)))
    assert (results.title, results.game) == ("Spring", "Dots and Boxes 2x2")
    assert results.settings == "round robin, 2 pairs when two meet, 10+0.1, seed 7"
    assert [player.name for player in results.players] == ["Bob", "Ann"]
    first, second = results.games
    assert (first.players, second.players) == ((1, 0), (0, 1))
    assert (first.winner, first.scores) == (0, (3, 1))
    assert (first.mean_s, first.longest_s) == ((0.2, 0.0), (0.5, 0.0))
    assert results.notes == ()
    assert [each.opening for each in results.games] == [(0, 7), (0, 7)]
    assert results.encounters == ()


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        (
            {"format": "gauntlet", "hero": "Ann", "pairs": 1},
            "gauntlet of Ann, 1 pair when two meet",
        ),
        ({"format": "swiss", "rounds": 3}, "Swiss, 3 rounds, 2 pairs when two meet"),
        ({"format": "ladder", "rounds": 30, "pairs": 1}, "ladder, 30 pairs"),
        ({"format": "ladder", "pairs": 1}, "ladder"),
    ],
)
def test_settings_say_how_much_is_played(terms: dict[str, Any], text: str) -> None:
    found = results_of(tournament(terms=TERMS | terms)).settings
    assert found == f"{text}, 10+0.1, seed 7"


def test_a_swiss_tournament_has_its_own_points_and_byes() -> None:
    """Bob is first because of a bye, although Ann has won more games."""
    played = tournament(
        *[game(0, number) for number in (0, 1)],
        entrants=[entrant("Bob", 1, 4.0), entrant("Ann", 2, 2.0)],
        pairings=[pairing(0, 0, "Ann", "Bob"), pairing(1, 1, "Bob", None)],
        terms=TERMS | {"format": "swiss", "rounds": 2},
    )
    results = results_of(played)
    assert results.places == (Place(1, 4.0, 1, 4.0), Place(2, 2.0, 0, 0.0))
    assert results.winners == (0,)
    assert results.encounters == (Encounter(1, 1, 0, (0,)), Encounter(2, 0, None, (1,)))
    summary = summary_of(played)
    assert summary.order == (0, 1)
    assert [summary.bonus(number) for number in (0, 1)] == [4.0, 0.0]


def test_encounters_of_a_knockout_name_who_went_on() -> None:
    names = ["Ann", "Bob", "Cyd"]
    played = tournament(
        entrants=[entrant(name, place) for name, place in zip(names, (1, 2, 3), strict=True)],
        pairings=[
            pairing(0, 0, "Ann", None),
            pairing(1, 0, "Bob", "Cyd"),
            pairing(2, 0, "Bob", "Cyd"),
            pairing(3, 1, "Ann", "Bob"),
        ],
        terms=TERMS | {"format": "knockout"},
    )
    assert results_of(played).encounters == (
        Encounter(1, 0, None, (0,), onward=0),
        Encounter(1, 1, 2, (1, 2), onward=1),
        Encounter(2, 0, 1, (3,), onward=0),
    )
    going = results_of(played | {"status": "running"})
    assert [each.onward for each in going.encounters] == [0, 1, None]
    assert going.winners == ()


def test_the_pairings_of_the_present_round_have_their_scores_so_far(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ["Ann", "Bob", "Cyd", "Dan", "Eve"]
    swiss = tournament(
        game(0, 0),
        *(game(1, number, attempt=attempt) for attempt in (1, 2) for number in (0, 1)),
        game(2, 0, winner=None),
        entrants=[entrant(name) for name in names],
        pairings=[
            pairing(0, 0, "Ann", "Eve") | {"state": "unplayed"},
            pairing(1, 1, "Ann", "Bob"),
            pairing(2, 1, "Bob", "Ann") | {"state": "open"},
            pairing(3, 1, "Cyd", "Dan") | {"state": "unplayed"},
            pairing(4, 1, "Eve", None),
        ],
        live=[{"pair": 2}],
        terms=TERMS | {"format": "swiss", "rounds": 3},
    )

    def shown(body: dict[str, Any], *, every: bool = False) -> list[str]:
        out().print(pairings_table(body, every=every))
        return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]

    present = ["2 Ann Bob 2½–½ 3 of 4 playing", "2 Cyd Dan 0–0 0 of 4 unplayed", "2 Eve bye"]
    assert shown(swiss) == ["Round Player Opponent Score Games", *present]
    assert shown(swiss, every=True)[1:] == ["1 Ann Eve 1–0 1 of 4 unplayed", *present]
    # Without rounds only those appear who have a game to play now.
    assert shown(swiss | {"terms": TERMS})[1:] == ["Ann Bob 2½–½ 3 of 4 playing"]
    knockout = {"terms": TERMS | {"format": "knockout"}, "live": []}
    assert shown(swiss | knockout)[1] == "2 Ann Bob 2½–½ 3 of 4 Ann goes on"


def test_a_ladders_order_is_by_rating() -> None:
    assert results_of(tournament(terms=TERMS | {"format": "ladder"})).places == ()


def test_only_the_last_attempt_of_a_pair_counts() -> None:
    played = tournament(
        game(0, 0),
        game(0, 1, termination="aborted", winner=None),
        game(0, 0, attempt=2),
        game(0, 1, attempt=2),
        game(1, 0),
        game(1, 1, termination="void", winner=None),
    )
    results = results_of(played)
    assert [each.void for each in results.games] == [True, True, False, False, True, True]
    summary = summary_of(played)
    assert len(summary.pairs) == 1
    assert summary.standings[1].games == 2


def test_notes_name_players_who_are_out_and_how_the_tournament_ended() -> None:
    entrants = [
        entrant("Ann", state="aside", reason="lost 3 games in a row"),
        entrant("Bob", state="left", reason="left"),
        entrant("Cyd", state="aside", reason="excluded by the organiser"),
        entrant("Dee", state="aside"),
    ]
    notes = results_of(tournament(entrants=entrants, status="running")).notes
    assert notes == (
        "Ann was excluded: lost 3 games in a row (the tables count whole pairs only).",
        "Bob has left.",
        "Cyd was excluded by the organiser.",
        "Dee was excluded.",
        "The tournament is not over.",
    )
    ended = "The tournament was ended before its time."
    assert results_of(tournament(status="cancelled")).notes == (ended,)
    for rounds, noted in ((9, (ended,)), (None, ())):
        terms = TERMS | {"format": "ladder", "rounds": rounds}
        assert results_of(tournament(status="cancelled", terms=terms)).notes == noted


def test_files_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    ResultFiles(csv=games).check()
    assert players_path(games) == tmp_path / "games-players.csv"
    (tmp_path / "games-players.csv").mkdir()
    for files, says in (
        (ResultFiles(csv=games), "games-players.csv cannot be written: it is a folder"),
        (ResultFiles(csv=Path()), "it is a folder"),
        (ResultFiles(report=tmp_path / "no" / "a.html"), "there is no such folder"),
        (ResultFiles(records=tmp_path), "it is a folder"),
        (ResultFiles(tmp_path / "a", tmp_path / "a"), "cannot be written twice"),
        (ResultFiles(tmp_path / "a", records=tmp_path / "b" / ".." / "a"), "no such folder"),
        (ResultFiles(json=tmp_path / "a-players.csv", csv=tmp_path / "a.csv"), "written twice"),
    ):
        with pytest.raises(Problem, match=says):
            files.check()


def test_a_report_holds_its_records_or_links_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = summary_of(tournament(game(0, 0), game(0, 1)))
    record = """\
[Game "dots-and-boxes"]
[Size "1x1"]
[Seat0 "Ann"]
[Seat1 "Bob"]
[Room "r001"]
[Result "0-1"]
[Termination "completed"]

1. b1 2. a2 3. c2 4. b3 0-1
"""
    path = tmp_path / "a.html"
    files = ResultFiles(report=path)
    for http in ("", "http://here:1"):
        assert files.needs_records(2)
        files.write(summary, http, record)
        assert "1. b1 2. a2" in path.read_text()
        assert "http://here" not in path.read_text()
    monkeypatch.setattr(tournament_results, "MOST_EMBEDDED", 1)
    assert not files.needs_records(2)
    files.write(summary, "http://here:1", "")
    assert "1. b1 2. a2" not in path.read_text()
    assert "http://here:1/api/games/r001-1?format=text" in path.read_text()
    capsys.readouterr()
    files.write(summary, "", "")
    assert "The page does not hold so many records" in capsys.readouterr().err
    assert ResultFiles(records=path).needs_records(2)
