"""Ask a bot for its move in a position of a record: `doublecross engine ask`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.options import NthGame, bot_argument
from doublecross.cli.shared.parsing import spec_of
from doublecross.cli.shared.records import read_records


def ask(
    bot: Annotated[str, bot_argument("The bot, such as ugi:./mybot.")],
    record: Annotated[Path, typer.Argument(help="A file with records of games.")],
    at: Annotated[int, typer.Option("--at", min=0, help="After so many moves.")] = 0,
    number: NthGame = 1,
    time: Annotated[float, typer.Option(min=0.001, help="Seconds for the move.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the bot's random choices.")] = 1,
) -> int:
    """Ask a bot for its move in one position of a recorded game.

    For a program it prints the dialogue, with < before lines to it, > before lines from it and !
    before its standard error.

    Example: doublecross engine ask ugi:./mybot games.txt --at 12
    """
    from random import Random

    from doublecross.bots.api import BotError, BotFault, Limit
    from doublecross.bots.programs.bot import ProgramBot
    from doublecross.bots.registry import make_bot
    from doublecross.bots.workers.child import Flag

    game = read_records(record).record(number)
    state = game.game.initial_state(game.opening)
    moves = [move.action for move in game.moves]
    if at > len(moves):
        raise Problem(f"The game has {len(moves)} moves; --at {at} is beyond its end.")
    for action in moves[:at]:
        state.apply(action)
    if state.is_terminal():
        raise Problem(f"The game is over after move {at}.")
    spec = spec_of(bot, game.game)
    limit, flag = Limit(time_s=time), Flag()
    try:
        player = make_bot(spec.name, Random(seed), spec.options)
        if isinstance(player, ProgramBot):
            player.dialogue.listen(lambda where, line: say(f"{where} {line}", "dim"))
        player.get_ready(game.game)
        flag.start(limit)
        choice = player.choose(state.clone(), limit, flag)
        player.close()
    except BotFault as fault:
        raise Problem(f"At ply {at}: {fault}.", trace=fault.trace) from None
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    name = state.game.action_name
    played = f"; {name(moves[at])} was played" if at < len(moves) else ""
    score = "" if choice.score is None else f" ({'=' * choice.exact}{choice.score:+g})"
    say(f"{name(choice.action)}{score}{played}")
    return 0
