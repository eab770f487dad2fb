"""Play game pairs between two bots on a server and print the result: `doublecross match`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem, say, warn
from doublecross.cli.shared.files import check_file
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    game_of,
    need_server_packages,
    settings_of,
    spec_of,
)

if TYPE_CHECKING:
    from doublecross.bots.hosting.series import SeriesJob, SeriesScore
    from doublecross.cli.match.display import MatchDisplay
    from doublecross.games.api import Game

_MOST_GAMES: Final = 100_000


def match(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A bot, such as rules.", show_default=False)
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="Its opponent; may be the same.", show_default=False)
    ],
    game: Annotated[str, typer.Option(help="The game to play.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 5x5.", show_default="the usual one")
    ] = None,
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
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write the games to this file.")
    ] = None,
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
    from doublecross.cli.match.display import ProgressDisplay
    from doublecross.cli.shared.parsing import find_openings

    count = _pairs(games, pairs)
    board = game_of(game, size)
    settings = settings_of(board, time, rated=not casual)
    specs = (str(spec_of(first, board)), str(spec_of(second, board)))
    if concurrency is not None and not 1 <= concurrency <= 256:
        raise Problem("--concurrency is from 1 to 256.")
    check_file(records)
    if server is None:
        need_server_packages()
    else:
        server = _address(server)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    openings, shortage = find_openings(board, count, chosen)
    if shortage:
        warn(shortage)
    job = SeriesJob(
        specs=specs,
        settings=settings,
        openings=openings,
        seed=chosen,
        at_once=min(concurrency or max(1, (os.cpu_count() or 2) - 1), 2 * count),
        moves=verbose,
    )
    score = SeriesScore(total=2 * len(job.openings))
    display = ProgressDisplay(job, board, score, verbose)
    run_match(job, board, score, display, server=server, records=records)
    print_result(job, board, score)


def run_match(
    job: SeriesJob,
    game: Game,
    score: SeriesScore,
    display: MatchDisplay,
    *,
    server: str | None = None,
    records: Path | None = None,
) -> None:
    """Play the match and count its games in `score`.

    It is played on `server`, or (None) on a server that is started for it and thrown away.
    """
    try:
        with display.showing():
            asyncio.run(_play_on(server, job, score, display, records))
    except (KeyboardInterrupt, asyncio.CancelledError, Problem) as end:
        if score.games:
            print_result(job, game, score)
        if isinstance(end, asyncio.CancelledError):  # SIGTERM
            raise KeyboardInterrupt from None
        raise


def print_result(job: SeriesJob, game: Game, score: SeriesScore) -> None:
    """Print the result of a match."""
    s, played = score, len(score.games)
    first, second = s.names
    say()
    say(f"{first} - {second}: +{s.won} ={s.drawn} -{s.lost}, score {_score(s)}", "bold")
    average = s.net / played if played else 0
    if game.unit:
        say(f"Net {game.unit} of {first}: {s.net:+} ({average:+.2f} a game)")
    if s.irregular:
        kinds = ", ".join(f"{count} by {kind}" for kind, count in sorted(s.irregular.items()))
        say(f"Not ended on the board: {kinds}")
    unfinished = "" if played == s.total else f" of {s.total}"
    say(
        f"{played}{unfinished} games of {game.title} {game.size}, {job.settings.time.text},"
        f" {'rated' if job.settings.rated else 'casual'}, seed {job.seed}",
        "dim",
    )


def _score(s: SeriesScore) -> str:
    played = len(s.games)
    points = f"{s.score:g}/{played}"
    return f"{points} ({100 * s.score / played:.1f} %)" if played else points


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


async def _play_on(
    server: str | None,
    job: SeriesJob,
    score: SeriesScore,
    display: MatchDisplay,
    records: Path | None,
) -> None:
    from doublecross.bots.hosting.series import SeriesFailed, play

    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with contextlib.AsyncExitStack() as stack:
        address: asyncio.Future[str]
        if server is None:
            # The stack removes this folder last, after the server has stopped.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="doublecross-"))
            job = replace(job, state_dir=str(Path(folder) / "players"))
            database = str(Path(folder) / "match.db")
            address = asyncio.ensure_future(_own_server(stack, database, display))
        else:
            address = asyncio.get_running_loop().create_future()
            address.set_result(server)
        try:
            await play(job, score, address, on_news=display.news, on_error_line=display.error_line)
        except SeriesFailed as failed:
            code = BAD_INPUT if failed.at_start else FAILED
            raise Problem(str(failed), code, failed.trace) from None
        finally:
            address.cancel()
            await asyncio.gather(address, return_exceptions=True)
        if records is not None:
            await asyncio.to_thread(_save, score, records)


async def _own_server(
    stack: contextlib.AsyncExitStack, database: str, display: MatchDisplay
) -> str:
    """Start a server that `stack` stops, and return its address."""
    from doublecross.bots.hosting.own_server import start_server
    from doublecross.processes.child import ChildEnded

    try:
        server, url = await start_server(database, display.error_line)
    except ChildEnded as ended:
        raise Problem(str(ended)) from None
    stack.push_async_callback(server.stop)
    return url


def _save(score: SeriesScore, path: Path) -> None:
    from doublecross.cli.shared.files import write_file
    from doublecross.cli.shared.reading import fetch_records

    if score.http is None:
        raise Problem("The server has no web address; the records cannot be fetched.")
    write_file(path, fetch_records(score.http, score.game_ids))
