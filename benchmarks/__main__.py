"""`python -m benchmarks`: the server's benchmark and the searches', one or the other or both."""

from __future__ import annotations

from typing import Annotated

import typer

import benchmarks.search.__main__ as search
import benchmarks.server.__main__ as server

app = typer.Typer(add_completion=False)
app.command("server")(server.run)
app.command("search")(search.run)


@app.callback(invoke_without_command=True)
def everything(
    context: typer.Context,
    quick: Annotated[bool, typer.Option(help="seconds instead of minutes, rough figures")] = False,
    markdown: Annotated[bool, typer.Option(help="print the tables as Markdown too")] = False,
) -> None:
    """Measure the server and then the searches; or only what is named, with its own options."""
    if context.invoked_subcommand is None:
        server.run(quick=quick, markdown=markdown)
        search.run(quick=quick, markdown=markdown)
    elif quick or markdown:
        raise typer.BadParameter(f"Options stand behind {context.invoked_subcommand}.")


if __name__ == "__main__":
    app()
