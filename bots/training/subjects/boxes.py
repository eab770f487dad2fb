"""Dots and Boxes as a run trains it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from random import Random
from typing import Final

from doublecross.bots.training.judging.games import NetPlayer, Player, play_out
from doublecross.bots.training.judging.truth import measure
from doublecross.bots.training.learning.batches import BoxImages, SampleWindow
from doublecross.bots.training.positions import BoardTools
from doublecross.bots.training.settings import board_named
from doublecross.bots.training.subjects.api import NetForm, Row, points
from doublecross.bots.training.teachers.labels import Labeller, prepare_labels, range_of
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.training.teachers.selfplay import SelfPlay
from doublecross.bots.zero.net import SPAN, Net
from doublecross.bots.zero.planes import PLANES

TRUTH_GAMES: Final = 40
TRUTH_POSITIONS: Final = 200


class BoxesSubject:
    """Dots and Boxes in one size."""

    form = NetForm(PLANES, SPAN, 2)

    def __init__(self, size: str, label_edges: int) -> None:
        self._board = board_named(size)
        self._labelled = range_of(self._board, label_edges)
        prepare_labels()

    @cached_property
    def _labeller(self) -> Labeller:
        return Labeller(self._board)

    @cached_property
    def _tools(self) -> BoardTools:
        return BoardTools(self._board, 32)

    def window(self, most: int) -> SampleWindow[Samples]:
        """Return an empty window for `most` samples."""
        return SampleWindow(most, BoxImages(self._board))

    def load(self, path: Path) -> Samples:
        """Read a file of samples; see `Subject`."""
        return Samples.load(path, self._board.num_edges, self._board.num_boxes)

    def teach(
        self, teacher: str, net: Net | None, simulations: int, count: int, seed: str
    ) -> Samples:
        """Return samples with exact values, or of games of `net` against itself."""
        if teacher == "labels":
            return self._labeller.make(count, seed, self._labelled)
        return SelfPlay(self._board, net, simulations).make(count, seed)

    def play_pair(self, new: Net, old: Net, rng: Random) -> float:
        """Return the points of `new` in a game pair from a random opening."""
        edges = self._board.num_edges
        start = self._tools.start(edges - rng.randint(0, edges // 4), rng)
        one, two = NetPlayer(new), NetPlayer(old)
        pairs: list[tuple[Player, Player]] = [(one, two), (two, one)]
        nets = [play_out(self._tools, players, start).net for players in pairs]
        return points(nets[0]) + points(-nets[1])

    def truth(self, net: Net, seed: str) -> Row:
        """Measure `net` against the exact search."""
        found = measure(self._tools, net, games=TRUTH_GAMES, positions=TRUTH_POSITIONS, seed=seed)
        return found.to_json()
