"""`doublecross demo`: a server, two bots and a match between them, in a few seconds."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.asking import DEFAULT_GAME, game_of, need_server_packages, settings_of
from cli.console import Problem, say

_BOTS: Final = ("rules", "greedy")
_PAIRS: Final = 10
_SEED: Final = 1


def demo(
    folder: Annotated[Path, typer.Option(help="Where the database and the records go.")] = Path(
        "var"
    ),
) -> None:
    """See it work: two bots play 20 games of Dots and Boxes on a server of their own.

    Example: doublecross demo
    """
    from cli.match import print_result, run_match
    from cli.replay import print_position, read_records
    from cli.series import Job, find_openings

    need_server_packages()
    here = _new_folder(folder)
    game = game_of(DEFAULT_GAME, "5x5")
    openings, _ = find_openings(game, _PAIRS, _SEED)
    job = Job(
        specs=_BOTS,
        settings=settings_of(game, "10+0.1", rated=True),
        openings=openings,
        seed=_SEED,
    )
    first, second = _BOTS
    say(f"The bots {first} and {second} play {_PAIRS} game pairs of {game.title} {game.size},")
    say(f"{job.settings.time.text} seconds each, on a server of their own.")
    say()
    records = here / "games.txt"
    standing = run_match(job, game, records=records, database=str(here / "doublecross.db"))
    print_result(job, game, standing)
    games = read_records(records)
    last = games[-1]
    say()
    say(f"The last position of game {len(games)}:")
    say()
    print_position(last, len(last.moves))
    program = _program()
    say()
    say(f"Records:  {records}")
    say(f"Database: {here / 'doublecross.db'}")
    say()
    say("Next:")
    say(f"  {program} replay {records}", "bold")
    say(f"  {program} match rules random --games 10 --verbose", "bold")
    say(f"  {program} serve", "bold")


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
