"""`doublecross demo`: a server, all the bots, and a tournament between them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.shared.console import Problem, say
from cli.shared.parsing import DEFAULT_GAME, game_of, need_server_packages

_SIZE: Final = "3x3"
_TIME: Final = "5+0.1"
_SEED: Final = 1


def demo(
    folder: Annotated[Path, typer.Option(help="Where the database and the records go.")] = Path(
        "var"
    ),
    bots: Annotated[
        str | None, typer.Option(help="Which bots, between spaces.", show_default="all of them")
    ] = None,
) -> None:
    """See it work: the bots play a tournament of Dots and Boxes 3x3 on a server of their own.

    Every two play a game pair; it takes a minute or two. The first time some of it goes into
    compiling the searches.

    Example: doublecross demo
    """
    from cli.tournament.ladder import plan, run_ladder
    from cli.tournament.results import ResultFiles
    from cli.watch.replay import print_position, read_records

    need_server_packages()
    game = game_of(DEFAULT_GAME, _SIZE)
    terms, contenders = plan(
        all_bots() if bots is None else bots.split(),
        game,
        "round-robin",
        _TIME,
        1,
        None,
        _SEED,
        os.cpu_count() or 1,
    )
    here = _new_folder(folder)
    files = ResultFiles(
        report=here / "report.html" if _plots() else None, records=here / "games.txt"
    )
    run_ladder(terms, contenders, here, files)
    assert files.records is not None
    games = read_records(files.records)
    last = games[-1]
    say()
    say(f"The last position of game {len(games)}, {last.players[0]} against {last.players[1]}:")
    say()
    print_position(last, len(last.moves))
    program = _program()
    say()
    if files.report is not None:
        say(f"Report:   {files.report}")
    say(f"Records:  {files.records}")
    say(f"Database: {here / 'ladder.db'}")
    say()
    say("Next:")
    say(f"  {program} play", "bold")
    say(f"  {program} replay {files.records}", "bold")
    say(f"  {program} ladder rules hard champion --size 5x5 --pairs 10", "bold")
    say(f"  {program} serve --bots easy,medium,hard,perfect", "bold")


def all_bots() -> list[str]:
    """The built-in bots that play what is shown."""
    from bots.registry import BUILT_IN, bot_class

    game = game_of(DEFAULT_GAME, _SIZE)
    return [name for name in BUILT_IN if bot_class(name).plays(game)]


def _plots() -> bool:
    """Whether a page with plots can be made here."""
    from cli.report.packages import need_plots

    try:
        need_plots()
    except Problem:
        return False
    return True


def _new_folder(parent: Path) -> Path:
    """A folder of its own for this run, below `parent`."""
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
    """How this program is called from here."""
    script = Path(sys.prefix) / "bin" / "doublecross"
    if not script.exists():
        return "doublecross"
    try:
        return str(script.relative_to(Path.cwd()))
    except ValueError:
        return "doublecross"
