"""Count the rows that stay, so that `doublecross database verify` sees when some are missing.

Triggers of the database count what is added, whoever adds it. Whatever deletes such rows counts
them off before, with `counted_off`. In PostgreSQL each connection counts in a row of its own, so
that the nodes of a cluster do not wait for each other. `logs.entries` counts the entries of a log:
there the commit does it, because a trigger would take three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa

from doublecross.server.store.schema import (
    accounts,
    audit,
    classrooms,
    entrants,
    games,
    journal,
    members,
    notes,
    pairings,
    players,
    progress,
    puzzle_ratings,
    row_counts,
    tournaments,
)

COUNTED: Final = (
    *(journal, games, players, accounts),
    *(tournaments, entrants, pairings, audit),
    *(classrooms, members, progress, puzzle_ratings, notes),
)
"""The tables whose rows triggers count; those of most others can be made again, or end."""
_FIRST: Final = 0
"""The part that counts the rows from before, and in SQLite all."""
_SQLITE: Final = """
CREATE TRIGGER count_{table} AFTER INSERT ON {table} BEGIN
    UPDATE row_counts SET counted = counted + 1 WHERE table_name = '{table}' AND part = 0;
END
"""
_POSTGRESQL_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO row_counts AS c VALUES (TG_TABLE_NAME, 1 + pg_backend_pid() % 1000, 1)
    ON CONFLICT (table_name, part) DO UPDATE SET counted = c.counted + 1;
    RETURN NULL;
END $$
"""
_POSTGRESQL: Final = """
CREATE TRIGGER count_{table} AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION count_rows()
"""


def begin_counting(connection: sa.Connection, tables: Iterable[str]) -> None:
    """Count the rows that these tables have, and from now on those that are added."""
    trigger = _SQLITE
    if connection.dialect.name == "postgresql":
        trigger = _POSTGRESQL
        connection.exec_driver_sql(_POSTGRESQL_FUNCTION)
    for table in tables:
        connection.exec_driver_sql(trigger.format(table=table))
        number = sa.select(sa.func.count()).select_from(sa.table(table)).scalar_subquery()
        row = {"table_name": table, "part": _FIRST, "counted": number}
        connection.execute(sa.insert(row_counts).values(row))


def counted_off(table: sa.Table, deleted: sa.ColumnElement[bool] | None = None) -> sa.Update:
    """Return the statement that counts off the rows which the next one deletes, by default all."""
    number = sa.select(sa.func.count()).select_from(table)
    if deleted is not None:
        number = number.where(deleted)
    return (
        sa.update(row_counts)
        .where(row_counts.c.table_name == table.name, row_counts.c.part == _FIRST)
        .values(counted=row_counts.c.counted - number.scalar_subquery())
    )
