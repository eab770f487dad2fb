"""The benchmarks. Each is one command, such as `python -m benchmarks.server`."""

from importlib.util import find_spec
from typing import Final

_NEEDED: Final = ("typer", "psutil", "uvloop", "numpy", "asyncpg", "websockets")
"""Packages that the benchmarks need, of which an installation may have only some."""

if _LACKING := [name for name in _NEEDED if find_spec(name) is None]:
    raise SystemExit(
        f"The benchmarks need packages that are not installed: {', '.join(_LACKING)}."
        " `make bench` installs them and runs the benchmarks."
    )
