"""Tell users what is wrong with a backup."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem
from doublecross.server.store.whole.dumps import BackupError


@contextlib.contextmanager
def backup_problems() -> Iterator[None]:
    """Turn errors of backups into `Problem`."""
    try:
        yield
    except BackupError as error:
        raise Problem(str(error), FAILED if error.failed else BAD_INPUT) from None
