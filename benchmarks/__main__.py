"""`python -m benchmarks`: the server's benchmark and the searches', one or the other or both."""

from __future__ import annotations

import typer

import benchmarks.search.__main__ as search
import benchmarks.server.__main__ as server
from benchmarks import command

app = typer.Typer(add_completion=False)
app.command("server")(server.run)
app.command("search")(search.run)


@app.callback(invoke_without_command=True)
def everything(
    context: typer.Context,
    quick: command.Quick = False,
    markdown: command.Markdown = False,
) -> None:
    """Measure the server and then the searches; or only what is named, with its own options."""
    if context.invoked_subcommand is None:
        server.run(quick=quick, markdown=markdown)
        search.run(quick=quick, markdown=markdown)
    elif quick or markdown:
        raise typer.BadParameter(f"Options stand behind {context.invoked_subcommand}.")


if __name__ == "__main__":
    app()
