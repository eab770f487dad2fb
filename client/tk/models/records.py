"""List the games of a game file, and filter the list by words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.summary import date_line, shown
from doublecross.client.tk.models.words import game_title
from doublecross.games.record import RESULTS, Record

_SHORT: Final[Mapping[str, str]] = {"1/2-1/2": "½-½", "*": "–"}
"""The results that are shown differently from how a file writes them."""
_LONGEST_NAME: Final = 30


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The list row of one game; `number` is its place in the file, from 1.

    `key` joins all searchable texts, in lower case.
    """

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
    """Return the rows that contain every word of `text`, in any case.

    A result must match as a whole; otherwise ``1-0`` would also match the date ``2021-01``.
    """
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
    """Describe how many of all games the list shows."""
    if matches == total:
        return tr("{total:,} games", total=total)
    return (
        tr("{count:,} of {total:,} games", count=matches, total=total)
        if matches
        else tr("No game has all of these words.")
    )


def _row(number: int, record: Record) -> RecordRow:
    first, second = (shown(name.strip(), _LONGEST_NAME) or "?" for name in record.players)
    players = f"{first} – {second}"
    result = _SHORT.get(record.result, record.result)
    game = game_title(record.game)
    date = date_line(record.date)
    # A file writes sizes and dates in another form, in which people may look for them, too.
    written = (record.game.size, shown(record.date), shown(record.termination))
    texts = (players, game, date, *written)
    return RecordRow(number, players, result, game, date, " ".join(texts).casefold())
