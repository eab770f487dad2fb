"""Let runs of game pairs between bots continue in a folder: the option `--folder`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.openings import Openings, choice_of

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.bots.registry import BotSpec
    from doublecross.cli.arena.limits import ArenaLimits
    from doublecross.games.api import Game

FolderOption = Annotated[
    Path | None,
    typer.Option(help="Keep the games in this folder; with the same folder the run continues."),
]
_SEED = "the seed"
_BEGAN = "the beginning"


class RunFolder:
    """The folder of a run (None: nowhere), its seed, and the date of its beginning.

    `terms` say in words what is played. A seed of None is drawn, and kept in the folder.

    Raises:
        Problem: the folder has another run, or cannot be used.
    """

    def __init__(self, folder: Path | None, terms: Mapping[str, str], seed: int | None) -> None:
        self._folder = folder
        drawn = {
            _SEED: str(secrets.randbelow(1_000_000) if seed is None else seed),
            _BEGAN: datetime.now(UTC).isoformat(timespec="seconds"),
        }
        if folder is not None:
            from doublecross.bots.arena.folder import OtherTerms, keep_terms

            given = {} if seed is None else {_SEED: str(seed)}
            try:
                drawn = keep_terms(folder, {**terms, **given}, drawn)
            except OtherTerms as error:
                raise Problem(str(error)) from None
            except OSError as error:
                raise Problem(f"The folder {folder} cannot be used: {error.strerror}.") from None
        self.seed = int(drawn[_SEED])
        self.date = drawn[_BEGAN]
        self.done: list[tuple[ArenaGame, int]] = []
        """The games of earlier runs, and when each ended in UNIX time (ms)."""

    def open(self, job: ArenaJob) -> None:
        """Read the games of earlier runs."""
        if self._folder is None:
            return
        from doublecross.bots.arena.folder import GameJournal, OtherTerms

        self._journal = GameJournal(self._folder, job)
        try:
            self.done = self._journal.read()
        except OtherTerms as error:
            raise Problem(str(error)) from None
        if self.done:
            count = "1 game is" if len(self.done) == 1 else f"{len(self.done)} games are"
            warn(f"{count} in {self._folder} already.", "dim")

    def add(self, played: ArenaGame, at_ms: int) -> None:
        """Keep a finished game."""
        if self._folder is not None:
            self._journal.add(played, at_ms)


def terms_of(
    specs: tuple[BotSpec, ...],
    game: Game,
    pairs: int,
    opening_length: int | None,
    limits: ArenaLimits,
    listed: Openings = (),
) -> dict[str, str]:
    """Return what must be the same in all runs in a folder, in words."""
    from doublecross.bots.registry import bot_class

    bots = ", ".join(f"{spec} {bot_class(spec.name).version}" for spec in specs)
    margins = ", ".join(str(budget.margin) for budget in limits.budgets)
    return {
        "the pairing": bots,
        "the game": f"{game.title} {game.size}",
        "the number of pairs": str(pairs),
        "the choice of openings": choice_of(opening_length, listed),
        "the limit": " and ".join(budget.limits for budget in limits.budgets),
        "the margin": margins,
        "the memory": f"{limits.memory_mb} MiB" if limits.memory_mb else "without limit",
        "the adjudication": str(limits.adjudicate or "off"),
        "processor time": "counted" if limits.cpu else "not counted",
    }
