"""Find the programs that the tests of clusters start, and run them as a user that they accept."""

from __future__ import annotations

import os
import pwd
import shutil
from functools import cache
from pathlib import Path
from typing import Final

import pytest

_FOLDERS: Final = Path("/usr/lib/postgresql")
_USERS: Final = ("postgres", "nobody")


@cache
def found(program: str) -> str | None:
    """Return the path of a program of PostgreSQL, of the newest version, or of another program."""
    versions = sorted(_FOLDERS.glob(f"*/bin/{program}"), key=lambda path: float(path.parts[-3]))
    if versions:
        return str(versions[-1])
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def need(*programs: str) -> None:
    """Skip the test when a program is missing; fail it when DOUBLECROSS_NEED_CLUSTER is set."""
    missing = [program for program in programs if found(program) is None]
    if not missing:
        return
    reason = f"not installed: {', '.join(missing)}"
    if os.environ.get("DOUBLECROSS_NEED_CLUSTER"):
        pytest.fail(f"{reason}, and DOUBLECROSS_NEED_CLUSTER is set")
    pytest.skip(reason)


@cache
def user() -> pwd.struct_passwd | None:
    """Return the user that runs PostgreSQL, which refuses to run as root; None for oneself."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(names[name] for name in _USERS if name in names)


def command(*words: str, signal: str = "") -> list[str]:
    """Return the command that runs a program as that user.

    With `signal` the program gets it when the process ends that started it, such as ``INT``.
    """
    setpriv = shutil.which("setpriv")
    program = [found(words[0]) or words[0], *words[1:]]
    who = user()
    if setpriv is None:
        assert who is None, "setpriv (package util-linux) is needed to start PostgreSQL as root"
        return program
    options = [f"--pdeathsig={signal}"] if signal else []
    if who is not None:
        options += [f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups"]
    return [setpriv, *options, *program] if options else program


def owned(folder: Path) -> Path:
    """Give a folder to that user, and return it."""
    who = user()
    if who is not None:
        os.chown(folder, who.pw_uid, who.pw_gid)
    folder.chmod(0o700)
    return folder
