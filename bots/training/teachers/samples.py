"""Samples: positions of one size with the targets of the net, and their files.

A file has about ten bytes for each edge of a sample. Reading checks everything, because a process
may have been killed while it wrote, and because people copy files.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bots.training.files import replace_file


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of one board size, which have no captures, and the targets of the net.

    `drawn` (n, E): which edges are drawn. `policy` (n, E): the weight of each edge, about 255 in
    all. `legal` (n, E): which edges belong to a move. `score` (n,): the net score from here on of
    the player to move. `ownership` (n, B): how probably the player to move gets the box, from 0 to
    255, where `owned` (n,) says that it is known.
    """

    drawn: NDArray[np.bool_]
    policy: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    score: NDArray[np.int8]
    ownership: NDArray[np.uint8]
    owned: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.score)

    def take(self, rows: Any) -> Samples:
        """Return the samples with these indices, or in this slice."""
        return Samples(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[Samples]) -> Self:
        """Return all samples of `parts`, which must not be empty, in order."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def save(self, path: Path) -> None:
        """Write the file; readers never see half of it."""
        edges, boxes = self.drawn.shape[1], self.ownership.shape[1]
        file = io.BytesIO()
        np.savez_compressed(
            file,
            shape=np.array([len(self), edges, boxes]),
            drawn=np.packbits(self.drawn, axis=1),
            policy=self.policy,
            legal=np.packbits(self.legal, axis=1),
            score=self.score,
            ownership=self.ownership,
            owned=self.owned,
        )
        replace_file(path, file.getvalue())

    @classmethod
    def load(cls, path: Path, edges: int, boxes: int) -> Self:
        """Read a file of a board with `edges` edges and `boxes` boxes.

        Raises:
            ValueError: the file is damaged, or of another board; the message is a sentence.
            OSError: the file cannot be read.
        """
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                n = len(file["score"])
                drawn = np.unpackbits(file["drawn"], axis=1, count=edges).astype(bool)
                legal = np.unpackbits(file["legal"], axis=1, count=edges).astype(bool)
                found = cls(
                    drawn, file["policy"], legal, file["score"], file["ownership"],
                    file["owned"].astype(bool),
                )  # fmt: skip
                shape = tuple(int(part) for part in file["shape"])
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"The samples in {path.name} are damaged.") from error
        if shape != (n, edges, boxes) or found.policy.shape != (n, edges):
            raise ValueError(f"The samples in {path.name} are not of this board size.")
        return found
