"""Samples as arrays, and their files.

Reading checks everything, because a process may have been killed while it wrote, and because people
copy files.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.training.files import replace_file


class SampleArrays:
    """Positions with the targets of the network; a subclass is a dataclass of arrays.

    Each array has an entry or a row for each sample. `BITS` names the arrays with rows of bits, and
    `ROWS` those with rows of numbers. Both say which number of the shape of a board is the length
    of a row. `score` (n,) is the score from here on of the player to move.
    """

    __slots__ = ()

    BITS: ClassVar[Mapping[str, int]]
    ROWS: ClassVar[Mapping[str, int]]

    score: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.score)

    @classmethod
    def _names(cls) -> list[str]:
        return [field.name for field in fields(cls)]  # type: ignore[arg-type]

    def take(self, rows: Any) -> Self:
        """Return the samples with these indices, or in this slice."""
        return type(self)(*(getattr(self, name)[rows] for name in self._names()))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return all samples of `parts`, which must not be empty, in order."""
        return cls(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in cls._names())
        )

    def save(self, path: Path) -> None:
        """Write the file; readers never see half of it."""
        replace_file(path, self.packed())

    def packed(self) -> bytes:
        """Return the content of the file."""
        arrays = {name: getattr(self, name) for name in self._names()}
        lengths = {at: arrays[name].shape[1] for name, at in {**self.BITS, **self.ROWS}.items()}
        for name in self.BITS:
            arrays[name] = np.packbits(arrays[name], axis=1)
        shape = np.array([len(self), *(lengths[at] for at in sorted(lengths))])
        file = io.BytesIO()
        np.savez_compressed(file, shape=shape, **arrays)
        return file.getvalue()

    @classmethod
    def load(cls, path: Path, *shape: int) -> Self:
        """Read a file of a board of this `shape`.

        Raises:
            ValueError: the file is damaged, or of another board; the message is a sentence.
            OSError: the file cannot be read.
        """
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in cls._names()}
                found = tuple(int(part) for part in file["shape"])
            for name, at in cls.BITS.items():
                arrays[name] = np.unpackbits(arrays[name], axis=1, count=shape[at]).astype(bool)
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"The samples in {path.name} are damaged.") from error
        count = len(arrays["score"])
        rows = all(arrays[name].shape == (count, shape[at]) for name, at in cls.ROWS.items())
        if found != (count, *shape) or not rows:
            raise ValueError(f"The samples in {path.name} are not of this board size.")
        return cls(*arrays.values())
