"""Organise tournaments, enter bots, and show tables and reports: `doublecross tournament`."""

from __future__ import annotations

from typing import Annotated

from doublecross.cli.shared.family import add, family
from doublecross.cli.shared.options import (
    BotGames,
    BotName,
    BotWorkers,
    Server,
    Verbose,
    bot_argument,
)
from doublecross.cli.shared.parsing import (
    DEFAULT_SERVER,
    check_player_name,
    check_tournament,
    spec_of,
)
from doublecross.cli.shared.remote.bot_run import PATIENCE_S, bot_token, run_and_print
from doublecross.cli.shared.remote.secret import TokenFileOption
from doublecross.cli.tournament.options import Id
from doublecross.cli.tournament.organise import aside, back, create, end, season, start
from doublecross.cli.tournament.reading import list_, report, status

app = family("tournament", no_args_is_help=True)


def join(
    tournament: Id,
    bot: Annotated[str, bot_argument("The bot, such as rules or mcts:c=0.4.")],
    server: Server = DEFAULT_SERVER,
    player: BotName = None,
    token_file: TokenFileOption = None,
    concurrency: BotGames = 1,
    workers: BotWorkers = 1,
    verbose: Verbose = False,
) -> int:
    """Enter a bot into a tournament; it plays until the tournament ends.

    Example: doublecross tournament join t7c2k3p4q rules --server 192.168.1.5
    """
    from doublecross.bots.runner import Policy, RunnerConfig

    spec = spec_of(bot)
    token = bot_token(token_file, player)
    if player is not None:
        check_player_name(player)
    config = RunnerConfig(
        server=server,
        spec=spec,
        name=player,
        token=token,
        policy=Policy(at_once=concurrency),
        workers=workers,
        patience_s=PATIENCE_S,
        tournament=check_tournament(tournament),
    )
    return run_and_print(config, verbose=verbose)


for _command in (create, join, start, status, list_, report, aside, back, season, end):
    add(app, _command)
