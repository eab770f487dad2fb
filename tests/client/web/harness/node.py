"""Run a file of tests in JavaScript as one test of pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

ENDING: Final = ".test.mjs"
NEED: Final = "DOUBLECROSS_NEED_NODE"
_HOOKS: Final = Path(__file__).resolve().parents[3] / "node" / "page.mjs"
"""Makes `import "preact"` work as in the page."""
_LIMIT_S: Final = 50


def give_up(reason: str, need: str) -> NoReturn:
    """Skip the test, or fail it if the environment variable `need` is set."""
    if os.environ.get(need):
        pytest.fail(f"{reason} ({need} is set)", pytrace=False)
    pytest.skip(reason)


def run(file: Path, **variables: str) -> None:
    """Run the tests in a file of JavaScript, with these environment variables besides.

    Raises:
        NodeFailedError: a test failed, or there is none.
    """
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs npm", NEED)
    done = subprocess.run(
        [node, "--import", str(_HOOKS), "--test-reporter=spec", str(file)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    if done.returncode or "ℹ pass 0" in done.stdout:
        raise NodeFailedError(done.stdout + done.stderr)


class NodeFile(pytest.File):
    """A file that node runs."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the one test."""
        yield NodeItem.from_parent(self, name="node")


class NodeItem(pytest.Item):
    """All tests of a file; each failure is in the report."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.add_marker(pytest.mark.processes)

    def runtest(self) -> None:
        """Run the file."""
        run(self.path)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report of node, which names the tests that failed."""
        if isinstance(excinfo.value, NodeFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return how the list of failures names this test."""
        return self.path, None, self.path.name


class NodeFailedError(Exception):
    """A test of the file failed, or it has none. The message is the report of node."""
