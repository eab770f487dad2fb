"""The options that several commands have, and how shells complete their values."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.parsing import DEFAULT_GAME, SERVER_HELP
from doublecross.processes.installation import how_to_add


def one_of(values: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a function that completes one of these values."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """Return the bots whose names begin like `incomplete`, or like what is after its last comma."""
    from doublecross.bots.registry import bot_names

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in bot_names() if name.startswith(last)]


def games(incomplete: str) -> list[str]:
    """Return the games whose names begin like `incomplete`."""
    from doublecross.games.registry import GAMES

    return one_of(GAMES)(incomplete)


def sizes(context: typer.Context, incomplete: str) -> list[str]:
    """Return the usual size and the square ones of the game that the command line names."""
    from doublecross.games.registry import game_class

    kind = game_class(context.params.get("game") or DEFAULT_GAME)
    lows, highs = zip(*((each.low, each.high) for each in kind.parameters[:2]), strict=True)
    squares = (f"{n}x{n}" for n in range(max(lows), min(highs) + 1))
    return one_of(dict.fromkeys((kind.default_size(), *squares)))(incomplete)


def bot_argument(text: str, metavar: str = "BOT") -> Any:
    """Return the declaration of an argument that names a bot, with its help text."""
    return typer.Argument(metavar=metavar, autocompletion=bots, help=text, show_default=False)


def _need_dask(address: str | None) -> str | None:
    """Refuse the option if the package of clusters is not installed."""
    if address is not None and importlib.util.find_spec("distributed") is None:
        raise Problem(
            f"--dask needs a package that is not installed (distributed): {how_to_add('dask')}"
        )
    return address


FirstBot = Annotated[str, bot_argument("A bot, such as rules.", "A")]
SecondBot = Annotated[str, bot_argument("Its opponent; may be the same.", "B")]
Server = Annotated[str, typer.Option("--server", "-s", help=SERVER_HELP)]
GameName = Annotated[str, typer.Option(autocompletion=games, help="The game to play.")]
Size = Annotated[
    str | None,
    typer.Option(
        autocompletion=sizes, help="Board size, such as 5x5.", show_default="the usual one"
    ),
]
NthGame = Annotated[int, typer.Option("--game", min=1, help="Which game of the file, from 1.")]
BotName = Annotated[
    str | None,
    typer.Option("--name", help="The bot's name on the server.", show_default="the bot's name"),
]
BotGames = Annotated[
    int, typer.Option("--concurrency", "-c", min=1, max=256, help="Games at once.")
]
BotWorkers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="How many processes think.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        callback=_need_dask,
        help="Work on this Dask cluster, such as tcp://10.0.0.5:8786.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="The server's database: an SQLite file, or the URL of one on PostgreSQL.",
        show_default="as in the settings, or in the data folder",
    ),
]


def _log_engines(folder: Path | None) -> Path | None:
    """Let the processes of bots write their dialogues with programs to a folder."""
    if folder is not None:
        from doublecross.bots.programs.engine import LOG_VARIABLE

        os.environ[LOG_VARIABLE] = str(folder.absolute())
    return folder


EngineLog = Annotated[
    Path | None,
    typer.Option(
        "--log",
        callback=_log_engines,
        help="Keep what programs (ugi: and others) are told and say, in this folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ReportFile = Annotated[
    Path | None, typer.Option("--report", help="Write a web page with everything to this file.")
]
CsvFile = Annotated[
    Path | None,
    typer.Option("--csv", help="Write the games as CSV to this file, and the players beside it."),
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
]
RecordsFile = Annotated[
    Path | None, typer.Option("--records", "-r", help="Write the records to this file.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
]
