"""Tell users what is wrong with a backup."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from doublecross.cli.database.dumps import BackupError
from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem


@contextlib.contextmanager
def backup_problems() -> Iterator[None]:
    """Turn errors of backups into `Problem`."""
    try:
        yield
    except BackupError as error:
        raise Problem(str(error), FAILED if error.failed else BAD_INPUT) from None
