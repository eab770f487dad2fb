"""Let a bot join a server as a player: `doublecross bot`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.bot_run import PATIENCE_S, bot_token, run_and_print
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.options import BotGames, BotName, BotWorkers, Server, Verbose
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    DEFAULT_SERVER,
    check_player_name,
    check_tournament,
    game_of,
    settings_of,
    spec_of,
)
from doublecross.cli.shared.secret import TokenFileOption

if TYPE_CHECKING:
    from doublecross.bots.runner import Policy
    from doublecross.protocol.common import MatchSettings

_RANGE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)?-(\d{1,6}(?:\.\d{1,3})?)?", re.ASCII)


def bot(
    name: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot, with its options: rules, greedy:seed=3, or module:Class.",
            show_default=False,
        ),
    ],
    server: Server = DEFAULT_SERVER,
    player: BotName = None,
    token_file: TokenFileOption = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="Leave after so many games.")
    ] = None,
    concurrency: BotGames = 4,
    workers: BotWorkers = 1,
    kind: Annotated[
        str | None,
        typer.Option("--game", help="Play only this game.", show_default="all that it plays"),
    ] = None,
    sizes: Annotated[
        str | None, typer.Option(help="Accept only these sizes, such as 5x5 or 3x3-7x7.")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(help="Accept only so many seconds on the clock, such as 10-600 or 60-."),
    ] = None,
    rated: Annotated[
        bool | None,
        typer.Option(
            "--rated/--casual", help="Accept only rated or only casual games.", show_default="both"
        ),
    ] = None,
    bots: Annotated[bool, typer.Option("--bots/--no-bots", help="Play against bots.")] = True,
    no_takebacks: Annotated[
        bool, typer.Option("--no-takebacks", help="Let nobody take back moves.")
    ] = False,
    accept_seeks: Annotated[
        bool, typer.Option("--accept-seeks", help="Also accept open seeks of other players.")
    ] = False,
    seek: Annotated[
        str | None,
        typer.Option(help="Keep a seek open: SIZE@TIME, such as 5x5@60+1."),
    ] = None,
    tournament: Annotated[
        str | None, typer.Option(help="Play in this tournament, and leave when it has ended.")
    ] = None,
    think: Annotated[float, typer.Option(min=0.01, help="The most seconds for a move.")] = 10.0,
    pause: Annotated[
        bool, typer.Option("--pause", help="Pause before moves, so that people can follow.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the bot's random choices.")] = None,
    wait: Annotated[
        float, typer.Option(min=0.0, help="Seconds to wait for a server that does not answer yet.")
    ] = PATIENCE_S,
    verbose: Verbose = False,
) -> int:
    """Let a bot join a server and play everybody who challenges it.

    It stays until Ctrl-C. Then it takes no new games, and leaves when its current games are over; a
    second Ctrl-C ends it at once. If it loses the connection or the server restarts, it connects
    again and continues its games.

    The bot plays without an account. With a token it plays with that account; make both with:
    doublecross account new-bot NAME

    Example: doublecross bot rules --server 192.168.1.5 --sizes 3x3-7x7 --seek 5x5@60+1
    """
    from doublecross.bots.runner import Pause, RunnerConfig

    spec = spec_of(name, game_of(kind, None) if kind else None)
    token = bot_token(token_file, player)
    if player is not None:
        check_player_name(player)
    if tournament is not None:
        check_tournament(tournament)
    wanted = _seek(seek, kind or DEFAULT_GAME, bool(rated))
    if wanted is not None:
        spec_of(name, game_of(kind or DEFAULT_GAME, seek.partition("@")[0] if seek else None))
    policy = replace(
        _policy(kind, sizes, time, rated, bots, accept_seeks, concurrency),
        takebacks=not no_takebacks,
    )
    config = RunnerConfig(
        server=server,
        spec=spec,
        name=player,
        token=token,
        seed=seed,
        policy=policy,
        workers=workers,
        patience_s=wait,
        think_s=think,
        pause=Pause() if pause else None,
        games=games,
        seek=wanted,
        tournament=tournament,
    )
    return run_and_print(config, verbose=verbose)


def _policy(
    kind: str | None,
    sizes: str | None,
    time: str | None,
    rated: bool | None,
    bots: bool,
    accept_seeks: bool,
    concurrency: int,
) -> Policy:
    from doublecross.bots.runner import Policy

    smallest, largest = _sizes(sizes, kind or DEFAULT_GAME)
    least, most = _times(time)
    return Policy(
        games=None if kind is None else frozenset({kind}),
        min_size=smallest,
        max_size=largest,
        min_base_s=least,
        max_base_s=most,
        unlimited=time is None,
        rated=rated is not False,
        casual=rated is not True,
        bots=bots,
        at_once=concurrency,
        seeks_after_s=0.0 if accept_seeks else None,
    )


def _sizes(text: str | None, kind: str) -> tuple[str | None, str | None]:
    """Return the smallest and the largest size of ``3x3-7x7`` or ``5x5``."""
    if text is None:
        return None, None
    low, dash, high = (part.strip() for part in text.partition("-"))
    smallest, largest = game_of(kind, low), game_of(kind, high if dash else low)
    if any(largest.params[name] < value for name, value in smallest.params.items()):
        raise Problem(f"The sizes {text!r} are in the wrong order: write the smaller one first.")
    return smallest.size, largest.size


def _times(text: str | None) -> tuple[float, float | None]:
    """Return the least and the most seconds of ``10-600``, ``60-`` or ``-600``."""
    if text is None:
        return 0.0, None
    found = _RANGE.fullmatch(text.strip())
    if found is None or text.strip() == "-":
        raise Problem(f"{text!r} is not a range of seconds; write it like 10-600, 60- or -600.")
    least = float(found[1] or 0)
    most = None if found[2] is None else float(found[2])
    if most is not None and most < least:
        raise Problem(f"The range {text!r} is in the wrong order: write the smaller number first.")
    return least, most


def _seek(text: str | None, kind: str, rated: bool) -> MatchSettings | None:
    if text is None:
        return None
    size, at, time = text.partition("@")
    if not (size and at and time):
        raise Problem(f"{text!r} is not a seek; write SIZE@TIME, such as 5x5@60+1.")
    return settings_of(game_of(kind, size), time, rated=rated)
