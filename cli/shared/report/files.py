"""Check the files of a report before it is made, and write its CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.files import check_file, write_file

if TYPE_CHECKING:
    from doublecross.stats.summary import Summary

MOST_EMBEDDED: Final = 2000
"""The most games whose records a page holds; with more it would open slowly."""


def players_path(games: Path | None) -> Path | None:
    """Return the file for the players: ``games-players.csv`` beside ``games.csv``."""
    return games and games.with_name(f"{games.stem}-players{games.suffix}")


def check_files(*paths: Path | None, csv: Path | None) -> None:
    """Refuse files that cannot be written or are named twice, before anything is played.

    None means no file. The file for the players stands beside `csv`.
    """
    check_file(csv)  # checked first: the players' file takes its name from it
    seen: set[Path] = set()
    for path in filter(None, (*paths, csv, players_path(csv))):
        check_file(path)
        if path.resolve() in seen:
            raise Problem(f"{path} cannot be written twice: each needs a file of its own.")
        seen.add(path.resolve())


def write_csv(summary: Summary, games: Path) -> None:
    """Write both CSV files and print their names."""
    from doublecross.cli.shared.report.data import games_csv, players_csv

    players = players_path(games)
    assert players is not None
    write_file(games, [games_csv(summary)])
    write_file(players, [players_csv(summary)])
    warn(f"Wrote the games to {games} and the players to {players}.", "dim")
