"""How kernels are compiled: once for each machine and version, into the user's cache folder.

Theory of operation
-------------------
`kernel` is numba's ``njit`` with a cache. numba looks only at the file of a function to see
whether its cached code is stale, not at the files of the functions that it calls; so the cache
folder carries a digest of all kernel sources (and of numba's and numpy's versions) in its name:
any change begins a new one.

The folders of other versions are removed when they have not been used for `KEPT_DAYS`: by a process
that has just compiled, and so holds the lock that is there for all of them. A folder's time of
change says when it was last used.

A bot calls `warm_up` when it is made, before it says hello to a server. The first process to do
so compiles, under a lock, and says so on standard error; others that start meanwhile wait for it
and then load what it has made. A marker file tells that the code of a group of kernels is there.
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
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any, Final, TypeVar, cast

import numba
import numpy
from filelock import FileLock
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE: Final = "DOUBLECROSS_CACHE"
"""The environment variable that names another cache folder."""

KEPT_DAYS: Final = 30.0
"""Days after its last use that the compiled code of another version is kept."""

_LEFT_OVER: Final = ".gone-"
"""How the name of a folder begins that is being removed."""

_done: set[str] = set()
_busy = threading.Lock()


def _digest() -> str:
    """What tells the compiled code of one version of the sources from that of another."""
    here = Path(__file__).resolve().parent
    # numba files its code by where the source is, so a second checkout compiles for itself.
    text = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version} {here}".encode())
    for path in sorted(here.glob("**/*.py")):
        text.update(path.read_bytes())
    return text.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder for compiled code, made if need be; a temporary one when that cannot be."""
    named = os.environ.get(CACHE_VARIABLE)
    digest = _digest()
    folder = (Path(named) if named else user_cache_path("doublecross")) / "kernels" / digest
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK) and os.access(folder.parent, os.W_OK):
            return folder
    except OSError:
        pass
    folder = Path(tempfile.mkdtemp(prefix="doublecross-")) / "kernels" / digest
    folder.mkdir(parents=True)
    return folder


FOLDER: Final = _cache_folder()
"""Where the compiled code of this version is."""

numba.config.CACHE_DIR = str(FOLDER)  # type: ignore[attr-defined]


def kernel(function: F) -> F:
    """`function` compiled by numba when it is first called, its code cached; it releases the
    interpreter's lock, so another thread can raise a stop flag meanwhile."""
    compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return cast(F, compiled)


def warm_up(group: str, call: Callable[[], object]) -> None:
    """Have the kernels of `group` compiled: run `call`, which uses each of them once.

    In a process that has done so before this is free; on a machine where they were compiled
    before it takes as long as loading them. Otherwise it takes seconds and says so.
    """
    with _busy:
        if group in _done:
            return
        marker = FOLDER / f"{group}.ready"
        if marker.exists():
            call()
        else:
            with FileLock(FOLDER.parent / "compiling.lock"):
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


def remove_old(folder: Path, now: float) -> None:
    """Remove the compiled code of other versions beside `folder` that was not used for
    `KEPT_DAYS` before `now`, in seconds since 1970; the lock must be held."""
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
                # Renamed first, so that nobody finds it half empty.
                gone = other.rename(other.with_name(f"{_LEFT_OVER}{other.name}-{os.getpid()}"))
                shutil.rmtree(gone, ignore_errors=True)
