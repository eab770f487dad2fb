"""Write files that only their owner can read."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replace the file at `path` atomically by one that only its owner can read.

    Raises:
        OSError: the file could not be written; the old one is unchanged.
    """
    # mkstemp creates the file with mode 0600.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            # Before the rename, so that a crash never leaves an empty file under the final name.
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
