"""`doublecross match`: game pairs between two bots, live, with the result at the end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.shared.console import Problem, err, is_terminal, out, say, warn
from cli.shared.parsing import DEFAULT_GAME, game_of, need_server_packages, settings_of, spec_of

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from cli.match.series import SeriesJob, SeriesScore
    from games.api import Game

_MOST_GAMES: Final = 100_000
_STEPS: Final = 10
"""How often a match without a terminal says how it stands."""


def match(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A bot, such as rules.", show_default=False)
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="Its opponent; may be the same.", show_default=False)
    ],
    game: Annotated[str, typer.Option(help="What they play.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 5x5.", show_default="the usual one")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", help="Number of games, even: pairs of games.", show_default="20"
        ),
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(help="Number of game pairs, instead of --games.")
    ] = None,
    time: Annotated[
        str, typer.Option(help="Seconds a side + seconds a move, or 'unlimited'.")
    ] = "10+0.1",
    seed: Annotated[
        int | None, typer.Option(help="Number that openings and bots' choices follow from.")
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", help="Games at once.", show_default="cores - 1"),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option("--server", "-s", help="Play on this server.", show_default="one of its own"),
    ] = None,
    casual: Annotated[
        bool, typer.Option("--casual", help="Do not rate the games; a bot that fails plays on.")
    ] = False,
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write the games to this file.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print each move and what its player expects.")
    ] = False,
) -> None:
    """Let two bots play a match.

    The games come in pairs: both from one opening, each bot once in each seat. The bots run in
    processes of their own and join a server as players: the one given, or one that is started
    for the match.

    Example: doublecross match rules greedy --games 20 --size 5x5
    """
    from cli.match.series import SeriesJob, find_openings

    count = _pairs(games, pairs)
    board = game_of(game, size)
    settings = settings_of(board, time, rated=not casual)
    specs = (str(spec_of(first, board)), str(spec_of(second, board)))
    if concurrency is not None and not 1 <= concurrency <= 256:
        raise Problem("--concurrency is from 1 to 256.")
    if records is not None and not records.absolute().parent.is_dir():
        raise Problem(f"{records} cannot be written: there is no such folder.")
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
    standing = run_match(job, board, server=server, records=records, verbose=verbose)
    print_result(job, board, standing)


def run_match(
    job: SeriesJob,
    game: Game,
    *,
    server: str | None = None,
    records: Path | None = None,
    database: str | None = None,
    verbose: bool = False,
) -> SeriesScore:
    """Play the match with a live display, on `server` or (None) on one of its own, with its
    `database` (None: one that is thrown away)."""
    from cli.match.series import SeriesScore

    standing = SeriesScore(total=2 * len(job.openings))
    show = _MatchDisplay(job, game, standing, verbose)
    try:
        with show.showing():
            asyncio.run(_played(job, standing, show, server, records, database))
    except (KeyboardInterrupt, asyncio.CancelledError, Problem) as end:
        if standing.games:
            print_result(job, game, standing)
        if isinstance(end, asyncio.CancelledError):  # SIGTERM
            raise KeyboardInterrupt from None
        raise
    return standing


def print_result(job: SeriesJob, game: Game, standing: SeriesScore) -> None:
    """The final lines of a match."""
    s, played = standing, len(standing.games)
    first, second = s.names
    say()
    say(f"{first} - {second}: +{s.won} ={s.drawn} -{s.lost}, score {_score(s)}", "bold")
    average = s.net / played if played else 0
    say(f"Net boxes of {first}: {s.net:+} ({average:+.2f} a game)")
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
    """The number of game pairs that was asked for."""
    if games is not None and pairs is not None:
        raise Problem("Say --games or --pairs, not both.")
    count = 20 if games is None and pairs is None else games if pairs is None else 2 * pairs
    assert count is not None
    if not 2 <= count <= _MOST_GAMES:
        raise Problem(f"A match has from 2 to {_MOST_GAMES} games, not {count}.")
    if count % 2:
        raise Problem(
            f"Games come in pairs, each opening with both colours: say --games {count + 1}."
        )
    return count // 2


def _address(server: str) -> str:
    from client.core.address import server_url

    try:
        return server_url(server)
    except ValueError as error:
        raise Problem(str(error)) from None


async def _played(
    job: SeriesJob,
    standing: SeriesScore,
    show: _MatchDisplay,
    server: str | None,
    records: Path | None,
    database: str | None,
) -> None:
    from cli.match.series import play

    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with contextlib.AsyncExitStack() as stack:
        address: asyncio.Future[str]
        if server is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="doublecross-"))
            job = replace(job, state_dir=str(Path(folder) / "players"))
            database = database or str(Path(folder) / "match.db")
            address = asyncio.ensure_future(_own_server(stack, database, show))
        else:
            address = asyncio.get_running_loop().create_future()
            address.set_result(server)
        try:
            await play(job, standing, address, on_news=show.news, on_error_line=show.error_line)
        finally:
            address.cancel()
            await asyncio.gather(address, return_exceptions=True)
        if records is not None:
            await asyncio.to_thread(_save, standing, records)


async def _own_server(stack: contextlib.AsyncExitStack, database: str, show: _MatchDisplay) -> str:
    """Start a server, to be stopped by `stack`; its address."""
    from cli.shared.children import ChildEnded, start_server

    try:
        server, url = await start_server(database, show.error_line)
    except ChildEnded as ended:
        raise Problem(str(ended)) from None
    stack.push_async_callback(server.stop)
    return url


def _save(standing: SeriesScore, path: Path) -> None:
    from cli.shared.files import write_file
    from cli.watch.export import fetch_records

    if standing.http is None:
        raise Problem("The server has no web address; the records cannot be fetched.")
    write_file(path, fetch_records(standing.http, standing.game_ids))


class _MatchDisplay:
    """What a match looks like while it is played."""

    def __init__(self, job: SeriesJob, game: Game, standing: SeriesScore, verbose: bool) -> None:
        self._job = job
        self._game = game
        self._standing = standing
        self._verbose = verbose
        self._players: dict[str, list[str]] = {}
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._told = 0

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """With the progress bar, where there is a terminal for it."""
        if not (is_terminal() or out().is_terminal):
            yield
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[score]}", style="bold"),
        )
        names = " - ".join(self._job.specs)
        with Progress(*columns, console=out(), expand=True) as self._progress:
            self._task = self._progress.add_task(
                names, total=self._standing.total, score="starting"
            )
            yield
        self._progress = None

    def error_line(self, line: str) -> None:
        """A child has something to say."""
        target = out() if self._progress is not None else err()
        target.print(line.removeprefix("Error: "), style="dim", soft_wrap=True)

    def news(self, message: dict[str, Any]) -> None:
        """The match has gone on."""
        what = message["what"]
        if what == "began":
            self._began(message)
        elif what == "move":
            self._moved(message)
        elif what == "game":
            self._ended(message)

    def _began(self, message: dict[str, Any]) -> None:
        self._players[message["room"]] = message["players"]
        first, second = message["players"]
        names = (self._game.action_name(action) for action in message["opening"])
        opening = " ".join(names)
        say()
        after = f", after {opening}" if opening else ""
        say(f"Room {message['room']}: {first} - {second}{after}", "bold")

    def _moved(self, message: dict[str, Any]) -> None:
        player = self._players[message["room"]][message["seat"]]
        width = max(map(len, self._standing.names))
        value = message["expected"]
        expects = "" if value is None else f"expects {value:+.3g}"
        stand_in = "  (a stand-in)" if message["fallback"] else ""
        first, second = message["scores"]
        name = self._game.action_name(message["action"])
        room = f"{message['room']}  " if self._job.at_once > 1 else ""
        say(
            f"{room}{message['ply'] + 1:4}  {player:<{width}}  {name:<4}"
            f" {first:>3}:{second:<3} {expects}{stand_in}".rstrip()
        )

    def _ended(self, message: dict[str, Any]) -> None:
        s = self._standing
        if self._verbose:
            self._tell_end(message)
        if self._progress is not None and self._task is not None:
            score = f"+{s.won} ={s.drawn} -{s.lost}  net {s.net:+}"
            self._progress.update(self._task, completed=len(s.games), score=score)
        elif not self._verbose and len(s.games) * _STEPS // s.total > self._told:
            self._told = len(s.games) * _STEPS // s.total
            say(f"{len(s.games):>{len(str(s.total))}}/{s.total}  +{s.won} ={s.drawn} -{s.lost}")

    def _tell_end(self, message: dict[str, Any]) -> None:
        from cli.shared.board import result_sentence

        seat = message["seat"]
        names = list(self._standing.names) if seat == 0 else list(self._standing.names)[::-1]
        sentence = result_sentence(
            names, message["winner"], message["termination"], message["scores"]
        )
        say(f"Game {message['index'] + 1} of {self._standing.total}: {sentence}", "bold")
