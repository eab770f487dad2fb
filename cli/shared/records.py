"""Read files of records."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.files import STANDARD_OUTPUT

if TYPE_CHECKING:
    from doublecross.games.record import Record

MAX_BYTES: Final = 64 * 1024 * 1024
"""Larger files are refused; records are small."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of records. A game is read when it is asked for, so a bad one spoils no other."""

    path: Path
    parts: list[tuple[int, str]]
    """For each game the number of its first line, and its text."""

    def __len__(self) -> int:
        """Return how many games there are."""
        return len(self.parts)

    def record(self, number: int) -> Record:
        """Return the game with this number, from 1.

        Raises:
            Problem: there is no such game, or it cannot be read.
        """
        from doublecross.games.api import GameError
        from doublecross.games.record import parse_records

        if number > len(self):
            games = "1 game" if len(self) == 1 else f"{len(self)} games"
            raise Problem(f"{self.path} holds {games}; there is no game {number}.")
        line, text = self.parts[number - 1]
        try:
            (record,) = parse_records(text, line)
        except GameError as error:
            if len(self) == 1:
                raise Problem(f"{self.path} is not a file of records. {error}") from None
            raise Problem(f"Game {number} of {self.path} cannot be read. {error}") from None
        return record


def read_records(file: Path) -> RecordFile:
    """Return the games in `file`, at least one.

    Raises:
        Problem: the file cannot be read, or is none of records.
    """
    from doublecross.games.record import split_records

    parts = split_records(read_text(file))
    if not parts:
        raise Problem(f"{file} holds no games.")
    return RecordFile(file, parts)


def read_text(file: Path) -> str:
    """Return the text of a file; ``-`` is standard input.

    Raises:
        Problem: the file cannot be read, or is too large.
    """
    try:
        if file == STANDARD_OUTPUT:
            return sys.stdin.buffer.read().decode()
        if file.stat().st_size > MAX_BYTES:
            raise Problem(f"{file} is too large: it may have {MAX_BYTES >> 20} MiB.")
        return file.read_text("utf-8")
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise Problem(f"{file} is not UTF-8 text.") from None
