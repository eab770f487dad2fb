"""Say to a process with bots what it has to do, and ask one whether bots exist."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from doublecross.bots.api import BotError
from doublecross.processes.child import Child, ChildEnded

MODULE: Final = "doublecross.bots.hosting.resident"
_CHECK: Final = "doublecross.bots.hosting.check"
LEFTOVER_S: Final = 10.0
"""Seconds to wait for a name that a process of a killed server still holds."""
PATIENCE_S: Final = 10.0
"""Seconds to wait for a server that does not answer yet."""
THINK_S: Final = 5.0
"""The most seconds for a move for which people wait."""
NEXT_S: Final = 0.5
"""How much longer than the bot before it a bot waits before it accepts a seek, in seconds."""

_BORDER: Final = re.compile(r";|,(?!\s*[A-Za-z_][\w-]*\s*=)")


def split_specs(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the specs in the values of ``--bots``.

    Semicolons and commas separate specs. A comma followed by ``option=`` continues the options of
    the spec before it.
    """
    parts = (part.strip() for text in texts for part in _BORDER.split(text))
    return tuple(part for part in parts if part)


async def check(specs: Sequence[str], *, on_error_line: Callable[[str], None]) -> list[str]:
    """Return names for the bots with these specs; a child process looks for them.

    Raises:
        BotError: a bot does not exist, or does not have these options.
    """
    child = await Child.start(
        "The check of the bots", _CHECK, json.dumps(specs), on_error_line=on_error_line
    )
    try:
        answer = await child.expect()
    except ChildEnded as error:
        raise BotError(str(error)) from None
    finally:
        await child.stop()
    if answer["what"] == "problem":
        raise BotError(answer["sentence"], answer["trace"])
    names: list[str] = answer["names"]
    return names


def seeks_after(first_s: float | None, place: int) -> float | None:
    """Return how long a seek is open before the bot at this place accepts it, in seconds."""
    return None if first_s is None else first_s + NEXT_S * place


def play_options(
    server: str,
    bots: Sequence[tuple[str, str | None]],
    *,
    games: int,
    games_each: int | None = None,
    seeks_after_s: float | None = None,
    pause_s: float,
    state_dir: Path,
    kept_for: str | None = "residents",
    patience_s: float = PATIENCE_S,
    name_wait_s: float = LEFTOVER_S,
    verbose: bool = False,
    tournament: str | None = None,
    workers: int = 1,
    think_s: float = THINK_S,
) -> str:
    """Return the argument for a child process (`doublecross.bots.hosting.resident`), as JSON.

    `bots` are pairs of a spec and the name under which that bot joins `server` (None: its own
    name). Each bot plays `games` at once, at most `games_each` of them with one player. The first
    accepts seeks of people that have been open for `seeks_after_s` seconds, and each next bot
    `NEXT_S` later (None: no seeks). Each pauses up to `pause_s` seconds before moves against
    people. Its token is kept in `state_dir` under the key `kept_for` (None: the server's address).
    The bot waits `patience_s` seconds for a server that does not answer yet. If another process
    uses the token, it waits `name_wait_s` seconds before it takes the next name. In a `tournament`
    it plays until the tournament ends. All bots together think in `workers` processes, at most
    `think_s` seconds for a move.
    """
    return json.dumps(
        {
            "server": server,
            "bots": list(bots),
            "games": games,
            "games_each": games_each,
            "seeks_after_s": seeks_after_s,
            "pause_s": pause_s,
            "state_dir": str(state_dir),
            "kept_for": kept_for,
            "patience_s": patience_s,
            "name_wait_s": name_wait_s,
            "verbose": verbose,
            "tournament": tournament,
            "workers": workers,
            "think_s": think_s,
        }
    )
