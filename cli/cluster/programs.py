"""Find foreign programs such as PostgreSQL, and run them as children of this process."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Self

from doublecross.cli.shared.console import FAILED, Problem
from doublecross.processes.child import Child
from doublecross.processes.foreign import Job
from doublecross.processes.network import HERE, Host

POSTGRESQL_FOLDERS: Final = Path("/usr/lib/postgresql")
"""The folder in which Debian and Ubuntu install PostgreSQL; no version is in the PATH."""
ACCOUNTS: Final = ("postgres", "nobody")
"""The accounts that run PostgreSQL for root, whom it refuses; the first one that exists."""
START_S: Final = 30.0
_LOOK_S: Final = 0.02
_LOG_LETTERS: Final = 300
_ERROR: Final = re.compile(r"FATAL|\[FTL\]|ERROR|\[ERR\]|error:", re.ASCII)
"""The marks of the lines in a log that say why a program ended."""


@cache
def find(program: str) -> str | None:
    """Return the path of a program: that of the newest PostgreSQL, or one from the PATH."""
    versions = sorted(
        POSTGRESQL_FOLDERS.glob(f"*/bin/{program}"), key=lambda path: float(path.parts[-3])
    )
    if versions:
        return str(versions[-1])
    # Debian installs servers where only the PATH of root looks.
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
    return shutil.which(program, path=path)


def need(packages: Mapping[str, str]) -> None:
    """Check that programs are installed; `packages` has the Debian package of each of them.

    Raises:
        Problem: one is missing; the sentence names the packages to install.
    """
    if sys.platform == "win32":
        raise Problem("This command needs Linux or macOS, because of how it ends other programs.")
    missing = {program: package for program, package in packages.items() if find(program) is None}
    if missing:
        raise Problem(
            f"Not installed: {', '.join(missing)}. On Debian and Ubuntu install them with:"
            f" apt install {' '.join(dict.fromkeys(missing.values()))}"
        )


@cache
def account() -> tuple[int, int] | None:
    """Return the user id and the group id for PostgreSQL, None for those of this process.

    Raises:
        Problem: root runs this process, and there is no other account for PostgreSQL.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    import pwd

    for name in ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise Problem(
        f"PostgreSQL refuses to run as root, and there is no account {' or '.join(ACCOUNTS)}."
        " Run this command as another user."
    )


def give(path: Path) -> Path:
    """Give a file or folder to the account of PostgreSQL alone, and return its path."""
    who = account()
    if who is not None:
        os.chown(path, *who)
    path.chmod(0o700 if path.is_dir() else 0o600)
    return path


class Program:
    """A foreign program that runs until `stop`, or until this process ends in any way."""

    def __init__(self, title: str, child: Child, log: Path) -> None:
        self._title = title
        self._child = child
        self._log = log
        self.pid = 0

    @classmethod
    async def start(
        cls, title: str, job: Job, is_ready: Callable[[], bool], host: Host = HERE
    ) -> Self:
        """Start a program, and return when it is ready. `title` names it in sentences.

        Raises:
            Problem: it ended, or was not ready within 30 seconds.
            OSError: the system cannot start a process.
        """
        child = await Child.start(
            title, "doublecross.processes.foreign", job.encode(), words=host.words
        )
        program = cls(title, child, Path(job.log))
        try:
            await program._wait(is_ready)
        except BaseException:
            await child.stop()
            raise
        return program

    async def _wait(self, is_ready: Callable[[], bool]) -> None:
        message = await self._child.receive()
        if message is None or "pid" not in message:
            raise self._problem(message)
        self.pid = message["pid"]
        ending = asyncio.create_task(self._child.receive())
        try:
            async with asyncio.timeout(START_S):
                while not is_ready():
                    if ending.done():
                        raise self._problem(ending.result())
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            raise Problem(f"{self._title} was not ready within {START_S:g} s.", FAILED) from None
        finally:
            ending.cancel()

    def _problem(self, message: dict[str, object] | None) -> Problem:
        said = message or {}
        why = said.get("error")
        if why is None:
            lines = self.log().strip().splitlines()
            errors = [line for line in lines if _ERROR.search(line)] or lines
            why = errors[-1][:_LOG_LETTERS] if errors else f"exit code {said.get('code')}"
        what = said.get("failed")
        return Problem(f"{self._title} cannot be started ({what}): {why}".rstrip(".") + ".", FAILED)

    def log(self) -> str:
        """Return what the program has written."""
        try:
            return self._log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    async def stop(self) -> None:
        """End the program."""
        await self._child.stop()
