"""Decide which bots should join a tournament that has too few players.

The lobby names them, and they join by themselves: a bot decides for itself whether it fills in.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

from doublecross.protocol.common import PlayerInfo
from doublecross.server.tournaments.running import RunningTournament

BEFORE_START_MS: Final = 30_000
"""How long before its start a tournament asks bots to fill in, in milliseconds."""


def wanted_bots(
    running: RunningTournament, players: Mapping[str, PlayerInfo], date: int
) -> tuple[str, ...]:
    """Return the bots that should join at the date `date`; `players` are connected."""
    wire, core = running.wire, running.core
    here = _here(running, players)
    running.asked -= here
    if not (running.asked or wire.fill) or not core.entry.takes_newcomers:
        return ()
    asked = sorted(name for name in running.asked if name in players)
    due = core.status == "running" or date >= (wire.starts_ms or 0) - BEFORE_START_MS
    missing = (wire.fill or 0) - len(here) - len(asked) if due else 0
    free = (name for name in wire.bots if name in players and name not in here.union(asked))
    may = (name for name in free if (each := core.find(name)) is None or each.state == "left")
    return (*asked, *islice(may, max(0, missing)))


def spare_bots(running: RunningTournament, players: Mapping[str, PlayerInfo]) -> tuple[str, ...]:
    """Return the bots that make room, because enough others have come before the start."""
    wire, here = running.wire, _here(running, players)
    if running.core.status != "open" or wire.fill is None:
        return ()
    filling = [name for name in reversed(wire.bots) if name in here]
    return tuple(filling[: max(0, len(here) - wire.fill)])


def _here(running: RunningTournament, players: Mapping[str, PlayerInfo]) -> set[str]:
    return {
        each.name
        for each in running.core.entrants
        if each.state == "in" and (running.by_days or each.name in players)
    }
