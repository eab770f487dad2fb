"""Read and write game files, and describe in a sentence what is wrong with one."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from doublecross.client.language import plural, tr
from doublecross.client.tk.models.records import RecordRow, game_rows
from doublecross.client.tk.models.summary import shown
from doublecross.client.tk.refusal import Refusal
from doublecross.games.api import GameError
from doublecross.games.record import Record, parse_records, split_records

RECORD_FILES: Final = ((tr("Records"), ("*.txt", "*.dxr")), (tr("All files"), "*"))
"""The file types that the file dialogs offer."""
MAX_BYTES: Final = 16 * 1024 * 1024
"""The largest file that is read, in bytes; a file of 15 000 games is smaller."""
PART: Final = 500
"""How many games are parsed between two checks whether to stop."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The games of a file, with one list row for each; `fault` is about malformed ones."""

    name: str
    records: tuple[Record, ...]
    rows: tuple[RecordRow, ...]
    fault: str = ""


def read_records(path: Path, stopped: Callable[[], bool] = lambda: False) -> RecordFile:
    """Return the games of the file `path`, at least one; a malformed game spoils no other.

    Reading ends early when `stopped`, which is called now and then, returns true.

    Raises:
        Refusal: the file is unreadable, too large or not a game file, or reading was stopped.
    """
    name = shown(path.name) or str(path)
    records: list[Record] = []
    faults: list[str] = []
    for number, (line, part) in enumerate(split_records(_decoded(_read(path, name), name))):
        if number % PART == 0 and stopped():
            raise Refusal(tr("{name} was not read to its end.", name=name))
        try:
            records += parse_records(part, line)
        except GameError as error:
            faults.append(shown(str(error)))
    if faults and not records:
        raise Refusal(tr("{name} is not a game file. {error}", name=name, error=faults[0]))
    if not records:
        raise Refusal(tr("{name} has no games in it.", name=name))
    fault = ""
    if faults:
        unread = plural("1 game cannot be read.", "{n} games cannot be read.", len(faults))
        fault = f"{unread} {faults[0]}"
    return RecordFile(name, tuple(records), game_rows(records), fault)


def write_record(path: Path, text: str) -> None:
    """Write `text` as the file `path`.

    Raises:
        Refusal: the file cannot be written.
    """
    try:
        path.write_text(text, "utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise Refusal(
            tr("{name} cannot be written: {why}.", name=shown(path.name), why=_why(error))
        ) from None


def _read(path: Path, name: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Refusal(tr("{name} is a folder; choose a game file in it.", name=name))
        if not stat.S_ISREG(mode):
            raise Refusal(tr("{name} is not a regular file; choose a game file.", name=name))
        with path.open("rb") as file:
            # The size in the file system may be wrong or change, so read up to the limit.
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise Refusal(tr("There is no file {name}.", name=name)) from None
    except (OSError, ValueError) as error:
        raise Refusal(tr("{name} cannot be read: {why}.", name=name, why=_why(error))) from None
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise Refusal(
            tr(
                "{name} is larger than {most} MB, which is too large for a game file.",
                name=name,
                most=most,
            )
        )
    return data


def _decoded(data: bytes, name: str) -> str:
    if not data.strip():
        raise Refusal(tr("{name} is empty; choose a file with games.", name=name))
    try:
        text = data.decode("utf-8")
    except ValueError:
        text = "\0"
    if "\0" in text:
        raise Refusal(tr("{name} is not a game file: it is not UTF-8 text.", name=name))
    return text


def _why(error: OSError | ValueError) -> str:
    """Return the reason of a failed file operation, for people."""
    return shown(getattr(error, "strerror", None) or str(error))
