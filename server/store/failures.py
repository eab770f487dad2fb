"""Convert the exceptions of a database or its driver into `StoreError`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from doublecross.server.core.storage import StoreError

# Drivers raise ValueError or ArithmeticError for values that the database cannot store (integers
# of more than 64 bits, half a surrogate pair) and for the use of a closed connection.
FAILURES: Final = (SQLAlchemyError, sqlite3.Error, OSError, ValueError, ArithmeticError)


def failure(what: str, error: BaseException) -> StoreError:
    """Return an error whose message is one line: `what` happened, because of `error`."""
    cause: object = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    elif isinstance(error, OSError) and error.strerror:
        cause = error.strerror
    # Only the first line is for people: drivers append hints, SQLAlchemy a statement and a link.
    lines = str(cause).strip().splitlines() or [type(error).__name__]
    reason = lines[0].strip()
    if reason.startswith("<class "):  # SQLAlchemy's prefix for an exception of the driver
        reason = reason.partition(">: ")[2] or reason
    return StoreError(f"{what}: {reason.rstrip('.')}.")


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Convert database exceptions in the `with` block into `StoreError`; see `failure`."""
    try:
        yield
    except FAILURES as error:
        raise failure(what, error) from error
