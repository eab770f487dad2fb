"""Reads and writes record files on the disk, and says in words what is wrong with one."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client.tk.models.records import RecordRow, game_rows
from client.tk.models.summary import shown
from client.tk.network.thread import Refusal
from games.api import GameError
from games.record import Record, parse_records

RECORD_FILES: Final = (("Records", "*.txt"), ("All files", "*"))
"""What the dialogs of the system offer."""
MAX_BYTES: Final = 16 * 1024 * 1024
"""The largest file that is read, in bytes; one of 15 000 games is smaller."""
PART: Final = 500
"""Games after which a reader asks whether it should go on."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What a file holds: the games, and a row of the list for each."""

    name: str
    records: tuple[Record, ...]
    rows: tuple[RecordRow, ...]


def read_records(path: Path, stopped: Callable[[], bool] = lambda: False) -> RecordFile:
    """Return the games of the file `path`, one at least. `stopped` is called now and then; when it
    returns true, nobody waits for them any more.

    Raises:
        Refusal: it cannot be read, is too large, or is no record file.
    """
    name = shown(path.name) or str(path)
    text = _decoded(_read(path, name), name)
    records: list[Record] = []
    try:
        for part in _parts(text):
            if stopped():
                raise Refusal(f"{name} has not been read to its end.")
            records += parse_records(part)
    except GameError as error:
        raise Refusal(f"{name} is no record file. {shown(str(error))}") from None
    if not records:
        raise Refusal(f"{name} holds no game.")
    return RecordFile(name, tuple(records), game_rows(records))


def write_record(path: Path, text: str) -> None:
    """Write `text` as the file `path`.

    Raises:
        Refusal: it cannot be written.
    """
    try:
        path.write_text(text, "utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise Refusal(f"{shown(path.name)} cannot be written: {_why(error)}.") from None


def _read(path: Path, name: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Refusal(f"{name} is a folder; choose a file of records in it.")
        if not stat.S_ISREG(mode):
            raise Refusal(f"{name} is no file that could be read.")
        with path.open("rb") as file:
            # What a file says of its size may be wrong, so it is not asked.
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise Refusal(f"There is no file {name}.") from None
    except (OSError, ValueError) as error:
        raise Refusal(f"{name} cannot be read: {_why(error)}.") from None
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise Refusal(f"{name} is larger than {most} MB, which is too large for a record file.")
    return data


def _decoded(data: bytes, name: str) -> str:
    if not data.strip():
        raise Refusal(f"{name} is empty; there is no game in it.")
    try:
        text = data.decode("utf-8")
    except ValueError:
        text = "\0"
    if "\0" in text:
        raise Refusal(f"{name} is no record file: it is not text in UTF-8.")
    return text


def _parts(text: str) -> Iterator[str]:
    """Yield `text` in parts of some games each. Each part begins with as many empty lines as there
    were lines before it, so that a line has the same number in its part as in the whole.

    A game begins with a header that follows no other header.
    """
    lines = text.split("\n")
    begin, games, after_header = 0, 0, False
    for number, line in enumerate(lines):
        stripped = line.strip()
        if not stripped:
            continue
        header = stripped.startswith("[")
        if header and not after_header:
            games += 1
            if games > PART:
                yield "\n" * begin + "\n".join(lines[begin:number])
                begin, games = number, 1
        after_header = header
    yield "\n" * begin + "\n".join(lines[begin:])


def _why(error: OSError | ValueError) -> str:
    return shown(getattr(error, "strerror", None) or str(error))
