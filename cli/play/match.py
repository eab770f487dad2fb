"""Play game pairs between two bots on a server and print the result: `doublecross match`."""

from __future__ import annotations

import os
import secrets
from typing import Annotated, Final

import typer

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.files import check_file
from doublecross.cli.shared.openings import (
    OpeningsFile,
    check_openings,
    find_openings,
    read_openings,
)
from doublecross.cli.shared.options import (
    EngineLog,
    FirstBot,
    GameName,
    RecordsFile,
    SecondBot,
    Size,
)
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    game_of,
    need_server_packages,
    settings_of,
    spec_of,
)
from doublecross.cli.shared.remote.matches import print_result, run_match

_MOST_GAMES: Final = 100_000


def match(
    first: FirstBot,
    second: SecondBot,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", help="Number of games, which must be even.", show_default="20"
        ),
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(help="Number of game pairs, instead of --games.")
    ] = None,
    time: Annotated[
        str, typer.Option(help="Seconds a side + seconds a move, or 'unlimited'.")
    ] = "10+0.1",
    seed: Annotated[
        int | None, typer.Option(help="Seed of the openings and of the bots' choices.")
    ] = None,
    openings: OpeningsFile = None,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", help="Games at once.", show_default="cores - 1"),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option("--server", "-s", help="Play on this server.", show_default="a new one"),
    ] = None,
    casual: Annotated[
        bool,
        typer.Option(
            "--casual", help="Do not rate the games. A stand-in moves for a bot that fails."
        ),
    ] = False,
    records: RecordsFile = None,
    log: EngineLog = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Print each move and the result that its player expects."
        ),
    ] = False,
) -> None:
    """Let two bots play a match.

    The games come in pairs: two games from one opening, each bot once in each seat. Every bot runs
    in a process of its own and joins the server as a player. Without --server the match starts a
    server for itself.

    Example: doublecross match rules greedy --games 20 --size 5x5
    """
    from doublecross.bots.hosting.series import SeriesJob, SeriesScore
    from doublecross.cli.play.match_progress import ProgressDisplay

    count = _pairs(games, pairs)
    board = game_of(game, size)
    settings = settings_of(board, time, rated=not casual)
    specs = (spec_of(first, board), spec_of(second, board))
    if concurrency is not None and not 1 <= concurrency <= 256:
        raise Problem("--concurrency is from 1 to 256.")
    check_file(records)
    if server is None:
        need_server_packages()
    else:
        server = _address(server)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    listed = read_openings(openings, board)
    chosen_openings, shortage = find_openings(board, count, chosen, listed=listed)
    check_openings(specs, chosen_openings)
    if shortage:
        warn(shortage)
    job = SeriesJob(
        specs=(str(specs[0]), str(specs[1])),
        settings=settings,
        openings=chosen_openings,
        seed=chosen,
        at_once=min(concurrency or max(1, (os.cpu_count() or 2) - 1), 2 * count),
        moves=verbose,
    )
    score = SeriesScore(total=2 * len(job.openings))
    display = ProgressDisplay(job, board, score, verbose)
    run_match(job, board, score, display, server=server, records=records)
    print_result(job, board, score)


def _pairs(games: int | None, pairs: int | None) -> int:
    """Return the number of game pairs that the options ask for."""
    if games is not None and pairs is not None:
        raise Problem("Use --games or --pairs, not both.")
    count = 20 if games is None and pairs is None else games if pairs is None else 2 * pairs
    assert count is not None
    if not 2 <= count <= _MOST_GAMES:
        raise Problem(f"A match has from 2 to {_MOST_GAMES} games, not {count}.")
    if count % 2:
        raise Problem(
            f"Games come in pairs, each opening with both colours: use --games {count + 1}."
        )
    return count // 2


def _address(server: str) -> str:
    from doublecross.client.core.address import server_urls

    try:
        return server_urls(server)
    except ValueError as error:
        raise Problem(str(error)) from None
