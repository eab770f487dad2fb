"""Read files of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem

if TYPE_CHECKING:
    from doublecross.games.record import Record

MAX_BYTES: Final = 64 * 1024 * 1024
"""Larger files are refused; records are small."""


def read_records(file: Path, game: int = 1) -> list[Record]:
    """Return the records in `file`, at least `game`."""
    from doublecross.games.api import GameError
    from doublecross.games.record import parse_records

    try:
        if file.stat().st_size > MAX_BYTES:
            raise Problem(f"{file} is too large for a file of records.")
        text = file.read_text("utf-8")
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise Problem(f"{file} is not a file of records: it is not UTF-8 text.") from None
    try:
        records = parse_records(text)
    except GameError as error:
        raise Problem(f"{file} is not a file of records. {error}") from None
    if not records:
        raise Problem(f"{file} holds no games.")
    if game > len(records):
        games = "1 game" if len(records) == 1 else f"{len(records)} games"
        raise Problem(f"{file} holds {games}; there is no game {game}.")
    return records
