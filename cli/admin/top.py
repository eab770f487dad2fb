"""Show what a server does, and keep the picture up to date: `doublecross admin top`."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.admin.reach import Reach, managing
from doublecross.cli.admin.top_readings import Reading
from doublecross.cli.shared.console import Problem, is_terminal, out, say, say_json
from doublecross.cli.shared.remote.http import RefusedError
from doublecross.cli.shared.times import duration

if TYPE_CHECKING:
    from rich.console import Group

_LINES: Final = 100
"""The most rooms and players that one reading asks for."""
_TIMEOUT_S: Final = 5.0
"""A server that answers later than this counts as one that does not answer."""
_QUIT: Final = ("q", "Q", "escape")
_NO_RIGHT: Final = (401, 403)


@managing
def top(
    at: Reach,
    every: Annotated[
        float, typer.Option("--every", min=0.5, max=3600, help="Seconds between two readings.")
    ] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Print one reading and end.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one reading as JSON and end.")
    ] = False,
) -> None:
    """Show what a server does: load, waiting work, limits that refused something, rooms, players.

    The picture changes until you press q. It shows how much each number has changed since the last
    reading. If the server stops or restarts, it waits for it.

    Example: doublecross admin top --every 5
    """
    watcher = Watcher(replace(at, timeout_s=_TIMEOUT_S), time.monotonic)
    watcher.take_reading()
    if as_json:
        now = watcher.now
        whole = {"overview": now.overview, "rooms": now.rooms, "players": now.players}
        say_json(whole)
    elif once:
        out().print(watcher.picture(None))
    elif is_terminal():
        with contextlib.suppress(KeyboardInterrupt):
            _draw(watcher, every)
    else:
        while True:
            out().print(watcher.picture(None))
            sys.stdout.flush()
            say()
            time.sleep(every)
            watcher.take_reading()


class Watcher:
    """Takes readings of a server. `clock` returns seconds."""

    def __init__(self, at: Reach, clock: Callable[[], float]) -> None:
        self._at = at
        self._clock = clock
        self._readings: list[Reading] = []
        self._address = ""
        self._silent_since_s: float | None = None
        self._why = ""

    @property
    def now(self) -> Reading:
        """The last reading."""
        return self._readings[-1]

    def take_reading(self) -> None:
        """Take a reading. After the first one, a server that does not answer is waited for.

        Raises:
            Problem: there is no first reading, or the token does not allow it any more.
        """
        try:
            self._readings = [*self._readings[-1:], self._read()]
        except Problem as problem:
            refused = isinstance(problem, RefusedError) and problem.status in _NO_RIGHT
            if refused or not self._readings:
                raise
            if self._silent_since_s is None:
                self._silent_since_s = self._clock()
            self._why = problem.sentence
        else:
            self._silent_since_s = None

    def _read(self) -> Reading:
        self._address = self._at.connect().address
        overview = self._at.get("overview")
        at_s = self._clock()
        rooms = self._at.get("rooms", limit=_LINES)
        players = self._at.get("players", limit=_LINES)
        return Reading(at_s, overview, rooms["rooms"], players["players"])

    def picture(self, height: int | None) -> Group:
        """Return the picture of the last reading; `height` is that of the terminal, if any."""
        from doublecross.cli.admin.top_view import FULL, view

        before = self._readings[0] if len(self._readings) > 1 else None
        return view(self.now, before, self._address, height or FULL, self._notice())

    def _notice(self) -> str:
        if self._silent_since_s is None:
            return ""
        waited = duration(self._clock() - self._silent_since_s)
        return f"Waiting for the server since {waited}; the figures are old. {self._why}"


def _draw(watcher: Watcher, every: float) -> None:
    """Redraw the picture in place until the host presses a key that ends it."""
    from rich.live import Live

    from doublecross.cli.shared.keys import pressed

    keys: queue.Queue[str] = queue.Queue()
    console = out()
    with (
        pressed() as next_key,
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        # A thread of its own, because a key must end the view between two readings.
        threading.Thread(target=_read_keys, args=(next_key, keys), daemon=True).start()
        while True:
            live.update(watcher.picture(console.size.height), refresh=True)
            until = time.monotonic() + every
            while (left := until - time.monotonic()) > 0:
                with contextlib.suppress(queue.Empty):
                    if keys.get(timeout=left) in _QUIT:
                        return
            watcher.take_reading()


def _read_keys(next_key: Callable[[], str], keys: queue.Queue[str]) -> None:
    try:
        while True:
            keys.put(next_key())
    except (EOFError, OSError):
        keys.put(_QUIT[0])  # the terminal has gone
