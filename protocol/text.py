"""Text that is safe to show: no control characters, none that change the direction of writing."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return `text` as one line that is safe to show to other people, in files and on terminals.

    Control characters (C0, C1, line breaks) and invisible ones, such as those that change the
    direction of writing, become spaces. Runs of spaces become one space.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def escaped(text: str, keep: str = "") -> str:
    """Return `text` with escapes such as ``\\x9b`` for characters that do not print, except `keep`.

    In logs this shows what somebody sent, and harms no terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c in keep or c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text
    )
