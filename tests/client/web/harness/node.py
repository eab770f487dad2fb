"""Run files of tests in JavaScript as one test of pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final, NoReturn

import pytest

NEED: Final = "DOUBLECROSS_NEED_NODE"
_HOOKS: Final = Path(__file__).resolve().parents[3] / "node" / "page.mjs"
"""Makes `import "preact"` work as in the page."""
_LIMIT_S: Final = 50


def give_up(reason: str, need: str) -> NoReturn:
    """Skip the test, or fail it if the environment variable `need` is set."""
    if os.environ.get(need):
        pytest.fail(f"{reason} ({need} is set)", pytrace=False)
    pytest.skip(reason)


def run(*files: Path, **variables: str) -> None:
    """Run the tests in files of JavaScript, with these environment variables besides.

    One process runs all of them, because its start takes longer than most files.

    Raises:
        NodeFailedError: a test failed, or there is none.
    """
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs npm", NEED)
    *first, last = map(str, files)
    imports = [part for each in (str(_HOOKS), *first) for part in ("--import", each)]
    done = subprocess.run(
        [node, *imports, "--test-reporter=spec", last],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    if done.returncode or "ℹ pass 0" in done.stdout:
        raise NodeFailedError(done.stdout + done.stderr)


class NodeFailedError(Exception):
    """A test of the file failed, or it has none. The message is the report of node."""
