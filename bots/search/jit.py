"""Compile kernels once for each machine and version, into the user's cache folder.

Theory of operation
-------------------
`kernel` is numba's ``njit`` with a cache. numba checks only the file of a function to see whether
its cached code is stale, not the files of the functions that it calls. Therefore the name of the
cache folder contains a digest of all kernel sources and of the versions of numba, numpy and Python:
any change begins a new folder. Kernels of other packages, which call those of this one, have a
folder inside it, with a digest of their package in its name. All copies of the same sources share
their compiled code, wherever they lie.

A process that has just compiled removes the folders of other versions that nobody has used for
`KEPT_DAYS`. It holds the lock for all folders at that time. The modification time of a folder says
when it was last used.

A bot calls `warm_up` when it is made, before it connects to a server. The first process compiles
under a lock and prints a line on standard error. Other processes that start meanwhile wait for the
lock and then load the compiled code. A marker file shows that a group of kernels is compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from time import time
from typing import Any, Final, TypeVar, cast

import numba
import numpy
from filelock import FileLock
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE: Final = "DOUBLECROSS_CACHE"
"""The environment variable that sets another cache folder."""

KEPT_DAYS: Final = 30.0
"""The compiled code of another version is kept for this many days after its last use."""

_TEMPORARY: Final = "doublecross-"
"""The prefix of the temporary folder."""

_LEFT_OVER: Final = ".gone-"
"""The prefix of a folder that is being removed."""

_done: set[str] = set()
_busy = threading.Lock()


def _digest_of(first: str, folder: Path, paths: Iterable[Path]) -> str:
    """Return a digest of `first`, and of the names below `folder` and contents of files."""
    text = hashlib.sha256(first.encode())
    for path in paths:
        text.update(path.relative_to(folder).as_posix().encode())
        text.update(path.read_bytes())
    return text.hexdigest()[:16]


def _digest() -> str:
    """Return a digest of the kernel sources and of everything else that affects compiled code."""
    here = Path(__file__).resolve().parent
    versions = f"{numba.__version__} {numpy.__version__} {sys.version}"
    return _digest_of(versions, here, sorted(here.glob("**/*.py")))


def _cache_folder() -> Path:
    """Make and return the folder for compiled code, or a temporary one if that is impossible."""
    named = os.environ.get(CACHE_VARIABLE)
    digest = _digest()
    folder = (Path(named) if named else user_cache_path("doublecross")) / "kernels" / digest
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The lock file is in the parent folder.
        if os.access(folder, os.W_OK) and os.access(folder.parent, os.W_OK):
            return folder
    except OSError:
        pass
    # With the same folders below it, because `warm_up` uses the parent folder for its lock.
    folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY)) / "kernels" / digest
    folder.mkdir(parents=True)
    return folder


FOLDER: Final = _cache_folder()
"""The folder with the compiled code of this version."""


@cache
def _folder_of(source: str) -> Path:
    """Return the folder for the compiled code of the kernels in the file `source`."""
    package = Path(source).resolve().parent
    if Path(__file__).resolve().parent in (package, *package.parents):
        return FOLDER
    return FOLDER / _digest_of(package.name, package, sorted(package.glob("*.py")))


class Locator:
    """Tell numba where the code of a kernel lies, instead of a folder named after a path.

    numba makes it for each function, by the name in `numba.config.CACHE_LOCATOR_CLASSES`.
    """

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._folder = _folder_of(source)
        # numba names this in its warnings.
        self._py_file = source
        self._name = f"{function.__module__}-{function.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> Locator:
        """Return the locator of `function`, which is in the file `source`."""
        return cls(function, source)

    def get_cache_path(self) -> str:
        """Return the folder of the code."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder of the code."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return the same for all code in a folder, whose name stands for the sources."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """Return what tells a kernel from others of its name."""
        return self._name


def kernel(function: F) -> F:
    """Decorate `function` so that numba compiles it at its first call and caches the code.

    The compiled function releases the interpreter's lock, so another thread can set a stop flag
    while it runs. It must not make arrays; numba refuses to compile it if it does.
    """
    # The error model leaves out Python's checks for division by zero. Kernels allocate nothing, so
    # they need no reference counts of arrays. Those took a third of the time, and threads that
    # share an array would wait for each other at its count.
    options: Any = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    # numba chooses the folder when a function is decorated. Other packages may use its own.
    config: Any = numba.config
    before, config.CACHE_LOCATOR_CLASSES = config.CACHE_LOCATOR_CLASSES, f"{__name__}.Locator"
    try:
        compiled: Any = numba.njit(**options)(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = before
    return cast(F, compiled)


def warm_up(group: str, call: Callable[[], object]) -> None:
    """Compile the kernels of `group` by running `call`, which uses each of them once.

    The second call in a process returns at once. If the kernels are in the cache, the call loads
    them. Otherwise it compiles them, which takes seconds, and prints a line on standard error.
    """
    with _busy:
        if group in _done:
            return
        marker = _marker(group)
        if marker.exists():
            call()
        else:
            with FileLock(FOLDER.parent / "compiling.lock"):
                # Another process may have compiled them while this one waited for the lock.
                if not marker.exists():
                    sys.stderr.write(f"Compiling the {group} kernels, once for this machine ...\n")
                    sys.stderr.flush()
                call()
                with contextlib.suppress(OSError):
                    marker.touch()
                remove_old(FOLDER, time())
        with contextlib.suppress(OSError):
            os.utime(FOLDER)
        _done.add(group)


def is_temporary() -> bool:
    """Return whether compiled code is lost at the end, because no cache folder can be written."""
    return FOLDER.parents[1].name.startswith(_TEMPORARY)


def is_compiled(group: str) -> bool:
    """Return whether `warm_up` finds the kernels of `group` in the cache."""
    return _marker(group).exists()


def _marker(group: str) -> Path:
    return FOLDER / f"{group}.ready"


def remove_old(folder: Path, now: float) -> None:
    """Remove the folders beside `folder` that were not used in the `KEPT_DAYS` before `now`.

    `now` is in seconds since 1970. The caller must hold the lock.
    """
    for other in folder.parent.iterdir():
        with contextlib.suppress(OSError):
            if other == folder or other.is_symlink() or not other.is_dir():
                continue
            if other.name.startswith(_LEFT_OVER):
                shutil.rmtree(other, ignore_errors=True)
            elif (
                re.fullmatch("[0-9a-f]{16}", other.name)
                and now - other.stat().st_mtime > KEPT_DAYS * 86400
            ):
                # Renamed first, so that no process finds a folder with a part of its files.
                gone = other.rename(other.with_name(f"{_LEFT_OVER}{other.name}-{os.getpid()}"))
                shutil.rmtree(gone, ignore_errors=True)
