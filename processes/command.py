"""The command line of a child process, which imports exactly what its parent would import.

A child is a fresh interpreter. Its parent gives it the module path: absolute, and without the
current directory where the parent has that only by default. ``-P`` keeps Python from adding the
directory again. So a folder named ``bots`` or a file named ``random.py`` in the current directory
changes nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of our packages."""

PACKAGES: Final = (
    "bots",
    "cli",
    "client",
    "games",
    "processes",
    "protocol",
    "server",
    "stats",
)
"""Our packages. A child loads them before anything else."""


def command(
    module: str, arguments: Sequence[str], *, expendable: bool, memory_mb: int | None
) -> list[str]:
    """Return the command line of a child of this process; see `processes.child.Child.start`."""
    order = {
        "root": str(ROOT),
        "path": module_path(),
        "packages": PACKAGES,
        "module": module,
        "arguments": list(arguments),
        "parent": os.getpid(),
        "expendable": expendable,
        "memory_mb": memory_mb,
    }
    flag = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, flag, str(Path(__file__).with_name("boot.py")), json.dumps(order)]


def module_path() -> list[str]:
    """Return the module path for a child: the parent's, with absolute entries.

    An empty entry stands for the current directory, whichever that is. Its place is at the end,
    where it hides nothing.
    """
    path = [os.path.abspath(entry) for entry in sys.path if entry]  # noqa: PTH100 - keeps links
    if "" in sys.path:
        path.append(str(Path.cwd()))
    return list(dict.fromkeys(path))
