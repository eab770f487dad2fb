"""What every command prints through, and the error that becomes one sentence on standard error."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

BAD_INPUT: Final = 2
"""Exit code when what the user asked for cannot be done."""
FAILED: Final = 1
"""Exit code when something that was possible went wrong on the way."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""
_PIPED_WIDTH: Final = 120
_JARGON: Final = re.compile(r"Input should be ([^,]*)(, unable.*)?$")


class Problem(Exception):  # noqa: N818 - named for what the user is told
    """A command cannot go on; the text is one sentence for the user, `code` the exit code."""

    def __init__(self, sentence: str, code: int = BAD_INPUT) -> None:
        super().__init__(sentence)
        self.sentence = " ".join(sentence.split())
        self.code = code


@cache
def out() -> Console:
    """Standard output. Text of users goes in as it is: markup is off."""
    from rich.console import Console

    # A pipe has no width; tables must not be squeezed into the 80 columns that rich assumes.
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=width)


@cache
def err() -> Console:
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def say(text: str = "", style: str | None = None) -> None:
    """One line on standard output, never broken into two."""
    out().print(text, style=style, soft_wrap=True)


def warn(text: str, style: str | None = None) -> None:
    """One line on standard error, never broken into two; while something is `changing` on the
    screen, above that."""
    console = err() if not _changing or not err().is_terminal else _changing[-1].console
    console.print(text, style=style, soft_wrap=True)


_changing: list[Live] = []


@contextlib.contextmanager
def live_area() -> Iterator[Callable[[RenderableType], None]]:
    """Something that changes in its place on a terminal while this lasts, shown by calling what
    this gives. What does not fit is cut off at its end; afterwards nothing of it is left."""
    from rich.live import Live

    with Live(console=out(), transient=True, auto_refresh=False) as live:
        _changing.append(live)
        try:
            yield lambda shown: live.update(shown, refresh=True)
        finally:
            _changing.remove(live)
            # The last one is drawn in full and taken back: of one that is taller than the
            # terminal, lines would stay.
            live.update("", refresh=True)


def print_error(sentence: str) -> None:
    """What went wrong, on standard error."""
    from rich.text import Text

    err().print(Text.assemble(("Error: ", "bold red"), sentence), soft_wrap=True)


def plain(text: str) -> str:
    """What a library says of a wrong value, in one line and without its jargon."""
    return _JARGON.sub(r"it must be \1", " ".join(text.split()))


def is_terminal() -> bool:
    """Whether a person sits at both ends: keys can be read and the screen can be redrawn."""
    return sys.stdin.isatty() and out().is_terminal


@contextlib.contextmanager
def user_problems() -> Iterator[None]:
    """Turn what a player's side of the network raises for the user's mistakes into `Problem`."""
    from bots.api import BotError
    from bots.runner.config import RunnerError
    from client.core.errors import ClientError

    try:
        yield
    except (BotError, RunnerError, ClientError, TimeoutError) as error:
        raise Problem(str(error)) from error


def quiet_logs(verbose: bool) -> None:
    """Send the standard library's logs to standard error, a line each; warnings only, unless
    `verbose`."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(message)s" if not verbose else "%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    for name in ("websockets", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
