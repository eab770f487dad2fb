"""`doublecross review`: tables, JSON, and files that cannot be reviewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.bots.judging import solved
from doublecross.cli.main import main
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import game_class, make_game
from tests.cli.samples import write_games

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 3})
# Ann opens the chain by b3; Bob takes boxes by e2 instead of keeping control.
MOVES = "b5 d5 d1 b3 d3 g4 f3 f1 b1 c2 a2 e2 g2 f5 e4 c4 a4"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    actions = [GAME.parse_action(name) for name in MOVES.split()]
    state = GAME.replay((), actions)
    first, second = state.scores()
    result = "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    moves = tuple(RecordedMove(action) for action in actions)
    record = Record(GAME, ("Ann", "[b]Bob"), moves, result=result, termination="completed")
    path.write_text(format_record(record))
    return path


def test_the_table_says_what_moves_cost_and_why(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(file)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    text = " ".join(captured.out.split())
    assert "Ann - [b]Bob, Dots and Boxes 2x3" in text
    assert (
        "Taking the last boxes gave up control. Leaving 2 of them by g2 would have won 4-2." in text
    )
    assert "The turning point is move 12 (e2)" in text
    assert "The costliest move of" in text
    assert "~" not in text


def test_json_has_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == 1
    assert report["turning"] == 11
    assert report["turning_sure"] is True
    move = report["moves"][11]
    assert GAME.action_name(move["action"]) == "e2"
    assert (move["cost"], move["sure"], move["every"]) == (1.0, True, True)
    assert [GAME.action_name(edge) for edge in move["best"]] == ["g2"]
    assert move["line"][0] == move["best"][0]
    assert move["before"]["spread"] == 0
    assert [phrase["rule"] for phrase in move["phrases"]] == [
        *("gave-up-control-won", "cost", "win-to-draw"),
    ]
    assert move["phrases"][1]["text"] == "It cost 1 box."
    assert len(report["accuracy"]) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--game", "3"], "holds 2 games; there is no game 3."),
        (["--json", "--html"], "Choose one of --json and --html."),
        (["--output", "x.html"], "--output names the file for --html; add --html."),
    ],
)
def test_games_that_cannot_be_reviewed(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    write_games(path)
    assert main(["review", str(path), *words]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_a_file_that_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    assert main(["review", str(path)]) == 2
    assert "is not a file of records" in " ".join(capsys.readouterr().err.split())


def test_a_game_without_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    path.write_text(format_record(Record(GAME, ("Ann", "Bob"), ())))
    assert main(["review", str(path)]) == 2
    assert "Game 1 has no moves" in capsys.readouterr().err


def of_marks(key: str, size: str, moves: str, result: str) -> str:
    game = make_game(key, game_class(key).parse_size(size))
    actions = [RecordedMove(game.parse_action(name)) for name in moves.split()]
    return format_record(
        Record(game, ("Ann", "Bob"), tuple(actions), result=result, termination="completed")
    )


def test_a_game_without_boxes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    path.write_text(of_marks("tic-tac-toe", "3x3x3", "a1 a2 b2 c3 b1 c1 b3", "1-0"))
    assert main(["review", str(path)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "It turned a draw into a loss." in text
    assert "2* Bob a2 b2 Ann wins the draw It turned" in text
    assert "The costliest move of Bob: move 2 (a2), the draw. Better: b2." in text
    assert "box" not in text


def test_a_game_that_is_too_large_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solved, "POSITIONS", 50)
    path = tmp_path / "games.txt"
    path.write_text(of_marks("connect-four", "6x7x4", "a b a b a b a", "1-0"))
    assert main(["review", str(path)]) == 2
    text = " ".join(capsys.readouterr().err.split())
    assert "Connect Four 6x7 is too large to be solved. Games of Dots and Boxes can be" in text
