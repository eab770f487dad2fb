"""Measure the server, the searches, the window and the browser page: `python -m benchmarks`."""

from __future__ import annotations

import typer

import benchmarks.page.__main__ as page
import benchmarks.search.__main__ as search
import benchmarks.server.__main__ as server
import benchmarks.tk.__main__ as tk
from benchmarks import command, links, network, ratings, records, tournament
from benchmarks.page.browser import NO_CHROMIUM, program
from benchmarks.tk.measure import missing

app = typer.Typer(add_completion=False)
app.command("server")(server.run)
app.command("search")(search.run)
app.command("tk")(tk.run)
app.command("page")(page.run)
app.command("ratings")(ratings.run)
app.command("tournament")(tournament.run)
app.command("network")(network.run)
app.command("links")(links.run)
app.command("records")(records.run)


@app.callback(invoke_without_command=True)
def everything(
    context: typer.Context,
    quick: command.Quick = False,
    markdown: command.Markdown = False,
) -> None:
    """Measure the server, the searches, and the window and the browser page if they can run here.

    Name a benchmark to run only that one, with its own options. Ratings, tournament, network,
    links and records run only when you name them.
    """
    if context.invoked_subcommand is None:
        server.run(quick=quick, markdown=markdown)
        search.run(quick=quick, markdown=markdown)
        if reason := missing():
            typer.echo(reason, err=True)
        else:
            tk.run(quick=quick, markdown=markdown)
        if program() is None:
            typer.echo(f"{NO_CHROMIUM} Without it the page is not measured.", err=True)
        else:
            page.run(quick=quick, markdown=markdown)
    elif quick or markdown:
        raise typer.BadParameter(f"Write options after {context.invoked_subcommand}.")


if __name__ == "__main__":
    app()
