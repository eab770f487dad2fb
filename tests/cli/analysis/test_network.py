"""Tests for `doublecross analyse --net`: what a network says about a position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.bots.zero.net import Net
from doublecross.bots.zero.planes import PLANES
from doublecross.bots.zero.reading import read
from doublecross.cli.main import main
from doublecross.games.dots_and_boxes.board import board
from tests.bots.zero.tiny import GAME, save_net
from tests.cli.test_bad_input import assert_one_sentence


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_net(tmp_path_factory.mktemp("nets") / "tiny.onnx")


def test_the_page_shows_a_heat_map(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "2x3", "--edges", "0,5", "--net", str(path)]) == 0
    page = capsys.readouterr().out
    lines = page.splitlines()
    top = next(line for line in lines if line.startswith(" 5 "))
    assert "---" in top
    assert top.count("+") == 4
    assert "Dots and Boxes 2x3: 15 edges free" in page
    assert "The network expects a net score of" in page


def test_json_has_the_policy_and_the_scores(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "7x7", "--net", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["policy"].values()) == pytest.approx(1, abs=1e-3)
    assert sum(found["scores"].values()) == pytest.approx(1, abs=1e-3)
    # 49 boxes: the difference is odd, but 30 stands for all that is more.
    assert all(int(score) % 2 or abs(int(score)) == 30 for score in found["scores"])
    assert len(found["owners"]) == 49
    assert found["about"]["command"] == "tiny"


def test_captures_come_first(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "2x2", "--edges", "0,2,6", "--net", str(path)]) == 0
    assert "the network sees the position after all captures" in capsys.readouterr().out


def test_a_chain_is_one_move_and_free_edges_only_have_priors(path: Path) -> None:
    size = board(3, 3)
    net = Net.load(path, GAME, PLANES)
    # The upper left corner has a drawn edge; whichever of the two that is, the other one is free.
    for corner in (0, 12):
        edges = 1 << corner | 1 << 16 | 1 << 3
        found = read(size, net, edges)
        assert all(not edges >> edge & 1 for edge in found.priors)
        assert (12 if corner == 0 else 0) in found.priors


def test_a_network_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = save_net(tmp_path / "nim.onnx", game="nim")
    for name, words in ((tmp_path / "none.onnx", "There is no network"), (other, "plays nim")):
        assert main(["analyse", "2x2", "--net", str(name)]) != 0
        assert_one_sentence(capsys.readouterr().err, words)
