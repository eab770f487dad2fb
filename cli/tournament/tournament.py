"""`doublecross tournament`: organises tournaments, enters bots, and shows tables and reports."""

from __future__ import annotations

import asyncio
import inspect
import json
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from cli.report.formatting import count
from cli.shared.console import Problem, out, plain, quiet_logs, say, warn
from cli.shared.parsing import (
    DEFAULT_GAME,
    DEFAULT_SERVER,
    SERVER_HELP,
    check_player_name,
    check_tournament,
    game_of,
    settings_of,
)
from cli.tournament.show import describe, show, watched

if TYPE_CHECKING:
    from client.core.lobby import LobbyMirror
    from client.transport import Client
    from protocol.server_messages import TournamentState

T = TypeVar("T")

FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
PAIRS: Final = 10
"""The default number of game pairs when two players meet."""
WATCH_S: Final = 2.0
"""Seconds between two updates of a table that is watched."""

Server = Annotated[str, typer.Option("--server", "-s", help=SERVER_HELP)]
Id = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The id of the tournament.",
        show_default=False,
        callback=check_tournament,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Organiser = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Your name as organiser, the same for all commands on a tournament.",
        envvar="DOUBLECROSS_ORGANISER",
        show_envvar=False,
        show_default="a random name",
    ),
]

app = typer.Typer(
    name="tournament",
    help="Organise tournaments on a server, enter bots, see tables and reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def pairs_of(kind: str, pairs: int | None) -> int:
    """Return how many game pairs two players play when they meet; `pairs` is the option."""
    if pairs is not None:
        return pairs
    return 1 if kind == "ladder" else PAIRS


def create(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name that people see.", show_default=False)
    ],
    server: Server = DEFAULT_SERVER,
    kind: Annotated[
        str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.")
    ] = "round-robin",
    game: Annotated[str, typer.Option(help="The game to play.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 5x5.", show_default="the usual one")
    ] = None,
    time: Annotated[
        str, typer.Option(help="Clock in seconds, such as 10+0.1, or 0/0.5 for each move.")
    ] = "10+0.1",
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            "-n",
            min=1,
            help="Game pairs when two players meet.",
            show_default=str(PAIRS),
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds of a Swiss tournament, or all game pairs of a ladder."),
    ] = None,
    hero: Annotated[
        str | None, typer.Option(help="The player who meets everybody in a gauntlet.")
    ] = None,
    invite: Annotated[
        str | None,
        typer.Option(help="Players who may join, with commas between them.", show_default="all"),
    ] = None,
    people: Annotated[bool, typer.Option("--people", help="Let people join too.")] = False,
    late: Annotated[bool, typer.Option("--late", help="Let players join after the start.")] = False,
    casual: Annotated[bool, typer.Option("--casual", help="Do not rate the games.")] = False,
    patience: Annotated[
        int, typer.Option(min=1, help="Set a player aside after so many failed games in a row.")
    ] = 3,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the openings.")] = None,
    organiser: Organiser = None,
    as_json: AsJson = False,
) -> None:
    """Open a tournament that others can join. Start it when they have joined.

    Example: doublecross tournament create Spring --size 5x5 --pairs 10 --time 10+0.1
    """
    from protocol.common import TournamentTerms

    check_format(kind)
    settings = settings_of(game_of(game, size), time, rated=not casual)
    invited = None if invite is None else tuple(filter(None, map(str.strip, invite.split(","))))
    try:
        terms = TournamentTerms(
            name=name,
            format=kind,  # type: ignore[arg-type]
            settings=settings,
            pairs=pairs_of(kind, pairs),
            rounds=rounds,
            hero=hero,
            invited=invited,
            people=people,
            late=late,
            patience=patience,
            seed=seed,
        )
    except ValueError as error:
        raise refusal(error) from None
    state = _ask(server, organiser, lambda client: client.tournaments.create(terms))
    if as_json:
        _print_json(state)
        return
    say(f"Tournament {state.tournament} is open: {describe(terms)}.")
    if state.note:
        warn(state.note)
    there = "" if server == DEFAULT_SERVER else f" --server {server}"
    say(f"Let a bot join: doublecross tournament join {state.tournament} BOT{there}")
    mine = "" if organiser is None else f" --as {shlex.quote(organiser)}"
    say(f"Start it: doublecross tournament start {state.tournament}{there}{mine}")


def join(
    tournament: Id,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot, such as rules or mcts:c=0.4.")
    ],
    server: Server = DEFAULT_SERVER,
    player: Annotated[
        str | None,
        typer.Option("--name", help="The bot's name on the server.", show_default="the bot's name"),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", min=1, max=256, help="Games at once.")
    ] = 1,
    workers: Annotated[int, typer.Option(min=1, max=256, help="How many processes think.")] = 1,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
    ] = False,
) -> int:
    """Enter a bot into a tournament; it plays until the tournament ends.

    Example: doublecross tournament join t7c2k3p4q rules --server 192.168.1.5
    """
    from cli.bot.bot import bot as run

    return run(
        bot,
        server=server,
        player=player,
        concurrency=concurrency,
        workers=workers,
        tournament=tournament,
        verbose=verbose,
    )


def start(tournament: Id, server: Server = DEFAULT_SERVER, organiser: Organiser = None) -> None:
    """Start a tournament that you created."""
    state = _ask(server, organiser, lambda client: client.tournaments.start(tournament))
    planned = "" if state.games_planned is None else f", {count(state.games_planned, 'game')}"
    say(f"{state.terms.name} has started: {count(state.entrants_total, 'player')}{planned}.")


def end(tournament: Id, server: Server = DEFAULT_SERVER, organiser: Organiser = None) -> None:
    """End a tournament that you created. No new games begin; finished games count."""
    state = _ask(server, organiser, lambda client: client.tournaments.end(tournament))
    say(f"{state.terms.name} has ended after {count(state.games_played, 'game')}.")


def aside(
    tournament: Id,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player.", show_default=False)
    ],
    reason: Annotated[str, typer.Option(help="The reason, which everybody sees.")] = "",
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
) -> None:
    """Exclude a player from further games of a tournament that you created."""
    _ask(server, organiser, lambda client: client.tournaments.set_aside(tournament, player, reason))
    say(f"{player} gets no more games.")


def back(
    tournament: Id,
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player.", show_default=False)
    ],
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
) -> None:
    """Let a player play again who was set aside in a tournament that you created."""
    _ask(server, organiser, lambda client: client.tournaments.take_back(tournament, player))
    say(f"{player} plays again.")


def status(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    watch: Annotated[
        bool,
        typer.Option("--watch", "-w", help="Keep the table up to date until the tournament ends."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the table of a tournament.

    Example: doublecross tournament status t7c2k3p4q --watch
    """

    seen: list[TournamentState] = []

    async def look(client: Client) -> TournamentState:
        state = await client.tournaments.get(tournament)
        with watched(shown=watch and not as_json) as update:
            while watch and state.status in ("open", "running"):
                update(state)
                seen[:] = [state]
                await asyncio.sleep(WATCH_S)
                state = await client.tournaments.get(tournament)
        return state

    try:
        state = _look(server, look)
    except KeyboardInterrupt:
        if seen and not as_json:
            show(seen[-1])
        raise
    if as_json:
        _print_json(state)
    else:
        show(state)


def report(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    html: Annotated[
        Path | None, typer.Option("--report", help="Write a web page with everything to this file.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(help="Write the games as CSV to this file, and the players beside it."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write all records to this file.")
    ] = None,
) -> None:
    """Report a tournament: ratings with intervals, who beat whom, and how certain that is.

    Example: doublecross tournament report t7c2k3p4q --report spring.html
    """
    from cli.report.terminal import print_summary
    from cli.tournament.results import (
        ResultFiles,
        fetch_tournament,
        fetch_tournament_records,
        summary_of,
    )
    from cli.watch.export import http_of

    quiet_logs(verbose=False)
    files = ResultFiles(html, json_file, csv, records)
    files.check()
    http = http_of(server)
    summary = summary_of(fetch_tournament(http, tournament))
    print_summary(out(), summary)
    wanted = files.needs_records(len(summary.results.games))
    files.write(summary, http, fetch_tournament_records(http, tournament) if wanted else "")


def list_(server: Server = DEFAULT_SERVER, as_json: AsJson = False) -> None:
    """List the tournaments of a server that are open or running."""

    async def look(client: Client) -> LobbyMirror:
        await client.follow_lobby()
        assert client.session.lobby is not None
        return client.session.lobby

    lobby = _look(server, look)
    found = list(lobby.tournaments.values())
    if as_json:
        sys.stdout.write(json.dumps([each.model_dump(mode="json") for each in found]) + "\n")
        return
    if not found:
        say("No tournament is open or running.")
        return
    from rich.table import Table

    from cli.watch.rooms import game_name

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("Id", "Name", "Format", "Game", "Time", "Players", "Status"):
        table.add_column(column, overflow="fold")
    for each in found:
        table.add_row(
            each.tournament,
            each.name,
            each.format,
            game_name(each.settings),
            each.settings.time.text,
            str(each.entrants),
            each.status,
        )
    out().print(table)


for _command, _name in (
    (create, "create"),
    (join, "join"),
    (start, "start"),
    (status, "status"),
    (list_, "list"),
    (report, "report"),
    (aside, "aside"),
    (back, "back"),
    (end, "end"),
):
    _help = "\n\n".join(
        " ".join(paragraph.split())
        for paragraph in inspect.cleandoc(_command.__doc__ or "").split("\n\n")
    )
    app.command(name=_name, help=_help)(_command)


def _print_json(state: TournamentState) -> None:
    sys.stdout.write(json.dumps(state.model_dump(mode="json", exclude={"id", "type"})) + "\n")


def check_format(kind: str) -> None:
    """Refuse an unknown format."""
    if kind not in FORMATS:
        raise Problem(f"There is no format {kind!r}; there are {', '.join(FORMATS)}.")


def refusal(error: ValueError) -> Problem:
    """Return the problem with the terms of a tournament."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return Problem(str(error))
    where = error.errors()[0]["loc"]
    what = str(where[0]) if where else ""
    if what in ("invited", "hero"):
        return Problem(
            "A player's name has up to 32 letters, digits and . _ ' + - with single spaces inside;"
            " at most 1000 players can be invited."
        )
    if what == "name":
        return Problem("The name of a tournament must have 1 to 64 characters on one line.")
    option = "--concurrency" if what == "games_at_once" else f"--{what}"
    return Problem(f"{option}: {plain(error.errors()[0]['msg'])}.")


def _ask(
    server: str, name: str | None, request: Callable[[Client], Awaitable[TournamentState]]
) -> TournamentState:
    """Return the answer to a request of the organiser with this name (None: the usual one)."""
    from client.core.errors import RequestRefused
    from protocol.errors import ErrorCode

    if name is not None:
        check_player_name(name)

    async def ask(client: Client) -> TournamentState:
        try:
            return await request(client)
        except RequestRefused as refused:
            if refused.code != ErrorCode.NOT_YOURS or name is not None:
                raise
            raise Problem(f"{refused} With a name of your own, add --as NAME.") from None

    return _visit(server, ask, "organiser", name)


def _look(server: str, request: Callable[[Client], Awaitable[T]]) -> T:
    """Return the answer to a request of a guest."""
    return _visit(server, request, "guest")


def _visit(
    server: str, work: Callable[[Client], Awaitable[T]], who: str, name: str | None = None
) -> T:
    from cli.shared.connection import connected_client

    async def visit() -> T:
        async with connected_client(server, who=who, name=name) as client:
            return await work(client)

    quiet_logs(verbose=False)
    return asyncio.run(visit())
