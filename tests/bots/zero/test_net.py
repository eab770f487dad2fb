"""Load networks: their outputs, and a sentence for each file that does not fit."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from doublecross.bots.zero.net import Net, NetError
from doublecross.bots.zero.planes import PLANES, encode
from doublecross.games.dots_and_boxes.board import board
from doublecross.processes.installation import how_to_add
from tests.bots.zero.tiny import GAME, save_net


def test_a_network_evaluates_boards_of_any_size(tmp_path: Path) -> None:
    net = Net.load(save_net(tmp_path / "a.onnx"), GAME, PLANES)
    assert (net.span, net.about["command"]) == (30, "tiny")
    for rows, cols in ((1, 1), (3, 5), (10, 10)):
        planes = encode(board(rows, cols), 0)[None]
        seen = net.evaluate(planes)
        assert seen.policy.shape == (1, 2, rows + 1, cols + 1)
        assert seen.score.shape == (1, 61)
        assert seen.ownership.shape == (1, rows + 1, cols + 1)
        both = net.evaluate(np.concatenate([planes, planes]))
        assert np.allclose(both.policy[1], seen.policy[0])


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    wrong = [
        ({"format": "2"}, "has format 2, and this version reads format 1"),
        ({"game": "nim"}, "plays nim, not dots-and-boxes"),
        ({"planes": "7"}, "wants 7 planes, and this version makes 24"),
        ({"about": "{"}, "is damaged, or no network of Doublecross"),
    ]
    for metadata, sentence in wrong:
        save_net(path)
        import onnx

        model = onnx.load(str(path))
        for one in model.metadata_props:
            one.value = metadata.get(one.key, one.value)
        onnx.save(model, str(path))
        with pytest.raises(NetError, match=sentence):
            Net.load(path, GAME, PLANES)


def test_a_damaged_or_missing_file_is_refused(tmp_path: Path) -> None:
    path = save_net(tmp_path / "a.onnx")
    data = path.read_bytes()
    for part in (b"", b"not a network" * 20, data[: len(data) // 2]):
        path.write_bytes(part)
        with pytest.raises(NetError, match=r"a\.onnx is damaged"):
            Net.load(path, GAME, PLANES)
    path.unlink()
    with pytest.raises(NetError, match="There is no network at"):
        Net.load(path, GAME, PLANES)


def test_without_onnxruntime_the_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_net(tmp_path / "a.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NetError, match=re.escape(how_to_add("engines"))):
        Net.load(path, GAME, PLANES)
