"""Read single keys from the terminal."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

import typer

_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_NAMES: Final = {
    **{f"\x1b{lead}C": "right" for lead in "[O"},
    **{f"\x1b{lead}D": "left" for lead in "[O"},
    **{f"\x1b{lead}A": "up" for lead in "[O"},
    **{f"\x1b{lead}B": "down" for lead in "[O"},
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), "end"),
    "\x1b[5~": "up",
    "\x1b[6~": "down",
    "\x7f": "left",
    "\x08": "left",
    "\r": "right",
    "\n": "right",
    "\x1b": "escape",
    "\x04": "escape",
}


@contextlib.contextmanager
def pressed() -> Iterator[Callable[[], str]]:
    """Read keys inside this context, without echo and without Enter.

    The context gives a function that waits for the next key. It returns a word for arrow keys and
    the like, such as ``left``, otherwise the character. Ctrl-C still interrupts. The function
    raises EOFError when the terminal has gone.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield lambda: _NAMES.get(key := typer.getchar(), key)
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    waiting: deque[str] = deque()

    def next_key() -> str:
        while not waiting:
            data = os.read(fd, 1024)
            if not data:
                raise EOFError
            waiting.extend(_KEY.findall(data.decode(errors="replace")))
        key = waiting.popleft()
        return _NAMES.get(key, key)

    # The mode stays on between keys. Keys typed between two reads would be lost otherwise.
    tty.setcbreak(fd, termios.TCSANOW)
    try:
        yield next_key
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
