"""`doublecross tournament`: organise tournaments, enter them with a bot, see their tables."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from cli.asking import DEFAULT_GAME, DEFAULT_SERVER, SERVER_HELP, game_of, settings_of
from cli.console import FAILED, Problem, out, quiet_logs, say, warn

if TYPE_CHECKING:
    from rich.table import Table

    from client.lobby import LobbyMirror
    from client.transport import Client
    from protocol.common import TournamentTerms
    from protocol.server_messages import TournamentState

T = TypeVar("T")

FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
WATCH_S: Final = 2.0
"""Between two looks at a table that is watched, in seconds."""

Server = Annotated[str, typer.Option("--server", "-s", help=SERVER_HELP)]
Id = Annotated[str, typer.Argument(metavar="ID", help="The tournament.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]

app = typer.Typer(
    name="tournament",
    help="Organise tournaments on a server, enter them with bots, see the tables.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="For people.", show_default=False)],
    server: Server = DEFAULT_SERVER,
    kind: Annotated[
        str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.")
    ] = "round-robin",
    game: Annotated[str, typer.Option(help="What they play.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 5x5.", show_default="the usual one")
    ] = None,
    time: Annotated[
        str, typer.Option(help="Clock: seconds, such as 10+0.1, or 0/0.5 for each move.")
    ] = "10+0.1",
    pairs: Annotated[int, typer.Option("--pairs", "-n", min=1, help="Pairs when two meet.")] = 1,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Of a Swiss tournament; all pairs of a ladder.")
    ] = None,
    hero: Annotated[str | None, typer.Option(help="Who meets everybody in a gauntlet.")] = None,
    invite: Annotated[
        str | None, typer.Option(help="Who may join, between commas.", show_default="all")
    ] = None,
    people: Annotated[bool, typer.Option("--people", help="Let people join too.")] = False,
    late: Annotated[bool, typer.Option("--late", help="Let players join after the start.")] = False,
    casual: Annotated[bool, typer.Option("--casual", help="Do not count for ratings.")] = False,
    patience: Annotated[
        int, typer.Option(min=1, help="Failed games in a row before a player is set aside.")
    ] = 3,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Number that the openings follow from.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Open a tournament for others to join; start it when they are there.

    Example: doublecross tournament create Spring --size 5x5 --pairs 10 --time 10+0.1
    """
    from protocol.common import TournamentTerms

    if kind not in FORMATS:
        raise Problem(f"There is no format {kind!r}; there are {', '.join(FORMATS)}.")
    settings = settings_of(game_of(game, size), time, rated=not casual)
    invited = None if invite is None else tuple(filter(None, map(str.strip, invite.split(","))))
    try:
        terms = TournamentTerms(
            name=name,
            format=kind,  # type: ignore[arg-type]
            settings=settings,
            pairs=pairs,
            rounds=rounds,
            hero=hero,
            invited=invited,
            people=people,
            late=late,
            patience=patience,
            seed=seed,
        )
    except ValueError:
        raise Problem(
            "That is no tournament: a name has 1 to 64 characters, those of players are as on"
            " the server, and numbers are not endless."
        ) from None
    state = _ask(server, lambda client: client.create_tournament(terms))
    if as_json:
        _print_json(state)
        return
    say(f"Tournament {state.tournament} is open: {describe(terms)}.")
    if state.note:
        warn(state.note)
    say(
        f"A bot joins it with: doublecross tournament join {state.tournament} BOT --server {server}"
    )
    say(f"Start it with: doublecross tournament start {state.tournament} --server {server}")


def join(
    tournament: Id,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Such as rules or mcts:time=0.2.")],
    server: Server = DEFAULT_SERVER,
    player: Annotated[
        str | None,
        typer.Option("--name", help="Its name on the server.", show_default="the bot's name"),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", min=1, max=256, help="Games at once.")
    ] = 1,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that think.")] = 1,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
    ] = False,
) -> int:
    """Enter a bot into a tournament; it plays until that has ended.

    Example: doublecross tournament join t7c2k3p4q rules --server 192.168.1.5
    """
    from cli.bot import bot as run

    return run(
        bot,
        server=server,
        player=player,
        concurrency=concurrency,
        workers=workers,
        tournament=tournament,
        verbose=verbose,
    )


def start(tournament: Id, server: Server = DEFAULT_SERVER) -> None:
    """Start a tournament of yours: nobody has to wait for anybody else from then on."""
    state = _ask(server, lambda client: client.start_tournament(tournament))
    planned = "" if state.games_planned is None else f", {state.games_planned} games"
    say(f"{state.terms.name} has started: {state.entrants_total} players{planned}.")


def end(tournament: Id, server: Server = DEFAULT_SERVER) -> None:
    """End a tournament of yours: no game is begun any more, what is played counts."""
    state = _ask(server, lambda client: client.end_tournament(tournament))
    say(f"{state.terms.name} has ended after {state.games_played} games.")


def aside(
    tournament: Id,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who.", show_default=False)],
    reason: Annotated[str, typer.Option(help="Why, for everybody.")] = "",
    server: Server = DEFAULT_SERVER,
) -> None:
    """Set a player of a tournament of yours aside, who gets no more games of it."""
    _ask(server, lambda client: client.set_aside(tournament, player, reason))
    say(f"{player} gets no more games.")


def status(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Until it has ended.")] = False,
    as_json: AsJson = False,
) -> int:
    """Show the table of a tournament.

    Example: doublecross tournament status t7c2k3p4q --watch
    """

    async def look(client: Client) -> TournamentState:
        state = await client.get_tournament(tournament)
        while watch and state.status in ("open", "running"):
            show(state)
            await asyncio.sleep(WATCH_S)
            state = await client.get_tournament(tournament)
        return state

    state = _ask(server, look)
    if as_json:
        _print_json(state)
    else:
        show(state)
    return FAILED if state.status == "cancelled" else 0


def report(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    html: Annotated[
        Path | None, typer.Option("--report", help="Write a page with everything to this file.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write the games to this file, the players beside it.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write all records to this file.")
    ] = None,
) -> None:
    """Say what a tournament has shown: ratings with intervals, who beat whom and how surely.

    Example: doublecross tournament report t7c2k3p4q --report spring.html
    """
    from cli.export import http_of
    from cli.report.terminal import print_summary
    from cli.tournament_results import (
        ResultFiles,
        fetch_tournament,
        fetch_tournament_records,
        summary_of,
    )

    quiet_logs(verbose=False)
    files = ResultFiles(html, json_file, csv, records)
    files.check()
    http = http_of(server)
    summary = summary_of(fetch_tournament(http, tournament))
    print_summary(out(), summary)
    files.write(summary, http, fetch_tournament_records(http, tournament) if records else "")


def list_(server: Server = DEFAULT_SERVER, as_json: AsJson = False) -> None:
    """List the tournaments of a server that are open or running."""

    async def look(client: Client) -> LobbyMirror:
        await client.follow_lobby()
        assert client.session.lobby is not None
        return client.session.lobby

    quiet_logs(verbose=False)
    lobby = asyncio.run(_visit(server, look))
    found = list(lobby.tournaments.values())
    if as_json:
        sys.stdout.write(json.dumps([each.model_dump(mode="json") for each in found]) + "\n")
        return
    if not found:
        say("No tournament is open or running.")
        return
    from rich.table import Table

    from cli.rooms import game_name

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
    (end, "end"),
):
    _help = "\n\n".join(
        " ".join(paragraph.split())
        for paragraph in inspect.cleandoc(_command.__doc__ or "").split("\n\n")
    )
    app.command(name=_name, help=_help)(_command)


def describe(terms: TournamentTerms) -> str:
    """Such as ``round robin of Dots and Boxes 5x5, 10+0.1, 10 game pairs when two meet``."""
    from cli.rooms import game_name

    settings = terms.settings
    pairs = "1 game pair" if terms.pairs == 1 else f"{terms.pairs} game pairs"
    meet = "" if terms.format == "ladder" else f", {pairs} when two meet"
    return f"{terms.format.replace('-', ' ')} of {game_name(settings)}, {settings.time.text}{meet}"


def show(state: TournamentState) -> None:
    """Print how a tournament stands."""
    planned = "" if state.games_planned is None else f" of {state.games_planned}"
    say(state.terms.name, "bold")
    say(describe(state.terms))
    say(f"{state.status}, {state.games_played}{planned} games", "dim")
    if not state.entrants:
        say("Nobody has joined yet.")
        return
    out().print(table_of(state))


def table_of(state: TournamentState) -> Table:
    """The table of a tournament."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", justify="right")
    table.add_column("Player", overflow="fold")
    table.add_column("Engine", overflow="fold")
    for column in ("Points", "Games", "Net"):
        table.add_column(column, justify="right")
    table.add_column("", overflow="fold")
    for each in state.entrants:
        remark = ""
        if each.state != "in":
            remark = f"{each.state}: {each.reason}" if each.reason else each.state
        elif not each.online:
            remark = "offline"
        elif each.playing:
            remark = f"playing {each.playing}" if each.playing > 1 else "playing"
        table.add_row(
            f"{each.place}.",
            each.player,
            each.engine,
            f"{each.points:g}",
            str(each.games),
            f"{each.net:+d}",
            remark,
        )
    return table


def _print_json(state: TournamentState) -> None:
    sys.stdout.write(json.dumps(state.model_dump(mode="json", exclude={"id", "type"})) + "\n")


def _ask(server: str, request: Callable[[Client], Awaitable[TournamentState]]) -> TournamentState:
    """The answer to a request of the organiser."""
    quiet_logs(verbose=False)
    return asyncio.run(_visit(server, request))


async def _visit(server: str, work: Callable[[Client], Awaitable[T]]) -> T:
    from cli.visitor import visiting

    async with visiting(server, who="organiser") as client:
        return await work(client)
