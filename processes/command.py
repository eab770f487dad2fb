"""Build the command line of a child process, which imports exactly what its parent would import.

A child is a fresh interpreter, and its parent passes it the module path. The entries are absolute,
and an entry for the current directory moves to the end. ``-P`` keeps Python from adding the
directory of the script. A folder named ``doublecross`` or a file named ``random.py`` in the
current directory therefore changes nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of our package."""


def make_order(
    module: str, arguments: Sequence[str], *, expendable: bool, memory_mb: int | None
) -> dict[str, Any]:
    """Return what a child of this process has to do.

    See `doublecross.processes.child.Child.start`.
    """
    return {
        "root": str(ROOT),
        "path": module_path(),
        "module": module,
        "arguments": list(arguments),
        "parent": os.getpid(),
        "expendable": expendable,
        "memory_mb": memory_mb,
    }


def command(order: dict[str, Any]) -> list[str]:
    """Return the command line of a fresh interpreter that carries out `order`."""
    flag = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, flag, str(Path(__file__).with_name("boot.py")), json.dumps(order)]


def module_path() -> list[str]:
    """Return the module path for a child: that of this process, with absolute entries.

    An empty entry stands for the current directory. That directory goes to the end, where its
    files cannot replace other modules.
    """
    path = [os.path.abspath(entry) for entry in sys.path if entry]  # noqa: PTH100 - keeps links
    if "" in sys.path:
        path.append(str(Path.cwd()))
    return list(dict.fromkeys(path))
