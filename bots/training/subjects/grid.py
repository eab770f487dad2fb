"""Other games than Dots and Boxes as a run trains them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

from doublecross.bots.training.judging.grid_games import GridNetPlayer, GridPlayer, play_grid
from doublecross.bots.training.judging.grid_truth import measure_grid
from doublecross.bots.training.judging.solved import solved
from doublecross.bots.training.learning.batches import SampleWindow
from doublecross.bots.training.learning.grid_batches import GridImages
from doublecross.bots.training.subjects.api import NetForm, Row, points
from doublecross.bots.training.teachers.grid_samples import GridSamples
from doublecross.bots.training.teachers.grid_selfplay import GridSelfPlay
from doublecross.bots.zero.grids import GENERIC_PLANES, GENERIC_SPAN, grid_of
from doublecross.bots.zero.net import Net
from doublecross.games.api import Game

TRUTH_GAMES: Final = 40
TRUTH_POSITIONS: Final = 200


class GridSubject:
    """A game whose board is a grid, in one size."""

    form = NetForm(GENERIC_PLANES, GENERIC_SPAN, 1)

    def __init__(self, game: Game) -> None:
        self._game = game

    def window(self, most: int) -> SampleWindow[GridSamples]:
        """Return an empty window for `most` samples."""
        return SampleWindow(most, GridImages(self._game))

    def load(self, path: Path) -> GridSamples:
        """Read a file of samples; see `Subject`."""
        return GridSamples.load(path, len(grid_of(self._game).cells))

    def teach(
        self, teacher: str, net: Net | None, simulations: int, count: int, seed: str
    ) -> GridSamples:
        """Return samples of games of `net` against itself, the only teacher here."""
        return GridSelfPlay(self._game, net, simulations).make(count, seed)

    def play_pair(self, new: Net, old: Net, rng: Random) -> float:
        """Return the points of `new` in a game pair from a random opening."""
        opening = self._game.openings(rng, 1).found[0]
        one, two = GridNetPlayer(new), GridNetPlayer(old)
        pairs: list[tuple[GridPlayer, GridPlayer]] = [(one, two), (two, one)]
        results = [play_grid(self._game.initial_state(opening), players) for players in pairs]
        return points(results[0]) + points(-results[1])

    def truth(self, net: Net, seed: str) -> Row | None:
        """Measure `net` if plain search solves the game."""
        known = solved(self._game)
        if known is None:
            return None
        found = measure_grid(
            known, GridNetPlayer(net), games=TRUTH_GAMES, positions=TRUTH_POSITIONS, seed=seed
        )
        return {**found.to_json(), "unit": "points"}
