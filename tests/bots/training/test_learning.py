"""The network is the same in torch and in onnxruntime, alone and in a batch; learning resumes."""

from pathlib import Path

import numpy as np
import pytest
import torch

from doublecross.bots.training.files import replace_file
from doublecross.bots.training.learning.batches import BoxImages, SampleWindow
from doublecross.bots.training.learning.export import onnx_bytes
from doublecross.bots.training.learning.learner import Learner, LearnerSettings
from doublecross.bots.training.learning.model import NetShape, PolicyNet
from doublecross.bots.training.teachers.labels import Labeller
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.zero.net import Net
from doublecross.bots.zero.planes import ON_BOARD, PLANES
from doublecross.games.dots_and_boxes.board import board

GAME = "dots-and-boxes"
TINY = NetShape(blocks=2, channels=8, head=8)


def random_net(shape: NetShape = TINY) -> PolicyNet:
    torch.manual_seed(1)
    net = PolicyNet(shape)
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, 0.0, 0.2)
    return net


def random_planes(count: int, height: int, width: int) -> np.ndarray:
    planes = np.random.default_rng(1).random((count, PLANES, height, width), np.float32)
    planes[:, ON_BOARD] = 1.0
    return planes


@pytest.fixture(scope="module")
def samples() -> Samples:
    return Labeller(board(2, 2), 1).make(300, 1)


@pytest.mark.parametrize("size", [(3, 3), (6, 6), (4, 8)])
def test_onnxruntime_gives_the_outputs_of_torch(tmp_path: Path, size: tuple[int, int]) -> None:
    net = random_net()
    replace_file(tmp_path / "net.onnx", onnx_bytes(net, GAME, {"seed": 1}))
    loaded = Net.load(tmp_path / "net.onnx", GAME, PLANES)
    planes = random_planes(2, *size)
    with torch.no_grad():
        wanted = net(torch.from_numpy(planes))
    for found, output in zip(loaded.evaluate(planes), wanted, strict=True):
        assert np.allclose(found, output.numpy(), atol=1e-4)
    assert loaded.about == {"seed": 1}


def test_a_net_of_the_default_shape_takes_less_than_a_megabyte() -> None:
    assert len(onnx_bytes(PolicyNet(NetShape()), GAME, {})) < 1_000_000


def test_a_smaller_board_in_a_batch_has_the_outputs_that_it_has_alone() -> None:
    net = random_net()
    alone = random_planes(1, 4, 3)
    batch = np.zeros((2, PLANES, 6, 6), np.float32)
    batch[0] = random_planes(1, 6, 6)
    batch[1, :, :4, :3] = alone[0]
    with torch.no_grad():
        one, both = net(torch.from_numpy(alone)), net(torch.from_numpy(batch))
    assert torch.allclose(both.score[1], one.score[0], atol=1e-4)
    assert torch.allclose(both.policy[1, :, :4, :3], one.policy[0], atol=1e-4)
    assert torch.allclose(both.ownership[1, :4, :3], one.ownership[0], atol=1e-4)


def window_of(samples: Samples) -> SampleWindow[Samples]:
    window = SampleWindow(1000, BoxImages(board(2, 2)))
    window.add(samples, "labels")
    return window


def test_learning_lowers_the_loss_of_the_score(samples: Samples) -> None:
    learner = Learner(TINY, LearnerSettings(batch=32, rate=1e-2), seed=1)
    learner.learn([window_of(samples)], 20)
    first = learner.losses
    learner.learn([window_of(samples)], 60)
    assert learner.losses["score"] < first["score"] - 1.0


def test_learning_from_a_checkpoint_gives_the_same_net(samples: Samples, tmp_path: Path) -> None:
    settings = LearnerSettings(batch=16)
    whole = Learner(TINY, settings, seed=3)
    whole.learn([window_of(samples)], 4)
    whole.learn([window_of(samples)], 4)
    parts = Learner(TINY, settings, seed=3)
    parts.learn([window_of(samples)], 4)
    parts.save(tmp_path / "checkpoint.pt")
    parts = Learner.load(tmp_path / "checkpoint.pt")
    parts.learn([window_of(samples)], 4)
    assert parts.step == whole.step == 8
    assert onnx_bytes(parts.average, GAME, {}) == onnx_bytes(whole.average, GAME, {})
    assert parts.losses == whole.losses


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    Learner(TINY, LearnerSettings(), seed=1).save(path)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ValueError, match=r"checkpoint\.pt is damaged"):
        Learner.load(path)
