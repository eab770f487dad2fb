"""The seasons of a ladder without an end: their ids, their length, and the ratings they pass on.

Theory of operation
-------------------
Such a ladder is a chain of tournaments. Each is a season with pairings, games and a table of its
own, so memory, start time and answers depend on the length of a season, not on that of the chain.
The first season has the ladder's id, later ones have a number behind it: `tabc`, `tabc-2`,
`tabc-3`. When a season ends, the next one begins with its ratings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublecross.stats.glicko2 import Glicko

SEASON_PAIRS: Final = 10_000
"""The game pairs after which the next season of a ladder without an end begins by itself."""
MOST_CARRIED: Final = 2000
"""The most ratings that a season passes on; those of players who were away longest go first."""

Line = tuple[str, str]
"""A player's name and engine, which together have one line in the table of a ladder."""


def base_of(tournament_id: str) -> str:
    """Return the id of the first season of a ladder."""
    return tournament_id.partition("-")[0]


def number_of(tournament_id: str) -> int:
    """Return which season of its ladder a tournament is, from 1."""
    number = tournament_id.partition("-")[2]
    return int(number) if number.isdecimal() else 1


def next_id(tournament_id: str) -> str:
    """Return the id of the next season."""
    return f"{base_of(tournament_id)}-{number_of(tournament_id) + 1}"


def carried(before: Mapping[Line, Glicko], now: Mapping[Line, Glicko]) -> dict[Line, Glicko]:
    """Return the ratings that the next season begins with, those of this season last."""
    all_ = {line: rating for line, rating in before.items() if line not in now} | dict(now)
    return dict(list(all_.items())[-MOST_CARRIED:])
