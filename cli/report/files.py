"""The files of a report: CSV of the games with the players beside them, and how large a page is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.console import warn
from cli.export import write_file

if TYPE_CHECKING:
    from stats.summary import Summary

MOST_EMBEDDED: Final = 2000
"""Games whose records a page holds; with more it would be slow to open."""


def players_path(games: Path | None) -> Path | None:
    """Where the players' lines go: ``games-players.csv`` beside ``games.csv``."""
    return games and games.with_name(f"{games.stem}-players{games.suffix}")


def write_csv(summary: Summary, games: Path) -> None:
    """Write both files, and say so."""
    from cli.report.data import games_csv, players_csv

    players = players_path(games)
    assert players is not None
    write_file(games, [games_csv(summary)])
    write_file(players, [players_csv(summary)])
    warn(f"Wrote the games to {games} and the players to {players}.", "dim")
