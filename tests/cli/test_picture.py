"""Pictures of recorded games from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from doublecross.cli.main import main
from doublecross.games.colours import CLASSIC
from tests.cli.samples import write_games


@pytest.mark.parametrize(("ending", "frames"), [("png", 1), ("gif", 5), ("WEBP", 5)])
def test_replay_writes_a_picture_in_the_format_of_its_name(
    ending: str, frames: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_games(games := tmp_path / "games.txt")
    file = tmp_path / f"game.{ending}"
    assert main(["replay", str(games), "--picture", str(file), "--width", "200"]) == 0
    assert "".join(capsys.readouterr().err.split()) == f"Wrote{file}."
    with Image.open(file) as image:
        assert image.format == ending.upper()
        assert image.size[0] == 200
        assert getattr(image, "n_frames", 1) == frames


def test_replay_draws_one_position_of_another_game(tmp_path: Path) -> None:
    write_games(games := tmp_path / "games.txt")
    light, dark = tmp_path / "light.svg", tmp_path / "dark.svg"
    order = ["replay", str(games), "--game", "2", "--at", "1", "--picture"]
    assert main([*order, str(light)]) == 0
    assert main([*order, str(dark), "--dark"]) == 0
    assert "Cid against Dee. Move 1 of 2: Cid a1" in light.read_text("utf-8")
    assert CLASSIC["dark"].ground in dark.read_text("utf-8").splitlines()[2]
