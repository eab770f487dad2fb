"""Load a network from an ONNX file, and evaluate positions with it.

The file says in its metadata what it is: `format`, `game`, `planes` (of its input), `span` (of its
scores) and `about`, a JSON object with the command, the seed and the figures that made it. `Net`
refuses a network that does not fit, with one sentence.

`policy` has a logit for each edge, at the places that `doublecross.bots.zero.planes.cells` names.
`score` has 2 * span + 1 logits for the net score from here on of the player to move, from -span to
span. `ownership` has for each box the logit that the player to move gets it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.api import BotError
from doublecross.processes.installation import how_to_add

FORMAT: Final = 1
"""Raised whenever the meaning of the planes or of the outputs changes."""
SPAN: Final = 30
"""The largest net score that the output `score` knows; larger ones count as this."""
INPUT: Final = "planes"
OUTPUTS: Final = ("policy", "score", "ownership")


class NetError(BotError):
    """A network cannot be used; the text is a sentence for people."""


class Evaluation(NamedTuple):
    """A network's outputs for n positions, all as logits; see the top of this file.

    `policy` is (n, 2, R+1, C+1), `score` (n, 2 * span + 1), `ownership` (n, R+1, C+1).
    """

    policy: NDArray[np.float32]
    score: NDArray[np.float32]
    ownership: NDArray[np.float32]


class Evaluator(Protocol):
    """Evaluates positions: a network, or something that stands for one."""

    @property
    def planes(self) -> int:
        """The number of planes of a position."""

    @property
    def span(self) -> int:
        """The largest score."""

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate the positions `planes`, (n, planes, R+1, C+1)."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """Stands for a network that knows nothing: all moves and all scores are equally likely."""

    planes: int
    span: int = SPAN
    actions: int = 2

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Return zeros for the positions `planes`, (n, planes, R+1, C+1)."""
        count, _, rows, cols = planes.shape
        return Evaluation(
            np.zeros((count, self.actions, rows, cols), np.float32),
            np.zeros((count, 2 * self.span + 1), np.float32),
            np.zeros((count, rows, cols), np.float32),
        )


@dataclass(frozen=True, slots=True)
class Net:
    """A network in memory; `Net.load` makes it. One thread of the processor evaluates it."""

    path: Path
    game: str
    planes: int
    span: int
    about: dict[str, Any]
    session: Any = field(repr=False)

    @classmethod
    def load(cls, path: Path | str, game: str = "", planes: int = 0) -> Self:
        """Read the network from the file at `path`; with a `game` it must fit, see `require`.

        Raises:
            NetError: the file is missing or damaged, the network is of another game or format, or
                the package onnxruntime is not installed.
        """
        path = Path(path)
        session = _session(path)
        found = session.get_modelmeta().custom_metadata_map
        if found.get("format") != str(FORMAT):
            has = f"format {found['format']}" if "format" in found else "no format"
            raise NetError(
                f"The network {path} has {has}, and this version reads format {FORMAT}. "
                "Train it again, or use another one."
            )
        names = {one.name for one in session.get_outputs()}
        inputs = [one.name for one in session.get_inputs()]
        try:
            net = cls(
                path, found["game"], int(found["planes"]), int(found["span"]),
                json.loads(found.get("about", "{}")), session,
            )  # fmt: skip
        except (KeyError, ValueError) as error:
            raise NetError(_damaged(path)) from error
        if inputs != [INPUT] or not names.issuperset(OUTPUTS):
            raise NetError(_damaged(path))
        if game:
            net.require(game, planes)
        return net

    def require(self, game: str, planes: int) -> None:
        """Check that this network plays `game` and wants `planes` planes.

        Raises:
            NetError: it does not.
        """
        if self.game != game:
            raise NetError(f"The network {self.path} plays {self.game}, not {game}.")
        if self.planes != planes:
            raise NetError(
                f"The network {self.path} wants {self.planes} planes, and this version makes "
                f"{planes}. Train it again, or use another one."
            )

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate the positions `planes`, (n, planes, R+1, C+1), of any size."""
        return Evaluation(*self.session.run(OUTPUTS, {INPUT: planes}))


def _session(path: Path) -> Any:
    """Return the session of onnxruntime for the file at `path`.

    Raises:
        NetError: there is none.
    """
    if not path.is_file():
        raise NetError(f"There is no network at {path}.")
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as errors
    except ImportError as error:
        raise NetError(
            "Networks need the package onnxruntime, which is not installed: "
            f"{how_to_add('engines')}"
        ) from error
    options = onnxruntime.SessionOptions()
    # Positions are evaluated one at a time, which more threads do not make faster.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Errors become exceptions; the log would only repeat them.
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (
        errors.Fail,
        errors.InvalidArgument,
        errors.InvalidGraph,
        errors.InvalidProtobuf,
        errors.NotImplemented,
        errors.RuntimeException,
        OSError,
    ) as error:
        raise NetError(_damaged(path)) from error


def _damaged(path: Path) -> str:
    return f"The network {path} is damaged, or no network of Doublecross."
