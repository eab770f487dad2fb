"""Read which bots a server shall keep running: ``--bots`` and ``--levels``."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from doublecross.bots.api import BotError
from doublecross.bots.hosting.orders import check, split_specs
from doublecross.bots.hosting.resident_bots import ResidentBot
from doublecross.cli.shared.console import Problem, warn


def find_residents(texts: Iterable[str]) -> tuple[ResidentBot, ...]:
    """Return the residents that ``--bots`` asks for, after checking that they exist.

    Raises:
        Problem: a bot does not exist, or does not have these options.
    """
    specs = split_specs(texts)
    if not specs:
        return ()
    try:
        names = asyncio.run(check(specs, on_error_line=warn))
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    return tuple(ResidentBot(spec, name) for spec, name in zip(specs, names, strict=True))


def find_levels(levels: str) -> tuple[ResidentBot, ...]:
    """Return the residents for these levels, which commas separate."""
    from doublecross.bots.registry import level_names

    found = tuple(level for level in levels.split(",") if level)
    for level in found:
        if level not in level_names():
            raise Problem(f"There is no level {level!r}; there are {', '.join(level_names())}.")
    return tuple(ResidentBot(level, level) for level in found)
