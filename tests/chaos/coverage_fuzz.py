"""Fuzz one target with atheris, which chooses the input by coverage.

``python -m tests.chaos.coverage_fuzz TARGET SECONDS`` needs the package atheris (Linux, CPython
3.11 to 3.13). It stops with an exit code other than 0 at the first failure, and writes the input
to a file.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Run until the time is up or an input fails."""
    import atheris

    target, seconds = sys.argv[1], sys.argv[2]
    # Modules are measured that are imported here. The libraries would only slow it down.
    with atheris.instrument_imports(include=["games", "protocol", "server"]):
        from doublecross.protocol.version import MAX_INBOUND_BYTES
        from tests.chaos import fuzz
    seeds = Path(tempfile.mkdtemp(prefix=f"{target}-"))
    for number, data in enumerate(fuzz.examples(target)):
        (seeds / str(number)).write_bytes(data)
    options = [f"-max_total_time={seconds}", f"-max_len={MAX_INBOUND_BYTES}"]
    options += [f"-artifact_prefix={seeds}/", str(seeds)]
    atheris.Setup([sys.argv[0], *options], fuzz.TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
