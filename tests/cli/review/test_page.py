"""The page of a review: it needs no other file, shows what the report says, and escapes names."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.report import GameReport, make_report
from doublecross.bots.judging.judge import BoxesJudge, ReviewLimits
from doublecross.bots.judging.solved import SolvedJudge
from doublecross.bots.zero.net import Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.cli.main import main
from doublecross.cli.review.curve import curve_svg
from doublecross.cli.review.page import MOST_BOARDS, page
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game
from tests.cli.review.test_review import GAME, MOVES


def recorded(names: str, **more: str) -> Record:
    moves = tuple(RecordedMove(GAME.parse_action(name)) for name in names.split())
    return Record(GAME, ("<i>Ann & co", "Bob\u202e"), moves, **more)


def report_of(record: Record, limits: ReviewLimits | None = None) -> GameReport:
    judge = BoxesJudge(GAME.board, Uniform(PLANES), limits or ReviewLimits(memory_mb=4))  # type: ignore[attr-defined]
    return make_report(record.game, (), [move.action for move in record.moves], judge)


def test_the_page_shows_the_report_and_needs_nothing_else() -> None:
    record = recorded(MOVES, result="1/2-1/2", termination="completed")
    text = page(record, report_of(record))
    assert text == page(record, report_of(record))
    assert "&lt;i&gt;Ann &amp; co" in text
    assert "<i>" not in text
    assert "\u202e" not in text
    assert "<script" not in text
    assert not re.findall(r"""(?:src=|href|url\(|@import)""", text)
    assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert "move 12 (e2)" in text
    assert "Leaving 2 of them by g2 would have won 4-2." in text
    assert text.count("<tr>") == len(record.moves) + 1
    assert ">12*</th>" in text
    assert text.count("<figcaption>") == text.count('class="in-dark"')
    assert 0 < text.count("<figcaption>") <= MOST_BOARDS
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(svg)
    assert "~" not in text


def test_the_curve_marks_estimates_the_turning_point_and_costly_moves() -> None:
    record = recorded(MOVES)
    exact = report_of(record)
    svg = curve_svg(record, exact)
    assert svg.count("<circle") == sum(move.cost.boxes >= 0.5 for move in exact.moves)
    assert svg.count('class="turning"') == 1
    assert 'class="band"' not in svg
    guessed = report_of(record, ReviewLimits(nodes=5, simulations=8, memory_mb=4))
    assert not guessed.moves[0].before.exact
    assert 'class="band"' in curve_svg(record, guessed)
    assert "~" in page(record, guessed)
    (points,) = re.findall(r'<polyline points="([^"]*)"', svg)
    assert len(points.split()) == len(record.moves) + 1


def test_games_without_boxes_have_pages_without_boxes() -> None:
    game = make_game("tic-tac-toe")
    actions = [game.parse_action(name) for name in ["a1", "a2", "b2", "c3", "b1", "c1", "b3"]]
    record = Record(game, ("X", "O"), tuple(map(RecordedMove, actions)), result="1-0")
    report = make_report(game, (), actions, SolvedJudge(game))
    text = page(record, report)
    assert report.worst(1) is not None
    assert "the draw" in text
    assert "X wins" in text
    assert "box" not in re.sub(
        r"(viewBox|<style.*?</style>|<svg.*?</svg>)", "", text, flags=re.DOTALL
    )


def test_a_game_without_a_loss_says_so() -> None:
    game = make_game("tic-tac-toe")
    actions = [game.parse_action(name) for name in ["b2", "a1"]]
    record = Record(game, ("X", "O"), tuple(map(RecordedMove, actions)))
    report = make_report(game, (), actions, SolvedJudge(game))
    assert report.moves[0].before == Estimate(0.0)
    assert "No move certainly cost anything." in page(record, report)


def test_the_command_writes_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = make_game("tic-tac-toe")
    moves = tuple(RecordedMove(game.parse_action(name)) for name in ("b2", "a1"))
    Path("games.txt").write_text(format_record(Record(game, ("X", "O"), moves)))
    assert main(["review", "games.txt", "--html"]) == 0
    assert capsys.readouterr().err == "Wrote the review to games.html.\n"
    assert Path("games.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert main(["review", "games.txt", "--html", "--output", "no/such.html"]) == 2
    assert "no such folder" in " ".join(capsys.readouterr().err.split())
    assert main(["review", "games.txt", "--html", "--output", "games.txt"]) == 2
    assert "would replace games.txt" in " ".join(capsys.readouterr().err.split())
