"""Write CSV files that spreadsheets show as they are."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import Final

from doublecross.protocol.text import printable

# OWASP, "CSV Injection": a spreadsheet takes a cell that begins so for a formula and runs it.
_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a header and the rows as CSV.

    A text that a spreadsheet would take for a formula gets an apostrophe in front. Control
    characters and those that change the direction of writing are replaced. Numbers stay as they
    are; pass them as numbers, or rounded by `number`.
    """
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "".join(lines)


class _Lines(list[str]):
    """Stand in for the file that `csv.writer` writes to."""

    def write(self, line: str) -> None:
        self.append(line)


class Number(str):
    """A number that is written already, such as ``-0.25``."""

    __slots__ = ()


def number(value: float, form: str) -> Number:
    """Return the number in this form, such as ``.6f``."""
    return Number(format(value, form))


def _cell(value: object) -> object:
    if not isinstance(value, str) or isinstance(value, Number):
        return value
    shown = printable(value)
    # Spreadsheets skip leading blanks.
    return f"'{shown}" if value.startswith(("\t", "\r")) or _begins_formula(value) else shown


def _begins_formula(text: str) -> bool:
    return text.lstrip().startswith(_FORMULA)
