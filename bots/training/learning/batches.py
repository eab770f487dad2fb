"""Keep the newest samples of each size in memory, and draw batches from them for the learner.

A batch has as many samples of one teacher as of the other, however many there are of each: labels
are many and say how games end, self-play is dear and says how they begin.

Each sample of a batch is shown in a random symmetry of its board, in Dots and Boxes 8 on square
boards and 4 on others. So the network sees each sample in many forms, and learns that they are
worth the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.training.teachers.arrays import SampleArrays
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.zero.net import SPAN
from doublecross.bots.zero.planes import box_cells, cells, encode_drawn
from doublecross.games.dots_and_boxes.board import Board

S = TypeVar("S", bound=SampleArrays)

_MOST = 255.0


class Batch(NamedTuple):
    """Positions with targets, all in arrays of the same height H and width W.

    `planes` (n, planes, H, W). `policy` and `legal` (n, actions, H, W); a policy of zeros is not
    known. `score` (n,): whole numbers from 0, the smallest score. `ownership` and `owned` (n, H,
    W): the target, and where it counts.
    """

    planes: NDArray[np.float32]
    policy: NDArray[np.float32]
    legal: NDArray[np.bool_]
    score: NDArray[np.int64]
    ownership: NDArray[np.float32]
    owned: NDArray[np.float32]


class SampleWindow(Generic[S]):
    """The newest `most` samples of each teacher for one board, as the learner draws them.

    `show` makes a batch of samples, each in a random symmetry.
    """

    def __init__(self, most: int, show: Callable[[S, np.random.Generator], Batch]) -> None:
        self._most = most
        self._show = show
        self._parts: dict[str, list[S]] = {}

    def __len__(self) -> int:
        counts = (sum(map(len, parts)) for parts in self._parts.values())
        return sum(min(self._most, count) for count in counts)

    def add(self, samples: S, teacher: str) -> None:
        """Add the newest samples of a teacher; the oldest go when there are too many."""
        self._parts.setdefault(teacher, []).append(samples)

    def _all(self, teacher: str) -> S:
        """Return all samples of a teacher as one piece."""
        parts = self._parts[teacher]
        if len(parts) > 1:
            parts[:] = [parts[0].join(parts).take(slice(-self._most, None))]
        return parts[0]

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """Draw a batch of `count` samples, each in a random symmetry."""
        teachers = sorted(self._parts)
        drawn = []
        for number, teacher in enumerate(teachers):
            samples = self._all(teacher)
            share = (count + number) // len(teachers)
            drawn.append(samples.take(rng.integers(len(samples), size=share)))
        return self._show(drawn[0].join(drawn), rng)


class BoxImages:
    """Shows samples of `board` in random symmetries."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._edges = np.array(board.symmetries)
        self._boxes = np.array([_box_image(board, image) for image in board.symmetries])

    def __call__(self, samples: Samples, rng: np.random.Generator) -> Batch:
        """Return the samples as a batch."""
        images = rng.integers(len(self._edges), size=len(samples))
        return make_batch(self._board, samples, self._edges[images], self._boxes[images])


def make_batch(
    board: Board,
    samples: Samples,
    edges: NDArray[np.int64],
    boxes: NDArray[np.int64],
) -> Batch:
    """Return samples as a batch: edge e of position i is edge ``edges[i, e]`` of sample i.

    In the same way box b is box ``boxes[i, b]``.
    """
    count, height, width = len(samples), board.rows + 1, board.cols + 1
    places, box_places = cells(board), box_cells(board)
    drawn = np.take_along_axis(samples.drawn, edges, 1)
    policy = np.zeros((count, 2 * height * width), np.float32)
    weights = np.take_along_axis(samples.policy, edges, 1).astype(np.float32)
    policy[:, places] = weights / weights.sum(1, keepdims=True)
    legal = np.zeros((count, 2 * height * width), np.bool_)
    legal[:, places] = np.take_along_axis(samples.legal, edges, 1)
    ownership = np.zeros((count, height * width), np.float32)
    ownership[:, box_places] = np.take_along_axis(samples.ownership, boxes, 1) / _MOST
    owned = np.zeros((count, height * width), np.float32)
    open_boxes = ~drawn[:, np.array(board.box_edges)].all(2)
    owned[:, box_places] = open_boxes & samples.owned[:, None]
    return Batch(
        encode_drawn(board, drawn),
        policy.reshape(count, 2, height, width),
        legal.reshape(count, 2, height, width),
        samples.score.astype(np.int64) + SPAN,
        ownership.reshape(count, height, width),
        owned.reshape(count, height, width),
    )


def pad(batches: list[Batch]) -> Batch:
    """Join batches of several sizes into one, with zeros around the smaller boards.

    A position keeps its place in the order. Nothing is legal or owned outside its board.
    """
    height = max(batch.planes.shape[2] for batch in batches)
    width = max(batch.planes.shape[3] for batch in batches)

    def fill(array: NDArray[np.generic]) -> NDArray[np.generic]:
        if array.ndim == 1:
            return array
        more = [(0, 0)] * (array.ndim - 2)
        more += [(0, height - array.shape[-2]), (0, width - array.shape[-1])]
        return np.pad(array, more)

    return Batch(
        *(np.concatenate([fill(part) for part in parts]) for parts in zip(*batches, strict=True))
    )


def _box_image(board: Board, image: tuple[int, ...]) -> list[int]:
    by_edges = {frozenset(edges): box for box, edges in enumerate(board.box_edges)}
    return [by_edges[frozenset(image[edge] for edge in edges)] for edges in board.box_edges]
