"""The CSV files of a report: the games, and the players beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.console import warn
from cli.export import write_file

if TYPE_CHECKING:
    from stats.summary import Summary


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
