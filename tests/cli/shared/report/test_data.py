"""Tests for JSON and CSV: every documented key, and numbers that programs can read."""

from __future__ import annotations

import csv
import io
import json
import math
from random import Random

import doublecross.cli.shared.report.data
from doublecross.cli.shared.report.data import (
    GAME_COLUMNS,
    PLAYER_COLUMNS,
    as_json,
    games_csv,
    players_csv,
)
from doublecross.stats.results import Encounter, Place
from doublecross.stats.summary import Summary, summarise
from tests.stats.tournaments import game, pair, results, tournament


def clean() -> Summary:
    """Return a summary in which A has won everything and C has not played."""
    games = [
        *[g for at in range(6) for g in pair(at, (0, 1), 0, 0)],
        *pair(6, (0, 1), None, 1, void=True, termination="void"),
        game(7, 0, (0, 1), 1, name='odd, "name"'),
    ]
    return summarise(results(["A", "'=B,\ufffd", "C"], games), Random(5), anchor=1)


def cup() -> Summary:
    """Return a summary in which B wins by a bye ahead of A, who beat B; C was absent."""
    games = [*pair(1, (0, 1), 0, None, opening=(3, 8)), *pair(3, (1, 0), 1, 0, opening=(4, 8))]
    found = results(
        ["A", "B", "C"],
        games,
        format="swiss",
        places=(Place(2, 2.5), Place(1, 3.5, byes=1), Place(3, 0.0)),
        encounters=(
            Encounter(1, 1, None, (0,)),
            Encounter(2, 0, 1, (1, 3)),
            Encounter(2, 2, 0, (2,)),
        ),
    )
    return summarise(found, Random(5))


def test_places_and_rounds_are_in_json_and_csv() -> None:
    data = json.loads(json.dumps(as_json(cup()), allow_nan=False))
    assert (data["order"], data["winners"], data["format"]) == ([1, 0, 2], [1], "swiss")
    b = data["players"][1]
    assert (b["place"], b["total"], b["bonus"], b["points"]) == (1, 3.5, 2.0, 1.5)
    assert data["openings"] == 2
    assert data["first_mover"]["interval"] == [None, None]
    assert data["rounds"] == [
        {"round": 1, "players": [1, None], "pairs": [1], "points": None, "onward": None},
        {"round": 2, "players": [0, 1], "pairs": [2, 4], "points": [2.5, 1.5], "onward": None},
        {"round": 2, "players": [2, 0], "pairs": [3], "points": None, "onward": None},
    ]
    assert any(note.startswith("All pairs are from 2 openings") for note in data["notes"])
    assert "Pair 1 (B) was a bye, without games." in data["notes"]
    games = rows(games_csv(cup()))
    assert [row["pair"] for row in games] == ["2", "2", "4", "4"]
    assert {row["round"] for row in games} == {"2"}
    assert [row["opening"] for row in games] == ["3 8", "3 8", "4 8", "4 8"]
    players = rows(players_csv(cup()))
    assert [(row["rank"], row["place"], row["name"]) for row in players] == [
        ("1", "1", "B"),
        ("2", "2", "A"),
        ("3", "3", "C"),
    ]
    assert (players[0]["total"], players[0]["bonus"], players[0]["points"]) == ("3.5", "2", "1.5")


def test_a_bound_is_not_written_as_elo() -> None:
    games = [g for at in range(6) for g in pair(at, (0, 1), 0, 1 if at else 0)]
    games += [g for at in range(6, 12) for g in pair(at, (0, 2), 0, 0)]
    found = summarise(results(["A", "B", "C"], games), Random(5))
    a, b, c = as_json(found)["players"]
    assert set(as_json(found)["home"]) == {0, 1}
    assert a["elo"] > b["elo"]
    assert c["elo"] is c["elo_interval"][0] is None
    assert c["elo_interval"][1] < 0
    assert rows(players_csv(found))[2]["elo"] == ""


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_json_has_no_infinities() -> None:
    text = json.dumps(as_json(clean()), allow_nan=False)
    data = json.loads(text)
    a, _, c = data["players"]
    assert a["elo"] is None
    assert a["elo_interval"][0] > 0
    assert a["elo_interval"][1] is None
    assert a["pentanomial"] == [0, 0, 0, 0, 6]
    assert (c["elo"], c["elo_interval"], c["net"], c["mean_s"], c["score"]) == (None,) * 5
    assert data["unfinished"] == ['odd, "name"']
    assert data["void"] == ["6.0", "6.1"]
    assert data["los"][0][0] is data["los"][0][2] is None
    assert data["los"][0][1] > 0.99
    assert data["anchor"] == 1
    assert data["order"] == [0, 1, 2]
    assert [cell["player"] for cell in data["crosstable"]] == [0, 1]


def test_json_matches_the_summary() -> None:
    found = summarise(tournament({"A": 100, "B": 0, "C": 0}, 5), Random(5), resamples=50)
    data = as_json(found)
    assert data["games"] == 2 * data["pairs"] == 30
    assert sum(data["decided"]) == 15
    assert sum(data["terminations"].values()) == 30
    for standing, player in zip(found.standings, data["players"], strict=True):
        assert standing.rating is not None
        assert player["elo"] == standing.rating.elo == player["course"][-1] or math.isclose(
            player["elo"], player["course"][-1], abs_tol=1e-6
        )
        assert player["points"] == sum(
            cell["points"]
            for cell in data["crosstable"]
            if data["players"][cell["player"]] is player
        )
    assert json.loads(json.dumps(data)) == data


def test_every_key_of_the_json_is_documented() -> None:
    data = as_json(clean())
    parts = (data["players"][0], data["crosstable"][0], as_json(cup())["rounds"][0])
    keys = {*data, *data["first_mover"]}.union(*parts)
    missing = [
        key for key in keys if f"`{key}`" not in (doublecross.cli.shared.report.data.__doc__ or "")
    ]
    assert missing == []


def test_a_line_for_each_game() -> None:
    found = rows(games_csv(clean()))
    assert len(found) == 15
    assert tuple(found[0]) == GAME_COLUMNS
    assert [row["pair"] for row in found] == [str(n) for n in range(1, 8) for _ in "ab"] + ["8"]
    assert {row["round"] for row in found} == {""}
    assert [row["counted"] for row in found] == ["yes"] * 12 + ["no"] * 3
    assert (found[0]["winner"], found[1]["winner"]) == ("first", "second")
    assert (found[1]["first"], found[1]["second"]) == ("'=B,\ufffd", "A")
    assert (found[1]["score_first"], found[1]["score_second"]) == ("4", "5")
    assert [row["winner"] for row in found[12:14]] == ["", ""]
    assert found[14]["record"] == 'odd, "name"'
    assert float(found[0]["mean_s_second"]) == 0.02


def test_a_line_for_each_player() -> None:
    found = rows(players_csv(clean()))
    assert tuple(found[0]) == PLAYER_COLUMNS
    assert [row["name"] for row in found] == ["A", "'=B,\ufffd", "C"]
    assert [row["rank"] for row in found] == ["1", "2", "3"]
    assert {row["place"] for row in found} == {""}
    assert (found[0]["points"], found[0]["games"], found[0]["score"]) == ("12", "12", "1")
    assert found[0]["elo_high"] == ""
    assert float(found[0]["elo_low"]) > 0
    assert found[2]["elo"] == found[2]["mean_s"] == ""
    assert [found[1][f"pairs_{n}"] for n in ("0", "0.5", "1", "1.5", "2")] == list("60000")
