"""Turns what a database or its driver raises into `StoreError` with one sentence for the host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from server.core.storage import StoreError
from server.store import sqlite

# Values that the database cannot hold (a number of more than 64 bits, half a surrogate pair)
# come as ValueError or ArithmeticError, as does the use of a connection that has gone.
FAILURES: Final = (SQLAlchemyError, sqlite.DriverError, OSError, ValueError, ArithmeticError)


def failure(what: str, error: BaseException) -> StoreError:
    """`what` happened because of `error`, as one sentence on one line."""
    cause: object = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    elif isinstance(error, OSError) and error.strerror:
        cause = error.strerror
    # Drivers add hints on further lines, and SQLAlchemy the statement and a link.
    lines = str(cause).strip().splitlines() or [type(error).__name__]
    reason = lines[0].strip()
    if reason.startswith("<class "):  # how SQLAlchemy names a driver's exception it has wrapped
        reason = reason.partition(">: ")[2] or reason
    return StoreError(f"{what}: {reason.rstrip('.')}.")


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Raise what a database raises inside as `StoreError`, which says that `what` happened."""
    try:
        yield
    except FAILURES as error:
        raise failure(what, error) from error
