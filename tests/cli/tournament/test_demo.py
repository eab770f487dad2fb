"""Tests for the demo: a tournament of bots and a final of the winner."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from doublecross.cli.tournament.demo import FULL, QUICK, finalists
from doublecross.games.record import parse_records
from doublecross.stats.results import Place
from doublecross.stats.summary import summarise
from tests.cli.commands import running
from tests.stats.tournaments import pair, results


def test_a_demo_plays_a_tournament_and_a_final(tmp_path: Path) -> None:
    with running("demo", "--quick", "--bots", "random greedy", cwd=tmp_path, forks=True) as demo:
        assert demo.wait() == 0, demo.errors
        text = "\n".join(demo.seen)
    assert re.search(r"Watch the games in a browser: http://127\.0\.0\.1:\d+/watch", text)
    assert "Winner: greedy" in text
    assert "The final: greedy against random on 3x3" in text
    assert re.search(r"Score: \d", text)
    (folder,) = (tmp_path / "data/doublecross").iterdir()
    games = parse_records((folder / "games.txt").read_text("utf-8"))
    assert len(games) == 20
    (final,) = parse_records((folder / "final.txt").read_text("utf-8"))
    assert final.players == ("greedy", "random")
    assert final.result != "*"
    assert f"replay {folder / 'final.txt'}" in text
    page = re.findall(r"http://127\.0\.0\.1:\d+/watch", text)
    assert page[0] == page[1], "the final is on the page of the tournament"
    # The same players play it, on the same server, so its database shows the final too.
    database = folder / "ladder.db"
    assert f"serve --database {database}" in text
    with running("export", "--database", str(database), "-o", "all.txt", cwd=tmp_path) as export:
        assert export.wait() == 0, export.errors
    kept = parse_records((tmp_path / "all.txt").read_text("utf-8"))
    assert len(kept) == 21
    assert [game.players for game in kept if game.moves == final.moves] == [final.players]


@pytest.mark.parametrize(("third", "opponent"), [(0, "C"), (2, "B")])
def test_the_winner_meets_the_best_bot_that_it_clearly_beat(third: int, opponent: str) -> None:
    found = results(
        ["A", "B", "C"],
        [*pair(0, (0, 1), 0, 1), *pair(1, (0, 2), third, third), *pair(2, (1, 2), 1, 2)],
        places=(Place(1, 3.0), Place(2, 2.0), Place(3, 1.0)),
    )
    assert finalists(summarise(found, Random(1))) == ("A", opponent)


def test_the_quick_demo_compiles_nothing() -> None:
    assert not {"mcts", "solver", "champion", "hard", "perfect"} & set(QUICK.bots)
    assert len(QUICK.bots) < len(FULL.bots)
