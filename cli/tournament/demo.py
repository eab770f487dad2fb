"""`doublecross demo`: a tournament of bots on a server of their own, and a live final."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import INTERRUPTED, Problem, say
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, need_server_packages, settings_of
from doublecross.server.data_folder import data_folder

if TYPE_CHECKING:
    from doublecross.analysis.judgement import Evaluator
    from doublecross.stats.summary import Summary

_SEED: Final = 1
_CLEARLY: Final = 0.6
"""The share of the points, from 0 to 1, with which a bot clearly beat another."""
_PAIRS: Final = 10
"""Game pairs when two bots meet: with fewer than ten openings a report warns about them."""


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """The games of a demo: the bots, the board and the clock of their tournament, and the final.

    The final has its own board and a pause before moves, so that people can follow.
    """

    bots: tuple[str, ...]
    size: str
    time: str
    final_size: str
    final_pause_s: float


FULL: Final = DemoPlan(("greedy", "rules", "mcts", "champion"), "2x3", "2+0.05", "4x4", 0.5)
"""On 2x3 even the weaker bots win some games, so that ratings have bounds on both sides."""
QUICK: Final = DemoPlan(("random", "greedy", "rules"), "2x3", "2+0.05", "3x3", 0.2)
"""Only bots without compiled searches, so that the first run takes no longer than the next."""


def demo(
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the database and the records.", show_default="the data folder"
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(help="The bots, with spaces between them.", show_default=" ".join(FULL.bots)),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Play a shorter demo: about 20 seconds.")
    ] = False,
) -> None:
    """Watch bots play a tournament of Dots and Boxes, and then the final on a live board.

    The tournament runs on a server that the demo starts. Every two bots play ten game pairs; the
    winner then meets the best bot that it clearly beat in the final. It takes about a minute. The
    first run takes longer, because it compiles the searches. Meanwhile the server has a page on
    which you can watch all games, also the final.

    Example: doublecross demo --quick
    """
    from doublecross.bots.hosting.ladder import DATABASE
    from doublecross.bots.hosting.server_thread import ServerFailed, running_server
    from doublecross.cli.tournament.ladder import plan, run_ladder
    from doublecross.cli.tournament.results import ResultFiles

    need_server_packages()
    chosen = QUICK if quick else FULL
    game = game_of(DEFAULT_GAME, chosen.size)
    terms, contenders = plan(
        chosen.bots if bots is None else bots.split(),
        game,
        "round-robin",
        chosen.time,
        _PAIRS,
        None,
        _SEED,
        os.cpu_count() or 1,
    )
    here = _new_folder((folder or data_folder()).absolute())
    files = ResultFiles(
        report=here / "report.html" if _can_plot() else None, records=here / "games.txt"
    )
    database = here / DATABASE
    pages: list[str] = []

    def on_started(address: str) -> None:
        pages.append(f"{address}/watch")
        say(f"Watch the games in a browser: {pages[0]}", "bold")

    try:
        with running_server(database) as server:
            summary = run_ladder(
                terms, contenders, here, files, on_started=on_started, server=server
            )
            if summary is None:
                raise typer.Exit(INTERRUPTED)
            names = finalists(summary)
            judge = None if quick else _judge(chosen.final_size)
            specs = contenders[names[0]], contenders[names[1]]
            final = _Final(specs, names, server.url, pages[0], here)
            _play_final(final, chosen, judge)
    except ServerFailed as failed:
        raise Problem(str(failed)) from None
    _print_files(here)


def finalists(summary: Summary) -> tuple[str, str]:
    """Return the names of the winner and of the best bot that it clearly beat.

    A final between equals is often a draw. If the winner clearly beat nobody, it meets the second.
    """
    players, places = summary.results.players, summary.results.places
    winner, *others = sorted(summary.order, key=lambda player: places[player].place)
    beaten = (other for other in others if summary.cells[winner, other].pairs.score >= _CLEARLY)
    return players[winner].name, players[next(beaten, others[0])].name


@dataclass(frozen=True, slots=True)
class _Final:
    """The players of the final, and its place: `server`, with the players' tokens in `folder`."""

    specs: tuple[str, str]
    names: tuple[str, str]
    server: str
    page: str
    folder: Path


def _play_final(final: _Final, chosen: DemoPlan, judge: Evaluator | None) -> None:
    """Play one game on a live board, in the terminal and on the page."""
    from doublecross.bots.hosting.ladder import KEPT_FOR, TOKENS
    from doublecross.bots.hosting.series import SeriesJob, SeriesScore
    from doublecross.cli.shared.openings import find_openings
    from doublecross.cli.shared.remote.matches import run_match
    from doublecross.cli.tournament.commentary import CommentedBoard

    game = game_of(DEFAULT_GAME, chosen.final_size)
    openings, _ = find_openings(game, 1, _SEED)
    job = SeriesJob(
        specs=final.specs,
        settings=settings_of(game, "8+0.1", rated=True),
        openings=openings,
        seed=_SEED,
        # The bots play the final as the players that they were in the tournament.
        state_dir=str(final.folder / TOKENS),
        kept_for=KEPT_FOR,
        moves=True,
        games=1,
        pause_s=chosen.final_pause_s,
    )
    say()
    say(f"The final: {final.names[0]} against {final.names[1]} on {game.size}", "bold")
    say(f"Watch it here, or in a browser: {final.page}")
    say()
    run_match(
        job,
        game,
        SeriesScore(total=1),
        CommentedBoard(game, final.names, judge),
        server=final.server,
        records=final.folder / "final.txt",
    )


def _judge(size: str) -> Evaluator | None:
    """Return a judge of moves on this board; None if packages for it are not installed."""
    from doublecross.bots.judging.limits import JudgeError
    from doublecross.bots.judging.making import judge_of

    try:
        return judge_of(game_of(DEFAULT_GAME, size), quick=True)
    except JudgeError:
        return None


def _print_files(here: Path) -> None:
    """Print where everything is, and what to try next."""
    from doublecross.bots.hosting.ladder import DATABASE

    program = _program()
    say()
    if (here / "report.html").exists():
        say(f"Report:   {here / 'report.html'}")
    say(f"Records:  {here / 'games.txt'}, {here / 'final.txt'}")
    say(f"Database: {here / DATABASE}")
    say()
    say("Next:")
    say(f"  {program} serve --database {shlex.quote(str(here / DATABASE))}", "bold")
    say(f"  {program} play", "bold")
    say(f"  {program} replay {shlex.quote(str(here / 'final.txt'))}", "bold")
    say(f"  {program} serve --bots {server_bots()}", "bold")
    say(f"  {program} ladder rules hard champion --size 5x5 --pairs 10", "bold")


def server_bots() -> str:
    """Return what to give to ``--bots`` so that a server has all levels for people."""
    from doublecross.bots.registry import level_names

    return ",".join(level_names())


def _can_plot() -> bool:
    """Return whether the packages for a page with plots are installed."""
    from doublecross.cli.shared.report.packages import need_plots

    try:
        need_plots()
    except Problem:
        return False
    return True


def _new_folder(parent: Path) -> Path:
    """Make a new folder for this run below `parent`."""
    stamp = time.strftime("demo-%Y%m%d-%H%M%S")
    for number in range(1, 100):
        folder = parent / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise Problem(f"The folder {folder} cannot be made: {error.strerror}.") from None
        return folder
    raise Problem(f"No new folder can be made in {parent}.")


def _program() -> str:
    """Return how to call this program from any folder."""
    script = Path(sys.prefix) / "bin" / "doublecross"
    return shlex.quote(str(script)) if script.exists() else "doublecross"
