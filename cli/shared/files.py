"""Checks and writes the files that users name."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cli.shared.console import Problem


def check_file(path: Path | None) -> None:
    """Refuse a file that cannot be written; call this before a long run, not after it."""
    if path is None:
        return
    if path.is_dir():
        raise Problem(f"{path} cannot be written: it is a folder.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise Problem(f"{path} cannot be written: there is no such folder.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise Problem(f"{path} cannot be written: permission denied.")


def write_file(path: Path, parts: list[str]) -> None:
    """Write texts to a file, with an empty line between two of them.

    A plain file is replaced as a whole, so readers never see half of it. A symbolic link stays a
    link. A device or a pipe is written to and never replaced.

    Raises:
        Problem: the file cannot be written.
    """
    text = "\n".join(parts)
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8")
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            # The process can read its umask only by setting it.
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)  # mkstemp lets only the owner read its file
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Problem(f"{path} cannot be written: {error.strerror}.") from None
