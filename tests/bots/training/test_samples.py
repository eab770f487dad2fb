"""Samples survive their files, and damaged files are refused."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from doublecross.bots.training.learning.batches import BoxImages, SampleWindow, make_batch, pad
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.zero.net import SPAN
from doublecross.games.dots_and_boxes.board import board

SMALL = board(2, 3)


def some(count: int, seed: int = 1, size: tuple[int, int] = (2, 3)) -> Samples:
    rng = np.random.default_rng(seed)
    edges, boxes = board(*size).num_edges, board(*size).num_boxes
    drawn = rng.random((count, edges)) < 0.3
    drawn[:, 0] = False
    legal = ~drawn
    policy = np.where(legal, rng.integers(1, 20, (count, edges)), 0).astype(np.uint8)
    score = rng.integers(-4, 5, count).astype(np.int8)
    ownership = rng.integers(0, 256, (count, boxes)).astype(np.uint8)
    return Samples(drawn, policy, legal, score, ownership, rng.random(count) < 0.5)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    samples = some(40)
    samples.save(tmp_path / "one.npz")
    found = Samples.load(tmp_path / "one.npz", SMALL.num_edges, SMALL.num_boxes)
    for field in fields(Samples):
        assert (getattr(found, field.name) == getattr(samples, field.name)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["one.npz"]


@pytest.mark.parametrize("keep", [0, 1, 100, 700])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "one.npz"
    some(40).save(path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"one\.npz are damaged"):
        Samples.load(path, SMALL.num_edges, SMALL.num_boxes)


def test_a_file_of_another_board_is_refused(tmp_path: Path) -> None:
    some(4, size=(2, 2)).save(tmp_path / "one.npz")
    with pytest.raises(ValueError, match="not of this board size"):
        Samples.load(tmp_path / "one.npz", SMALL.num_edges, SMALL.num_boxes)


def test_the_window_keeps_the_newest_samples() -> None:
    window = SampleWindow(50, BoxImages(SMALL))
    old, new = some(40, 1), some(40, 2)
    old.score[:], new.score[:] = 1, 2
    window.add(old, "labels")
    window.add(new, "labels")
    batch = window.draw(400, np.random.default_rng(1))
    assert len(window) == 50
    assert 0.1 < (batch.score == SPAN + 1).mean() < 0.3


def test_a_batch_has_as_many_samples_of_each_teacher() -> None:
    window = SampleWindow(1000, BoxImages(SMALL))
    many, few = some(400, 1), some(4, 2)
    many.score[:], few.score[:] = 1, 2
    window.add(many, "labels")
    window.add(few, "self-play")
    batch = window.draw(33, np.random.default_rng(1))
    assert len(window) == 404
    assert sorted([(batch.score == SPAN + 1).sum(), (batch.score == SPAN + 2).sum()]) == [16, 17]


def test_an_image_of_a_sample_has_the_images_of_its_targets() -> None:
    samples = some(1)
    plain = make_batch(
        SMALL, samples, np.arange(SMALL.num_edges)[None], np.arange(SMALL.num_boxes)[None]
    )
    flipped = next(i for i in SMALL.symmetries if i[0] == 2 and i[3] == 5)  # left and right
    boxes = np.array([[2, 1, 0, 5, 4, 3]])
    image = make_batch(SMALL, samples, np.array([flipped]), boxes)
    # Box cells turn around within the first three columns; the last has no boxes.
    assert (image.ownership[0, :2, :3] == plain.ownership[0, :2, 2::-1]).all()
    assert (image.policy[0, 0, :, :3] == plain.policy[0, 0, :, 2::-1]).all()
    assert (image.policy[0, 1, :2] == plain.policy[0, 1, :2, ::-1]).all()
    assert (image.planes.sum((2, 3)) == plain.planes.sum((2, 3))).all()


def test_padding_adds_nothing_legal() -> None:
    rng = np.random.default_rng(1)
    batches = []
    for size in ((2, 3), (3, 3)):
        window = SampleWindow(100, BoxImages(board(*size)))
        window.add(some(5, size=size), "labels")
        batches.append(window.draw(4, rng))
    padded = pad(batches)
    assert padded.planes.shape[2:] == (4, 4)
    assert (padded.planes[:4, :, :3, :4] == batches[0].planes).all()
    assert not padded.planes[:4, :, 3].any()
    assert padded.legal.sum() == sum(batch.legal.sum() for batch in batches)
    assert np.allclose(padded.policy.sum((1, 2, 3)), 1)
