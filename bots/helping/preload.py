"""Name the modules that the fork server of the window imports.

Its processes share them and begin at once. The modules for the server come first, because the
window needs it first.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Final

_MADV_DONTNEED: Final = 4  # madvise(2)

FIRST: Final = (
    "doublecross.cli.serve.hosting",
    "doublecross.server.shell.running:build",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvloop",
    "doublecross.cli.main",
)
"""For a server on this computer. They are imported while the window opens."""

LATER: Final = (
    "doublecross.bots.hosting.resident",
    "doublecross.bots.levels",
    "doublecross.bots.engine.bot",
    "doublecross.bots.mcts.bot",
    "doublecross.bots.helping.preload:load_kernels",
    "doublecross.bots.workers.child",
    "doublecross.bots.advising.adviser",
    "doublecross.bots.judging.worker",
)
"""For bots, advice and reviews. They are imported when the first process has been asked for.

onnxruntime starts threads, so each process has to load it itself.
"""


def load_kernels() -> None:
    """Load the compiled kernels, unless they have to be compiled first.

    A worker compiles them then, because compiling takes most of a minute and much memory.

    Loading runs through 65 MiB of LLVM's code, which is hardly used afterwards. Release those
    pages. They stay in the system's file cache until it needs the memory, and come back when they
    are used.

    Raises:
        ImportError: the packages for kernels are not installed.
    """
    from doublecross.bots.engine.engine import prepare
    from doublecross.bots.mcts.dots import warm_up_kernels
    from doublecross.bots.search.jit import is_compiled
    from doublecross.bots.zero.search import prepare as prepare_zero

    if is_compiled("engine"):
        prepare()
    if is_compiled("uct"):
        warm_up_kernels()
    if is_compiled("zero"):
        prepare_zero()
    _release_code("libllvmlite.so")


def _release_code(library: str) -> None:
    """Unmap the pages of the code of a loaded library until they are used again. Linux only."""
    libc = ctypes.CDLL(None)
    for line in Path("/proc/self/maps").read_text().splitlines():
        # Only code: the loader has written addresses into other parts that are read-only now.
        if " r-xp " in line and line.endswith(f"/{library}"):
            start, end = (int(address, 16) for address in line.split()[0].split("-"))
            libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_DONTNEED)
