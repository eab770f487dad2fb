"""Tests for the round robin of bots: its tables, and how options name bots."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from benchmarks.strength import bot_texts, run


def test_a_table_for_each_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "strength.md"
    run(
        bots="random rules greedy:seed=2 tests.bots.late_bots:OnlyTicTacToe",
        sizes="2x2,3x3",
        game="dots-and-boxes",
        pairs=6,
        time=0.5,
        workers=2,
        seed=1,
        markdown=file,
        cpu=True,
    )
    captured = capsys.readouterr()
    assert "Dots and Boxes 3x3: 36/36 games" in captured.err
    text = file.read_text()
    assert text == captured.out.removesuffix("\n")
    for table, size in zip(text.split("### Dots and Boxes ")[1:], ("2x2", "3x3"), strict=True):
        assert table.startswith(size)
        rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
        assert sorted(row[0] for row in rows) == ["| `greedy:seed=2`", "| `random`", "| `rules`"]
        elos = {row[0].strip("| `"): row[1] for row in rows}
        assert elos["rules"] == "+0"
        assert elos["random"].startswith("-")
        # Each of the 36 games gives one point in all.
        assert sum(float(row[2].removesuffix(" %")) for row in rows) == pytest.approx(150, abs=0.2)
        assert sum(float(row[3]) for row in rows) == pytest.approx(0.0, abs=0.02)
        assert (
            "6 game pairs between every two bots, 0.5 s a move of processor time, seed 1." in table
        )


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("a,b,c", ["a", "b", "c"]),
        ("a b:x=1,y=2", ["a", "b:x=1,y=2"]),
        ("m:C;b:x=1,y=2; c", ["m:C", "b:x=1,y=2", "c"]),
    ],
)
def test_bot_specs_are_split_without_breaking_their_options(text: str, bots: list[str]) -> None:
    assert bot_texts(text) == bots


@pytest.mark.parametrize("bots", ["random", "random nobody", "random rules:x=1"])
def test_what_cannot_be_played_is_refused(bots: str) -> None:
    with pytest.raises(typer.BadParameter):
        run(bots, "2x2", "dots-and-boxes", 2, 0.5, 1, 1, None)
