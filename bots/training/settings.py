"""The settings of a training run, as they are stored in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from doublecross.bots.zero.grids import grid_of
from doublecross.bots.zero.net import NetError
from doublecross.games.api import Game, GameError
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.board import board as board_of
from doublecross.games.registry import game_class

GAME: Final = "dots-and-boxes"
SIZES: Final = ("3x3", "4x4", "5x5")
"""The sizes of Dots and Boxes that a run trains by default."""
TEACHERS: Final = ("labels", "self-play", "both")
MOST_DOTS: Final = 64
LABEL_EDGES: Final = 28
FEWEST_LABEL_EDGES: Final = 16

_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "seed": (0, 2**63 - 1),
    "blocks": (1, 40),
    "channels": (1, 512),
    "batch": (1, 65_536),
    "rate": (1e-6, 1),
    "shard": (1, 1_000_000),
    "chunk": (1, 100_000),
    "gate_every": (1, 10_000_000),
    "gate_pairs": (1, 100_000),
    "reuse": (0.1, 1000),
    "window": (1, 100_000_000),
    "simulations": (1, 100_000),
    "label_edges": (FEWEST_LABEL_EDGES, 36),
}
"""The least and the greatest value of each number, both included."""


class TrainError(RuntimeError):
    """A run cannot begin or go on; the text is one sentence for people."""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """The settings of a run. They stay the same as long as the run goes on.

    Without `sizes` and `teacher` they are `SIZES` and labels, or in other games than Dots and Boxes
    the default size and self-play.

    `shard` samples make a file, and `chunk` steps a job of the learner. Every `gate_every` steps
    the network becomes a candidate. `reuse` says how often the learner sees a sample on average
    before it waits for more, and `window` how many samples of a size it keeps. `simulations` are
    those of a full search in self-play. A gate ends after `gate_pairs` game pairs. `label_edges` is
    the most free edges with which labels begin on boards that are not labelled from the first move.
    """

    game: str = GAME
    sizes: tuple[str, ...] = ()
    seed: int = 1
    teacher: str = ""
    blocks: int = 4
    channels: int = 40
    batch: int = 256
    rate: float = 2e-3
    shard: int = 2048
    chunk: int = 100
    gate_every: int = 500
    gate_pairs: int = 600
    reuse: float = 8.0
    window: int = 600_000
    simulations: int = 64
    label_edges: int = LABEL_EDGES

    def __post_init__(self) -> None:
        if not self.sizes:
            object.__setattr__(self, "sizes", default_sizes(self.game))
        if not self.teacher:
            object.__setattr__(self, "teacher", "labels" if self.game == GAME else "self-play")
        if self.teacher not in TEACHERS:
            raise TrainError(f"A teacher is {', '.join(TEACHERS)}, not {self.teacher!r}.")
        if self.game != GAME and self.teacher != "self-play":
            raise TrainError(
                f"The solver knows only {GAME}, so {self.game} needs the teacher self-play."
            )
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:  # nan is outside of every range
                raise TrainError(f"The setting {name} is from {low:,} to {high:,}, not {value}.")
        for size in self.sizes:
            check_size(self.game, size)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {**asdict(self), "sizes": list(self.sizes)}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read settings.

        Raises:
            ValueError: `text` has no settings of this version.
        """
        data = json.loads(text)
        names = {field.name for field in fields(cls)}
        if not isinstance(data, dict) or set(data) != names:
            raise ValueError("These are no settings of this version.")
        return cls(**{**data, "sizes": tuple(data["sizes"])})


def default_sizes(game: str) -> tuple[str, ...]:
    """Return the sizes of `game` that a run trains by default.

    Raises:
        TrainError: there is no such game.
    """
    if game == GAME:
        return SIZES
    kind = type(game_named(game, ""))
    # Only the numbers that a size must have: 3x3, not 3x3x3.
    return ("x".join(kind.default_size().split("x")[: kind.least_numbers]),)


def check_size(game: str, size: str) -> None:
    """Check that `game` can be trained in this size.

    Raises:
        TrainError: it cannot.
    """
    if game == GAME:
        board_named(size)
        return
    try:
        grid_of(game_named(game, size))
    except NetError as error:
        raise TrainError(str(error)) from error


def game_named(key: str, size: str) -> Game:
    """Return the game `key` in a size; without one in its default size.

    Raises:
        TrainError: there is no such game or size.
    """
    try:
        kind = game_class(key)
        if size and not kind.parameters:
            raise TrainError(f"{kind.title} has only one size. Leave it out.")
        return kind(kind.parse_size(size) if size else None)
    except GameError as error:
        raise TrainError(str(error)) from error


def board_named(size: str) -> Board:
    """Return the board of a size such as ``3x4``.

    Raises:
        TrainError: there is no such size, or the exact search does not reach it.
    """
    rows, times, cols = size.partition("x")
    if not (times and rows.isdecimal() and cols.isdecimal() and int(rows) and int(cols)):
        raise TrainError(f"{size!r} is no size of a board; write rows x columns, such as 3x4.")
    if (int(rows) + 1) * (int(cols) + 1) > MOST_DOTS:
        raise TrainError(
            f"{size} is too large to train on: boards of {MOST_DOTS} dots are allowed."
        )
    board = board_of(int(rows), int(cols))
    if min(int(rows), int(cols)) < 2:
        raise TrainError(f"{size} has too few junctions to train on; use 2x2 or larger.")
    return board
