"""Keep the resident bots of a server running.

Theory of operation
-------------------
Residents join the server over the network like any other bots. Each one has a child process
(`doublecross.bots.hosting.resident`); with `together` all of them share one, which saves memory,
but then one of them thinks at a time. One task for each process starts it, reads its messages, and
starts it again when it ends, after a pause that doubles each time. It gives up a bot that has never
been ready and cannot be made: after some attempts, or at once if the error is in the bot's code.
The log has the traceback of a bot once. A cancelled task closes the input of its child and waits
for its end, so residents end with the event loop of the server.

Only the children import the code of bots, such as compiled kernels or a user's module. A child
therefore also checks whether the requested bots exist.

This process assigns the names, so that each resident finds its token and its games again after a
restart. The tokens are kept beside the database. They are worth nothing without it, and stay valid
when it is served at another address.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from doublecross.bots.hosting.orders import MODULE, play_options, seeks_after
from doublecross.processes.child import Child

FIRST_S: Final = 1.0
MOST_S: Final = 60.0
"""The first and the longest pause before a bot that ended is started again, in seconds."""
MOST_TRIES: Final = 5
"""A bot that cannot be made is given up after so many attempts, if it has never been ready."""
STEADY_S: Final = 60.0
"""A bot that ran for so many seconds starts again after the first, short pause."""


class EventLog(Protocol):
    """A log that takes an event and its fields, such as one of structlog.

    The field `exception` has a traceback, `exc_info` an exception.
    """

    def info(self, event: str, **fields: Any) -> None:
        """Log something that is as it should be."""

    def warning(self, event: str, **fields: Any) -> None:
        """Log something that the host may want to look into."""

    def error(self, event: str, **fields: Any) -> None:
        """Log something that stays wrong until the host does something."""


@dataclass(frozen=True, slots=True)
class ResidentBot:
    """One resident: its spec, and the name it asks for on the server."""

    spec: str
    name: str


@dataclass(frozen=True, slots=True)
class BotEnd:
    """The end of one process of residents."""

    sentence: str
    """Why it ended."""
    lived_s: float
    """For how many seconds its bots were on the server."""
    unusable: ResidentBot | None = None
    """The bot that could not be made, if any."""
    lasting: bool = False
    """True when another attempt to make that bot makes no sense."""
    trace: str = ""
    """The traceback of the bot, if it caused the end."""


class Backoff:
    """Chooses the pause before a bot that ended is started again."""

    def __init__(self) -> None:
        self._next = FIRST_S

    def after(self, lived_s: float) -> float:
        """Return the seconds to wait after a bot that ran for `lived_s` seconds has ended."""
        if lived_s >= STEADY_S:
            self._next = FIRST_S
        delay = self._next
        self._next = min(MOST_S, 2 * self._next)
        return delay


@dataclass(frozen=True, slots=True)
class ResidentTerms:
    """The terms of all resident bots of a server.

    Each plays `games` at once, at most `games_each` of them with one player. The first of them
    that has a place accepts a person's seek that is open for `seeks_after_s` seconds (None: none
    does). Each pauses up to `pause_s` seconds before moves against people. Their tokens are in
    `state_dir`. With `together` they share one process.
    """

    games: int
    pause_s: float
    state_dir: Path
    verbose: bool = False
    together: bool = False
    games_each: int | None = None
    seeks_after_s: float | None = None


class ResidentBots:
    """The resident bots of one server, which it keeps running.

    `on_ready` is called when a resident has joined for the first time, with the resident, its name
    on the server and its process id. `on_given_up` is called with a resident that cannot be made,
    and the reason in one sentence. `log` gets what happens to the bots.
    """

    def __init__(
        self,
        residents: Sequence[ResidentBot],
        terms: ResidentTerms,
        *,
        on_ready: Callable[[ResidentBot, str, int], None],
        on_given_up: Callable[[ResidentBot, str], None],
        log: EventLog,
    ) -> None:
        self.residents = tuple(residents)
        alone = [[each] for each in self.residents]
        self._groups = [list(self.residents)] if terms.together else alone
        self._orders = functools.partial(
            play_options,
            games=terms.games,
            games_each=terms.games_each,
            pause_s=terms.pause_s,
            state_dir=terms.state_dir,
            verbose=terms.verbose,
        )
        self._seeks_after_s = terms.seeks_after_s
        self._verbose = terms.verbose
        self._on_ready = on_ready
        self._on_given_up = on_given_up
        self._log = log
        self._tasks: list[asyncio.Task[None]] = []
        self._welcomed: set[ResidentBot] = set()

    def start(self, url: str) -> None:
        """Let all residents join the server at `url`; they stay until the event loop ends."""
        loop = asyncio.get_running_loop()
        for group in self._groups:
            task = loop.create_task(self._keep(group, url), name=f"resident {_names(group)}")
            task.add_done_callback(self._ended)
            self._tasks.append(task)

    async def _keep(self, group: list[ResidentBot], url: str) -> None:
        """Keep the bots of one process running; restart it when it exits."""
        backoff = Backoff()
        failures: Counter[ResidentBot] = Counter()
        told: set[str] = set()
        while group:
            end = await self._live(group, url)
            trace = {"exception": end.trace} if end.trace and end.trace not in told else {}
            told.add(end.trace)
            bot = end.unusable
            if bot is not None:
                failures[bot] += 1
                tries = failures[bot]
                if (end.lasting or tries >= MOST_TRIES) and bot not in self._welcomed:
                    self._log.error(
                        "bot_given_up", bot=bot.name, why=end.sentence, attempts=tries, **trace
                    )
                    self._on_given_up(bot, end.sentence)
                    group.remove(bot)
                    continue
            delay = backoff.after(end.lived_s)
            self._log.warning(
                "bot_ended", bot=_names(group), why=end.sentence, again_in_s=delay, **trace
            )
            await asyncio.sleep(delay)

    async def _live(self, group: Sequence[ResidentBot], url: str) -> BotEnd:
        """Run the process of these bots once."""
        names = _names(group)

        def say(line: str) -> None:
            # Without --verbose the child only writes lines when something is wrong. The exception
            # are its kernels, which say that they compile.
            quiet = self._verbose or line.startswith("Compiling ")
            (self._log.info if quiet else self._log.warning)("bot_says", bot=names, text=line)

        try:
            child = await Child.start(
                f"The process of {names}",
                MODULE,
                self._orders(
                    url,
                    [(each.spec, each.name) for each in group],
                    seeks_after_s=seeks_after(self._seeks_after_s, self.residents.index(group[0])),
                ),
                on_error_line=say,
            )
        except OSError as error:
            return BotEnd(f"Its process could not be started ({error}).", 0.0)
        ready_at: float | None = None
        sentence = trace = ""
        unusable: ResidentBot | None = None
        lasting = False
        try:
            while (message := await child.receive()) is not None:
                bot = group[message["bot"]]
                if message["what"] == "ready":
                    ready_at = ready_at or time.monotonic()
                    self._ready(bot, message)
                else:
                    sentence, trace = message["sentence"], message["trace"]
                    unusable = bot if message["unusable"] else None
                    lasting = message["lasting"]
            sentence = sentence or await child.ending_sentence()
        finally:
            await child.stop()
        lived_s = 0.0 if ready_at is None else time.monotonic() - ready_at
        return BotEnd(sentence, lived_s, unusable, lasting, trace)

    def _ready(self, resident: ResidentBot, message: dict[str, Any]) -> None:
        # Standard output gets a line for the first time only, so scripts can stop reading then.
        if resident in self._welcomed:
            self._log.warning("bot_back", bot=resident.name, name=message["name"])
            return
        self._welcomed.add(resident)
        self._on_ready(resident, message["name"], message["pid"])

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("bot_given_up", task=task.get_name(), exc_info=error)


def _names(group: Sequence[ResidentBot]) -> str:
    return ", ".join(each.name for each in group)
