"""`doublecross cluster`: commands about servers of several processes."""

from __future__ import annotations

import typer

from doublecross.cli.cluster.demo import demo
from doublecross.cli.shared.family import add

app = typer.Typer(
    name="cluster",
    help="Try a server of several processes, which loses no game when one of them dies.",
    no_args_is_help=True,
)


@app.callback()
def _cluster() -> None:
    pass


add(app, demo)
