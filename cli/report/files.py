"""The files of a report: whether they can be written, CSV of the games with the players beside
them, and how large a page is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.shared.console import Problem, warn
from cli.shared.files import check_file, write_file

if TYPE_CHECKING:
    from stats.summary import Summary

MOST_EMBEDDED: Final = 2000
"""Games whose records a page holds; with more it would be slow to open."""


def players_path(games: Path | None) -> Path | None:
    """Where the players' lines go: ``games-players.csv`` beside ``games.csv``."""
    return games and games.with_name(f"{games.stem}-players{games.suffix}")


def check_files(*paths: Path | None, csv: Path | None) -> None:
    """Refuse, before anything is played for them, files that cannot be written, and one file for
    two of them; None is no file. Beside `csv` that of the players is written."""
    check_file(csv)  # what is no file has none beside it
    seen: set[Path] = set()
    for path in filter(None, (*paths, csv, players_path(csv))):
        check_file(path)
        if path.resolve() in seen:
            raise Problem(f"{path} cannot be written twice: each needs a file of its own.")
        seen.add(path.resolve())


def write_csv(summary: Summary, games: Path) -> None:
    """Write both files, and say so."""
    from cli.report.data import games_csv, players_csv

    players = players_path(games)
    assert players is not None
    write_file(games, [games_csv(summary)])
    write_file(players, [players_csv(summary)])
    warn(f"Wrote the games to {games} and the players to {players}.", "dim")
