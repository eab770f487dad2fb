"""Check and write the files that users name."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from doublecross.cli.shared.console import Problem

STANDARD_OUTPUT: Final = Path("-")
"""The name that stands for standard output, not for a file."""


def check_file(path: Path | None) -> None:
    """Refuse a file that cannot be written; call this before a long run, not after it.

    It tries what `write_file` does, because permissions alone do not say whether a folder takes new
    files. What is in the file stays.

    Raises:
        Problem: the file cannot be written.
    """
    if path is None or path == STANDARD_OUTPUT:
        return
    with _sentences(path):
        if not path.absolute().parent.is_dir():
            raise FileNotFoundError
        target = _target(path)
        if target.is_dir():
            raise IsADirectoryError
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not target.exists() or target.is_file():
            handle, temporary = _temporary(target)
            os.close(handle)
            Path(temporary).unlink()


def write_file(path: Path, parts: list[str]) -> None:
    """Write texts to a file, with an empty line between two of them; see `write_bytes`.

    Raises:
        Problem: the file cannot be written.
    """
    write_bytes(path, "\n".join(parts).encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file.

    A plain file is replaced as a whole, so readers never see half of it. A symbolic link stays a
    link. A device or a pipe is written to and never replaced, nor is `STANDARD_OUTPUT`.

    Raises:
        Problem: the file cannot be written.
    """
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    with _sentences(path):
        path = _target(path)
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        handle, temporary = _temporary(path)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # The process can read its umask only by setting it.
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)  # mkstemp lets only the owner read its file
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def add_text(path: Path, text: str, *, first: bool) -> None:
    """Write a text behind those before it, or as the `first` one, so that others can read it.

    A device, a pipe and `STANDARD_OUTPUT` are left alone, because `write_file` writes them whole.

    Raises:
        Problem: the file cannot be written.
    """
    if path == STANDARD_OUTPUT or (path.exists() and not path.is_file()):
        return
    with _sentences(path), path.open("w" if first else "a", encoding="utf-8") as file:
        file.write(text if first else f"\n{text}")


def _target(path: Path) -> Path:
    """Return the file that the links of a path lead to."""
    target = path.resolve()
    if target.is_symlink():  # From Python 3.13 on a circle is left as it is.
        raise RuntimeError
    return target


def _temporary(path: Path) -> tuple[int, str]:
    """Make an empty file beside `path` that can take its place."""
    return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn the errors of the file system into a `Problem` with `path`."""
    try:
        yield
        return
    except IsADirectoryError:
        why = "it is a folder"
    except (FileNotFoundError, NotADirectoryError):
        why = "there is no such folder"
    except RuntimeError:  # from `_target`
        why = "its links lead in a circle"
    except OSError as error:
        why = (error.strerror or str(error)).lower()
    raise Problem(f"{path} cannot be written: {why}.")
