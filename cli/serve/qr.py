"""Print an address as a QR code, for phones near the terminal."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import Final

from doublecross.cli.shared.console import SET_UTF_8, can_encode, say, warn

_LIGHT_ON_DARK: Final = "\x1b[97;40m"
_PLAIN: Final = "\x1b[0m"


def print_qr(address: str) -> None:
    """Print the QR code of an address, or say why it cannot be shown."""
    lines = qr_lines(address)
    problem = why_not(lines, sys.stdout.encoding, shutil.get_terminal_size().columns)
    if problem is not None:
        warn(f"The QR code cannot be shown: {problem}")
        return
    # Phones read a code best when its ground is light, so do not leave the colours to chance.
    coloured = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    before, after = (_LIGHT_ON_DARK, _PLAIN) if coloured else ("", "")
    say()
    sys.stdout.write("".join(f"{before}{line}{after}\n" for line in lines))
    say()


def qr_lines(address: str) -> list[str]:
    """Return the QR code of an address as lines of half blocks, for light text on a dark ground."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().splitlines()


def why_not(lines: list[str], encoding: str | None, columns: int) -> str | None:
    """Return a sentence that says why a terminal cannot show these lines; None if it can."""
    if not can_encode("".join(lines), encoding):
        return f"this terminal has no block characters. {SET_UTF_8}"
    width = max(map(len, lines))
    if columns < width:
        return f"it needs {width} columns, and this terminal has {columns}. Make it wider."
    return None
