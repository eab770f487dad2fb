"""Check a program that plays over standard input and output: `doublecross engine check`."""

from __future__ import annotations

from typing import Annotated

import typer

from doublecross.cli.shared.console import FAILED, Problem, say, warn
from doublecross.cli.shared.options import Verbose

Command = Annotated[
    str,
    typer.Argument(
        metavar="COMMAND",
        help="The program with its arguments, or its name in engines.toml.",
        show_default=False,
    ),
]


def check(
    command: Command,
    verbose: Verbose = False,
    seed: Annotated[int, typer.Option(help="Seed of the opponent's moves.")] = 1,
) -> int:
    """Play through the protocol with an engine, and list what is wrong.

    It plays whole games against random moves in each game and size that the engine declares, from
    both seats. Each finding comes with the line that should have come.

    Example: doublecross engine check ./mybot
    """
    from random import Random

    from doublecross.bots.api import BotError
    from doublecross.bots.programs.check import EngineCheck
    from doublecross.bots.programs.engine import DIALECTS, named_engines, read_command

    def show(where: str, line: str) -> None:
        if verbose:
            say(f"{where} {line}", "dim")

    try:
        dialect = command.partition(":")[0]
        text = command if dialect in DIALECTS else f"ugi:{command}"
        engine = named_engines().get(command) or read_command(text)
    except BotError as error:
        raise Problem(str(error)) from None
    if engine.dialect != "ugi":
        raise Problem(
            f"Only UGI is checked. Let it play instead: doublecross arena {command!r} random"
        )
    checking = EngineCheck(engine, Random(seed), show)
    checking.run()
    faults = [finding for finding in checking.findings if not finding.note]
    for finding in checking.findings:
        (say if finding.note else warn)(finding.sentence, None if finding.note else "red")
        if finding.wanted:
            say(f"  expected: {finding.wanted}", "dim")
    if faults:
        return FAILED
    say(f"{engine.title} follows the protocol: {checking.moves} moves in whole games.")
    return 0
