"""A child process that says whether its fork server had imported a large module before."""

from __future__ import annotations

import os
import sys

from doublecross.processes.parent import Parent


def main() -> int:
    loaded = "numpy.testing" in sys.modules
    parent = Parent()
    parent.listen()
    parent.send({"loaded": loaded})
    sys.stdin.read()
    return 0


def leave_a_child() -> None:
    """Start a process and forget it, as a library may do when it is imported."""
    os.posix_spawnp("true", ("true",), os.environ)
