"""Programs that start at once: forks of a process that has imported ours before.

A server takes most of a second of computing to import, and hundreds of tests start a program.
`ForkedProcess` starts the same `main` as a new Python would, in a process of its own, without
importing it again. The process that is forked, `main`, runs no thread and no event
loop by then. Waiting for the end of a process that is not one's own child needs Linux, as the
window's tests do.

A program starts its children as fresh interpreters, as for users. With `forks` it forks them from
a fork server of the product that all programs share, and the tests themselves (`control`); they are
no descendants of the program then.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

from doublecross.bots.helping.preload import FIRST, LATER
from doublecross.processes import forks
from doublecross.processes.forks import serving

DEADLINE_S = 40.0
ROOT = Path(__file__).resolve().parents[2]
COMMAND = "doublecross.cli.main"
CAN_FORK = hasattr(os, "pidfd_open")


class ForkedProcess:
    """A process with the interface of `subprocess.Popen` that our tests need."""

    def __init__(
        self,
        *arguments: str,
        cwd: Path,
        env: dict[str, str],
        stderr: Path,
        module: str = COMMAND,
        forks: bool = False,
    ) -> None:
        self._parent = parent()
        with tempfile.TemporaryDirectory(prefix="forked-") as folder:
            output = Path(folder, "stdout")
            os.mkfifo(output)
            order: dict[str, object] = {
                "module": module,
                "arguments": arguments,
                "cwd": str(cwd),
                "env": env,
                "stdout": str(output),
                "stderr": str(stderr),
                "forks": forks,
            }
            self.pid = self._parent.fork(order)
            self._end = os.pidfd_open(self.pid)
            # This waits for the other end.
            self.stdout: TextIOWrapper = output.open()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, None while the process runs."""
        return self.returncode if self._ends_within(0) else None

    def wait(self, timeout: float = DEADLINE_S) -> int:
        """Wait for the end and return the exit code."""
        if not self._ends_within(timeout):
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._end, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        # A killed process writes no coverage data.
        measured = "COVERAGE_PROCESS_CONFIG" in os.environ
        self.send_signal(signal.SIGTERM if measured else signal.SIGKILL)

    def _ends_within(self, seconds: float) -> bool:
        if self.returncode is None and select.select([self._end], [], [], seconds)[0]:
            self.returncode = self._parent.code_of(self.pid)
            os.close(self._end)
        return self.returncode is not None


class Forked:
    """A running command; `line` reads its standard output."""

    def __init__(
        self, *arguments: str, cwd: Path, env: dict[str, str], forks: bool = False
    ) -> None:
        file, errors = tempfile.mkstemp(dir=cwd, prefix="stderr-")
        os.close(file)
        self._errors = Path(errors)
        self._process = ForkedProcess(
            *arguments, cwd=cwd, env=env, stderr=self._errors, forks=forks
        )

    def line(self) -> str:
        """Return the next line; it must come."""
        line = self._process.stdout.readline()
        assert line, self._errors.read_text()
        return line.rstrip("\n")

    @property
    def runs(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        self._process.send_signal(number)

    def wait(self) -> None:
        """Wait until the process has ended."""
        self._process.wait()

    def close(self) -> None:
        """End the process if it runs, and close the files."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()


class Parent:
    """The process that forks. It ends with this process, because its input closes then."""

    def __init__(self, server: socket.socket) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.cli.forking", str(server.fileno())],
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[server.fileno()],
            text=True,
        )
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(DEADLINE_S)
        self._process.stdout.close()

    def fork(self, order: dict[str, object]) -> int:
        """Return the number of a new process that carries out `order`."""
        return self._ask(order)

    def code_of(self, pid: int) -> int:
        """Return the exit code of a process that has ended."""
        return self._ask({"ended": pid})

    def _ask(self, order: dict[str, object]) -> int:
        with self._lock:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())


@cache
def parent() -> Parent:
    """Return the process that forks for all tests of this process."""
    server = control()
    assert server is not None
    made = Parent(server)
    atexit.register(made.close)
    return made


@cache
def control() -> socket.socket | None:
    """Return the control socket of the fork server for this process, where the system allows one.

    It imports nothing before the first request, and then most of five seconds.
    """
    before = forks._control
    stack = contextlib.ExitStack()
    stack.enter_context(serving((), _OF_CHILDREN))
    atexit.register(stack.close)
    found, forks._control = forks._control, before
    return found


_IMPORTED = (
    *(
        "doublecross.server.shell.app",
        "doublecross.server.cluster.server",
        "doublecross.server.store.cluster.store",
        "doublecross.bots.hosting.resident_bots",
        "doublecross.bots.runner",
        "doublecross.bots.hosting.series",
    ),
    *(
        "doublecross.bots.helping.helpers",
        "doublecross.client.tk.app",
        "tests.e2e.bot_child",
        "tests.chaos.attacks",
    ),
)
"""What the programs import later, each only if it can be imported."""

_OF_CHILDREN = (
    *(*FIRST, "tests.cli.forking:prepare_servers"),
    *(*LATER, "doublecross.bots.hosting.series_player"),
)
"""What the fork server imports after the first request for a child."""


def main() -> None:
    """Import our programs, then fork for each order that comes as a line of JSON."""
    gc.disable()  # as tests.conftest does
    from doublecross.cli.main import prepare

    commands = prepare()
    for name in commands.list_commands(None):
        commands.get_command(None, name)
    for name in _IMPORTED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with contextlib.suppress(ImportError):
        prepare_servers()
    # The forks need not scan, and thereby copy, what is here already.
    gc.collect()
    gc.freeze()
    gc.enable()
    forks.use(socket.socket(fileno=int(sys.argv[1])))
    _carry_out_all()


def prepare_servers() -> None:
    """Do once what every server does when it starts."""
    _read_page()
    _do_once_what_servers_do()


def _read_page() -> None:
    """Read the browser page of the program once for all servers; it is half of their start."""
    from doublecross.cli.settings.load import own_page
    from doublecross.server.shell.page.files import BrowserPage

    read = BrowserPage.read

    @cache
    def read_once(folder: Path, changed_ns: int) -> BrowserPage:
        return read(folder)

    def kept(folder: Path, *, servers: Sequence[str] = ()) -> BrowserPage:
        if servers or not folder.is_dir():
            return read(folder, servers=servers)
        changed_ns = max((each.stat().st_mtime_ns for each in folder.rglob("*")), default=0)
        return read_once(folder, changed_ns)

    BrowserPage.read = kept  # type: ignore[method-assign]
    kept(own_page())


def _read_page_for(environment: Mapping[str, str]) -> None:
    """Read the page that a program will serve here, so that later programs have it too."""
    if folder := environment.get("DOUBLECROSS_PAGE"):
        from doublecross.server.shell.page.files import BrowserPage, PageError

        with contextlib.suppress(PageError):
            BrowserPage.read(Path(folder))


def _do_once_what_servers_do() -> None:
    """Read the options and open a database, which fills caches: half of a server's start."""
    from doublecross.cli.main import main as command
    from doublecross.server.store.sql import SqlStore, database_url

    async def open_one(path: str) -> None:
        await (await SqlStore.open(database_url(path))).close()

    with contextlib.redirect_stdout(StringIO()):
        command(["serve", "--help"])
    with tempfile.TemporaryDirectory(prefix="forking-") as folder:
        asyncio.run(open_one(str(Path(folder, "games.db"))))


def _carry_out_all() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        if "ended" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["ended"], 0)[1])
        else:
            _read_page_for(order["env"])
            answer = os.fork()
            if answer == 0:
                _carry_out(order)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _carry_out(order: dict[str, object]) -> NoReturn:
    """Become the program that `order` describes."""
    if not order["forks"]:
        forks._leave()
    # A program looks for the folder of temporary files itself: the test may have named another one.
    tempfile.tempdir = None
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (2, str(order["stderr"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        (1, str(order["stdout"]), os.O_WRONLY),
    ):
        file = os.open(path, flags)
        os.dup2(file, number)
        os.close(file)
    os.chdir(str(order["cwd"]))
    os.environ.clear()
    os.environ.update(order["env"])  # type: ignore[call-overload]
    sys.argv[:] = ["doublecross", *order["arguments"]]  # type: ignore[misc]
    code: object = 1
    try:
        code = importlib.import_module(str(order["module"])).main()
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as Python's end
        atexit._run_exitfuncs()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
