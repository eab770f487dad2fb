"""Make plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from doublecross.protocol.text import printable

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table


def rows_table(
    names: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Collection[str] = (),
    whole: Collection[str] = (),
) -> Table:
    """Return a table with these columns. None is an empty cell.

    Columns in `right` are numbers. Those in `whole` are never broken, such as ids that people copy.

    Cells can come from other people, so characters that do not print are replaced.
    """
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        justify: JustifyMethod = "right" if name in right else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=name in whole)
    for row in rows:
        table.add_row(*("" if cell is None else printable(str(cell)) for cell in row))
    return table
