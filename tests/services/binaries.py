"""Find the programs that the tests of clusters start, and run them as a user that they accept."""

from __future__ import annotations

import os
import shutil
from typing import Final, NoReturn

import pytest

from doublecross.cli.cluster.programs import account, find
from doublecross.processes.network import Network, NetworkError

NEED: Final = "DOUBLECROSS_NEED_CLUSTER"


def need(*programs: str) -> None:
    """Skip the test when a program is missing; fail it when `NEED` is set."""
    if missing := [program for program in programs if find(program) is None]:
        _lack(f"not installed: {', '.join(missing)} (see `make cluster`)")


def need_hosts() -> Network:
    """Return a network for hosts of their own; without one skip the test or fail it, as `need`."""
    need("ip", "nsenter")
    try:
        return Network()
    except NetworkError as error:
        _lack(str(error))


def _lack(reason: str) -> NoReturn:
    if os.environ.get(NEED):
        pytest.fail(f"{reason}, and {NEED} is set")
    pytest.skip(reason)


def command(*words: str, signal: str = "") -> list[str]:
    """Return the command that runs a program as that user.

    With `signal` the program gets it when the process ends that started it, such as ``INT``.
    """
    setpriv = shutil.which("setpriv")
    program = [find(words[0]) or words[0], *words[1:]]
    who = account()
    if setpriv is None:
        assert who is None, "setpriv (package util-linux) is needed to start PostgreSQL as root"
        return program
    options = [f"--pdeathsig={signal}"] if signal else []
    if who is not None:
        user, group = who
        options += [f"--reuid={user}", f"--regid={group}", "--clear-groups"]
    return [setpriv, *options, *program] if options else program
