"""The games of a record file as a list that can be filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from client.tk.models.summary import date_line, shown
from client.tk.models.words import game_title
from games.record import RESULTS, Record

_SHORT: Final[Mapping[str, str]] = {"1/2-1/2": "½-½", "*": "–"}
"""How results are shown that are not shown as they are written."""
_LONGEST_NAME: Final = 30


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One game of a file: its number there, from 1, and what the list says of it. `key` is what of
    that can be searched for, in one."""

    number: int
    players: str
    result: str
    game: str
    date: str
    key: str


def game_rows(records: Sequence[Record]) -> tuple[RecordRow, ...]:
    """Return a row for each record."""
    return tuple(_row(number, record) for number, record in enumerate(records, 1))


def matching(rows: Sequence[RecordRow], text: str) -> list[RecordRow]:
    """Return the rows that have every word of `text` in them, whatever its case; a result counts
    as a whole, or 1-0 would be found in November too."""
    words = text.casefold().split()
    results = [_SHORT.get(word, word) for word in words if word in (*RESULTS, *_SHORT.values())]
    parts = [word for word in words if _SHORT.get(word, word) not in results]
    return [
        row
        for row in rows
        if all(result == row.result for result in results)
        and all(part in row.key for part in parts)
    ]


def count_line(matches: int, total: int) -> str:
    """Say how many games the list shows of those there are."""
    if matches == total:
        return f"{total:,} games"
    return f"{matches:,} of {total:,} games" if matches else "No game has all of these words."


def _row(number: int, record: Record) -> RecordRow:
    first, second = (shown(name.strip(), _LONGEST_NAME) or "?" for name in record.players)
    players = f"{first} – {second}"
    result = _SHORT.get(record.result, record.result)
    game = game_title(record.game)
    date = date_line(record.date).removesuffix(" UTC")
    texts = (players, game, date, shown(record.termination))
    return RecordRow(number, players, result, game, date, " ".join(texts).casefold())
