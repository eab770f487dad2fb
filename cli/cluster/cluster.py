"""`doublecross cluster`: commands about servers of several processes."""

from __future__ import annotations

from doublecross.cli.cluster.demo import demo
from doublecross.cli.shared.family import add, family

app = family("cluster", no_args_is_help=True)


@app.callback()
def _cluster() -> None:
    pass


add(app, demo)
