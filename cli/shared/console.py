"""Print for all commands, and define `Problem`, the error that users read as one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from doublecross.protocol.text import OWN_WORDS

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

BAD_INPUT: Final = 2
"""Exit code when a request cannot be carried out."""
FAILED: Final = 1
"""Exit code when something failed along the way."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, by the convention of shells."""
_PIPED_WIDTH: Final = 120
"""The width of tables in a pipe, in columns."""
_JARGON: Final = re.compile(r"Input should be ([^,]*)(, unable.*)?$")
"""The words of pydantic's messages."""

SET_UTF_8: Final = "Set a UTF-8 locale, such as LANG=C.UTF-8."
"""The advice about a terminal that lacks characters."""


class Problem(Exception):  # noqa: N818 - a user reads it, not a programmer
    """Ends a command with a sentence for the user and an exit code.

    `trace` is the traceback of a bot, which its author wants to see above the sentence.
    """

    def __init__(self, sentence: str, code: int = BAD_INPUT, trace: str = "") -> None:
        super().__init__(sentence)
        self.sentence = " ".join(sentence.split())
        self.code = code
        self.trace = trace


def open_standard_streams() -> None:
    """Let each standard stream take whatever a command prints.

    The null device replaces a stream that was closed at the start. Otherwise the next socket or
    file would get its number. The event loop ends the process when it closes a file with the number
    of standard error. Standard output shows a question mark for what its encoding does not have.
    """
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - until the end
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")


def discard_output() -> None:
    """Send standard output to the null device.

    Python tries to write what is left of the output once more at exit, and would report an error.
    """
    with contextlib.suppress(OSError, ValueError):  # ValueError: there is no file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@cache
def out() -> Console:
    """Return the console of standard output. Markup is off, so names are printed as they are."""
    from rich.console import Console

    # A pipe has no width. The 80 columns that rich assumes are too few for tables.
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=width)


@cache
def err() -> Console:
    """Return the console of standard error."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def say(text: str = "", style: str | None = None) -> None:
    """Print one line on standard output without wrapping it."""
    out().print(text, style=style, soft_wrap=True)


def say_json(value: object) -> None:
    """Print a value as JSON on one line of standard output."""
    sys.stdout.write(json.dumps(value) + "\n")


def warn(text: str, style: str | None = None) -> None:
    """Print one line on standard error without wrapping it.

    If a `live_area` is shown, the line appears above it.
    """
    console = err() if not _live_areas or not err().is_terminal else _live_areas[-1].console
    console.print(text, style=style, soft_wrap=True)


_live_areas: list[Live] = []


@contextlib.contextmanager
def live_area() -> Iterator[Callable[[RenderableType], None]]:
    """Keep an area of the terminal that is redrawn in place.

    The context gives a function that draws the area. What does not fit is cut off at the end.
    The area disappears when the context ends.
    """
    from rich.live import Live

    with Live(console=out(), transient=True, auto_refresh=False) as live:
        _live_areas.append(live)
        try:
            yield lambda shown: live.update(shown, refresh=True)
        finally:
            _live_areas.remove(live)
            # Rich draws the last content in full and then erases it. Lines of content that is
            # taller than the terminal would stay.
            live.update("", refresh=True)


def print_error(sentence: str, trace: str = "") -> None:
    """Print an error on standard error, below the traceback of a bot if there is one."""
    from rich.text import Text

    if trace:
        err().print(trace.rstrip(), style="dim", soft_wrap=True)
    err().print(Text.assemble(("Error: ", "bold red"), sentence), soft_wrap=True)


def plain(text: str) -> str:
    """Return a library's message about a wrong value in one line and in plain words."""
    return _JARGON.sub(r"it must be \1", " ".join(text.split()).removeprefix(OWN_WORDS))


def can_encode(text: str, encoding: str | None) -> bool:
    """Return whether a stream with this encoding can print a text."""
    try:
        text.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def is_terminal() -> bool:
    """Return whether both standard input and standard output are a terminal."""
    return sys.stdin.isatty() and out().is_terminal


@contextlib.contextmanager
def user_problems() -> Iterator[None]:
    """Turn errors of bots and clients that the user can act on into `Problem`."""
    from doublecross.bots.api import BotError
    from doublecross.bots.runner.config import RunnerError
    from doublecross.client.core.errors import ClientError

    try:
        yield
    except (BotError, RunnerError, ClientError, TimeoutError) as error:
        raise Problem(str(error), trace=getattr(error, "trace", "")) from error
