"""Show samples of other games than Dots and Boxes to the learner."""

from __future__ import annotations

import numpy as np

from doublecross.bots.training.learning.batches import Batch
from doublecross.bots.training.learning.symmetries import grid_symmetries
from doublecross.bots.training.teachers.grid_samples import GridSamples
from doublecross.bots.zero.grids import GENERIC_SPAN, encode_cells, grid_of
from doublecross.games.api import Game


class GridImages:
    """Shows samples of `game` in random symmetries."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._images = np.array(grid_symmetries(game))

    def __call__(self, samples: GridSamples, rng: np.random.Generator) -> Batch:
        """Return the samples as a batch."""
        images = self._images[rng.integers(len(self._images), size=len(samples))]
        mine, theirs, legal, policy = (
            np.take_along_axis(array, images, 1)
            for array in (samples.mine, samples.theirs, samples.legal, samples.policy)
        )
        grid = grid_of(self._game)
        places = np.array(grid.cells)
        count, cells = len(samples), grid.rows * grid.cols
        whole = np.zeros((2, count, cells), np.float32)
        whole[0][:, places] = policy / np.maximum(1, policy.sum(1, keepdims=True))
        whole[1][:, places] = legal
        heads = whole.reshape(2, count, 1, grid.rows, grid.cols)
        nothing = np.zeros((count, grid.rows, grid.cols), np.float32)
        return Batch(
            encode_cells(self._game, np.stack([mine, theirs]), legal, samples.left, samples.second),
            heads[0],
            heads[1].astype(np.bool_),
            samples.score.astype(np.int64) + GENERIC_SPAN,
            nothing,
            nothing,
        )
