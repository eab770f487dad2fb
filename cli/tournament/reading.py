"""The commands that show tournaments: the list, the table and the report."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from doublecross.cli.shared.console import Problem, out, say, say_json, warn
from doublecross.cli.shared.options import AsJson, CsvFile, JsonFile, RecordsFile, ReportFile
from doublecross.cli.shared.parsing import DEFAULT_SERVER
from doublecross.cli.shared.tables import rows_table
from doublecross.cli.tournament.options import AnyServer, Id, print_json, visit
from doublecross.cli.tournament.show import format_name, show, status_name, watched
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from rich.table import Table

    from doublecross.client.core.lobby import LobbyMirror
    from doublecross.client.transport import Client

WATCH_S: Final = 2.0
"""Seconds between two updates of a table that is watched."""
RESTART_S: Final = 60.0
"""Seconds that a watched table waits for a server that does not answer."""


def status(
    tournament: Id,
    server: AnyServer = DEFAULT_SERVER,
    watch: Annotated[
        bool,
        typer.Option("--watch", "-w", help="Keep the table up to date until the tournament ends."),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", "-a", help="List the pairings of all rounds, also past ones.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the table of a tournament, and the pairings of its present round.

    Example: doublecross tournament status t7c2k3p4q --watch
    """
    from doublecross.cli.shared.remote.reading import http_of
    from doublecross.cli.tournament.pairings import pairings_table
    from doublecross.cli.tournament.results import fetch_tournament, state_of

    quiet_logs(verbose=False)
    http = http_of(server)
    body = fetch_tournament(http, tournament)
    try:
        with watched(shown=watch and not as_json) as update:
            while watch and body["status"] in ("open", "running"):
                update(state_of(body), pairings_table(body, every=every))
                time.sleep(WATCH_S)
                try:
                    body = fetch_tournament(http, tournament, body)
                except Problem:
                    # It restarts, or another node goes on.
                    http = http_of(server, patience_s=RESTART_S)
                    body = fetch_tournament(http, tournament)
    except KeyboardInterrupt:
        if not as_json:
            show(state_of(body), pairings_table(body, every=every))
        raise
    if as_json:
        print_json(state_of(body))
    else:
        show(state_of(body), pairings_table(body, every=every))


def report(
    tournament: Id,
    server: AnyServer = DEFAULT_SERVER,
    html: ReportFile = None,
    csv: CsvFile = None,
    json_file: JsonFile = None,
    records: RecordsFile = None,
    trf: Annotated[
        Path | None,
        typer.Option(help="Write a TRF, the report file of FIDE, for Swiss-Manager and others."),
    ] = None,
    present: Annotated[
        bool, typer.Option("--present", help="Report the present season of the same ladder.")
    ] = False,
) -> None:
    """Report a tournament: ratings with intervals, who beat whom, and how certain that is.

    Example: doublecross tournament report t7c2k3p4q --report spring.html
    """
    from doublecross.cli.shared.remote.reading import http_of
    from doublecross.cli.shared.report.terminal import print_summary
    from doublecross.cli.tournament.results import (
        ResultFiles,
        fetch_tournament,
        fetch_tournament_records,
        summary_of,
        write_trf,
    )

    quiet_logs(verbose=False)
    files = ResultFiles(html, json_file, csv, records, trf)
    files.check()
    http = http_of(server)
    body = fetch_tournament(http, tournament)
    if present and body["next_season"]:
        tournament = body["next_season"]
        body = fetch_tournament(http, tournament)
    summary = summary_of(body)
    print_summary(out(), summary)
    wanted = files.needs_records(len(summary.results.games))
    files.write(summary, http, fetch_tournament_records(http, tournament) if wanted else "")
    if trf is not None:
        write_trf(http, tournament, trf)


def list_(
    server: AnyServer = DEFAULT_SERVER,
    ended: Annotated[
        int, typer.Option(min=0, max=100, help="How many of those that have ended to list.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """List the tournaments of a server: open, running, and the newest that have ended.

    Example: doublecross tournament list --server 192.168.1.5
    """

    async def follow(client: Client) -> tuple[LobbyMirror, str | None]:
        await client.follow_lobby()
        assert client.session.lobby is not None
        assert client.session.welcome is not None
        return client.session.lobby, client.session.welcome.http

    from doublecross.cli.shared.remote.reading import is_http
    from doublecross.cli.tournament.results import ended_tournaments, going_tournaments

    http: str | None
    if is_http(server):
        quiet_logs(verbose=False)
        found, http = going_tournaments(server), server
    else:
        lobby, http = visit(server, follow, "guest")
        found = [each.model_dump(mode="json") for each in lobby.tournaments.values()]
    if ended:
        if http is None:
            warn("The server has no HTTP address, so it shows no tournaments that have ended.")
        else:
            try:
                found += ended_tournaments(http, ended)
            except Problem as problem:
                warn(f"{problem} Tournaments that have ended are left out.")
    if as_json:
        say_json(found)
    elif found:
        out().print(_list_table(found))
    else:
        say("There is no tournament on this server.")


def _list_table(found: list[dict[str, Any]]) -> Table:
    from doublecross.cli.shared.board import game_name
    from doublecross.protocol.common import MatchSettings

    columns = ("Id", "Name", "Format", "Game", "Time", "Players", "Status")
    rows = []
    for each in found:
        settings = MatchSettings.model_validate_json(json.dumps(each["settings"]))
        rows.append(
            (
                each["tournament"],
                each["name"],
                format_name(each["format"]),
                game_name(settings),
                settings.time.text,
                each["entrants"],
                status_name(each["status"]),
            )
        )
    return rows_table(columns, rows)
