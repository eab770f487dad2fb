"""`doublecross ladder`: a tournament of bots on this machine, from the server to the report."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.asking import DEFAULT_GAME, game_of, need_server_packages, settings_of, spec_of
from cli.console import INTERRUPTED, Problem, is_terminal, out, say, warn
from cli.tournament import FORMATS, describe, show, table_of

if TYPE_CHECKING:
    from rich.live import Live

    from games.api import Game
    from protocol.common import TournamentTerms
    from protocol.server_messages import TournamentState

_STEPS: Final = 10
"""How often a ladder without a terminal says how far it is."""
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.+'-]+")


def ladder(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="At least two, such as rules mcts:simulations=500."),
    ],
    kind: Annotated[
        str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.")
    ] = "round-robin",
    game: Annotated[str, typer.Option(help="What they play.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 5x5.", show_default="the usual one")
    ] = None,
    time: Annotated[
        str, typer.Option(help="Clock: seconds, such as 10+0.1, or 0/0.5 for each move.")
    ] = "10+0.1",
    pairs: Annotated[int, typer.Option("--pairs", "-n", min=1, help="Pairs when two meet.")] = 10,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Of a Swiss tournament; all pairs of a ladder.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Number that the openings follow from.")] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", min=1, help="Games at once.", show_default="cores"),
    ] = None,
    folder: Annotated[
        Path, typer.Option(help="Where its database is; the same again goes on with it.")
    ] = Path("var/ladder"),
    report: Annotated[
        Path | None, typer.Option(help="Write a page with everything to this file.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write the games to this file, the players beside it.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="Write everything as JSON to this file.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write all records to this file.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Pass on what server and bots log.")
    ] = False,
) -> int:
    """Let bots play a tournament on a server of its own, and report what it has shown.

    Each bot is a process of its own. No more games are played at once than this machine has cores:
    with more, bots would lose on time. Ctrl-C stops it, and the same command goes on where it was.

    Example: doublecross ladder random greedy rules --pairs 20 --size 5x5 --report ladder.html
    """
    from cli.tournament_results import ResultFiles

    need_server_packages()
    files = ResultFiles(report, json, csv, records)
    files.check()
    board = game_of(game, size)
    terms, contenders = plan(
        bots, board, kind, time, pairs, rounds, seed, concurrency or os.cpu_count() or 1
    )
    run_ladder(terms, contenders, folder, files, verbose=verbose)
    return 0


def plan(
    bots: Sequence[str],
    game: Game,
    kind: str,
    time: str,
    pairs: int,
    rounds: int | None,
    seed: int,
    at_once: int,
) -> tuple[TournamentTerms, dict[str, str]]:
    """The terms of a ladder, and the specs of its bots by their names in it."""
    from protocol.common import TournamentTerms

    if kind not in FORMATS:
        raise Problem(f"There is no format {kind!r}; there are {', '.join(FORMATS)}.")
    if len(bots) < 2:
        raise Problem("A tournament needs at least two bots.")
    contenders: dict[str, str] = {}
    for text in bots:
        spec = str(spec_of(text, game))
        name = _name(spec, contenders)
        contenders[name] = spec
    if kind == "swiss" and rounds is None:
        raise Problem("A Swiss tournament needs a number of --rounds.")
    if kind == "ladder" and rounds is None:
        raise Problem("Say with --rounds after how many pairs the ladder is to end.")
    if kind not in ("swiss", "ladder") and rounds is not None:
        raise Problem(f"The number of rounds of a {kind} follows from its players.")
    try:
        terms = TournamentTerms(
            name=f"{game.title} {game.size}",
            format=kind,  # type: ignore[arg-type]
            settings=settings_of(game, time, rated=True),
            pairs=1 if kind == "ladder" else pairs,
            rounds=rounds,
            hero=next(iter(contenders)) if kind == "gauntlet" else None,
            invited=tuple(contenders),
            games_at_once=at_once,
            seed=seed,
        )
    except ValueError:
        raise Problem("That is too much for one tournament: numbers are not endless.") from None
    return terms, contenders


def _name(spec: str, taken: dict[str, str]) -> str:
    """What a bot is called in a ladder: its spec, as far as that is a name for a player."""
    base = _NOT_IN_NAMES.sub(" ", spec).strip(" .'-")[:29].strip(" .'-") or "bot"
    folded = {name.casefold() for name in taken}
    for number in range(1, 100):
        name = base if number == 1 else f"{base} {number}"
        if name.casefold() not in folded:
            return name
    raise Problem(f"There are too many bots like {spec}.")


def run_ladder(
    terms: TournamentTerms,
    contenders: dict[str, str],
    folder: Path,
    files: object,
    *,
    verbose: bool = False,
) -> None:
    """Play the ladder to its end, with a live table, then print its report and write `files`."""
    from cli.ladder_run import LadderRun, Outcome
    from cli.report.terminal import print_summary
    from cli.tournament_results import ResultFiles, summary_of

    assert isinstance(files, ResultFiles)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"The folder {folder} cannot be made: {error.strerror}.") from None
    count = len(contenders)
    say(f"{count} bots, {describe(terms)}.")
    screen = _Screen()
    run = LadderRun(terms, contenders, folder, on_state=screen.show, on_note=warn, verbose=verbose)
    try:
        with screen.showing():
            outcome: Outcome = asyncio.run(run.run())
    except KeyboardInterrupt:
        if screen.state is not None:
            show(screen.state)
            warn("Stopped; the same command goes on from here.")
        raise Problem("The tournament is not over.", INTERRUPTED) from None
    say()
    summary = summary_of(outcome.results)
    print_summary(out(), summary)
    files.write(summary, "", outcome.records)


class _Screen:
    """Shows how far it is: a table that changes in a terminal, else a line now and then."""

    def __init__(self) -> None:
        self.state: TournamentState | None = None
        self._live: Live | None = None
        self._told = -1
        self._began: tuple[float, int] | None = None

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """While the ladder is played."""
        if not is_terminal():
            yield
            return
        from rich.live import Live

        with Live(console=out(), transient=True, auto_refresh=False) as self._live:
            yield

    def show(self, state: TournamentState, now: float) -> None:
        """How it stands at `now`, in seconds of any clock."""
        self.state = state
        if self._began is None and state.status == "running":
            self._began = now, state.games_played
        line = self._line(state, now)
        if self._live is not None:
            from rich.console import Group

            self._live.update(Group(table_of(state), line), refresh=True)
            return
        planned = state.games_planned or 0
        step = state.games_played * _STEPS // planned if planned else 0
        if step > self._told and state.status == "running" and step < _STEPS:
            self._told = step
            warn(line, "dim")

    def _line(self, state: TournamentState, now: float) -> str:
        if state.status == "open":
            return f"{state.entrants_total} bots are there, the others get ready ..."
        planned = state.games_planned
        text = (
            f"{state.games_played} games"
            if planned is None
            else (f"{state.games_played} of {planned} games")
        )
        if self._began is not None and planned is not None:
            began, before = self._began
            done = state.games_played - before
            if done >= 2 and now > began:
                left = (planned - state.games_played) * (now - began) / done
                text += f", about {_span(left)} left"
        return text


def _span(seconds: float) -> str:
    """``40 s``, ``7 min``, ``2 h 5 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
