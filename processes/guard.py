"""Start a program that may misbehave, and leave nothing of it behind.

Theory of operation
-------------------
This file runs as a script between a program and the process that talks to it. The program gets this
process's standard streams, so its lines take no detour. A control socket connects this process with
the one that started it. When the other end of the socket is closed, for whatever reason, this
process sends the program a last line, gives it some time to end, and kills what is left. A byte on
the socket means to kill at once.

The program leads a session of its own. A process that leaves this session becomes a child of this
one when its parent ends, because this process is a subreaper (prctl(2)): so it is found and killed
too. Elsewhere than on Linux only the program's process group is killed.

The argument is a JSON object with the fields of `doublecross.processes.program.Command`, and
``control`` and ``input``, the file descriptors of the socket and of the program's input. The one
answer on the socket is ``{"code": ...}`` or ``{"error": ...}`` in JSON. The file imports little,
because each program needs its own process of it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Never

_KILL_S: Final = 5.0
"""Seconds after which this process gives up killing processes that start new ones."""
_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_PR_SET_CHILD_SUBREAPER: Final = 36


def main(order: dict[str, Any]) -> None:
    """Run the program of `order` until it ends or is no longer needed."""
    control = order["control"]
    for descriptor in (control, order["input"]):
        os.set_inheritable(descriptor, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    problem, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(order, told)
    os.close(told)
    for stream in (0, 1, 2):
        os.close(stream)  # or the end of the program's output would not show
    if error := os.read(problem, 1000):
        os.waitpid(pid, 0)
        _report(control, {"error": error.decode()})
        return
    code = _wait(pid, order)
    _kill_all(pid)
    _report(control, {"code": code})


def _become(order: dict[str, Any], told: int) -> Never:
    """Replace this fork by the program; write why that fails to `told`."""
    try:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if order["folder"]:
            os.chdir(order["folder"])
        if order["memory_mb"]:
            import resource

            size = order["memory_mb"] * 1024 * 1024
            resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        words = order["words"]
        os.execvpe(words[0], words, {**os.environ, **order["environment"]})
    except (OSError, ValueError) as error:
        os.write(told, str(getattr(error, "strerror", None) or error).encode())
    os._exit(127)


def _wait(pid: int, order: dict[str, Any]) -> int | None:
    """Wait until the program has ended or must be killed; return its exit code if it has one."""
    control, pipe = order["control"], order["input"]
    wakeup, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    end = None
    while True:
        if (code := _reap(pid)) is not None:
            return code
        wait_s = None if end is None else end - time.monotonic()
        if wait_s is not None and wait_s <= 0:
            return None
        ready, _, _ = select.select([wakeup] if end else [wakeup, control], [], [], wait_s)
        if wakeup in ready:
            os.read(wakeup, 512)
        if control in ready:
            if os.read(control, 1):
                return None
            end = time.monotonic() + order["patience_s"]
            os.set_blocking(pipe, False)
            _try(os.write, pipe, order["farewell"].encode())
            os.close(pipe)


def _reap(pid: int) -> int | None:
    """Collect the processes that have ended; return the exit code of `pid` if it is one of them."""
    code = None
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == pid:
                code = os.waitstatus_to_exitcode(ended[1])
    except ChildProcessError:
        pass
    return code


def _kill_all(pid: int) -> None:
    """Kill the program's process group, and all that has become a child of this process."""
    end = time.monotonic() + _KILL_S
    _try(os.killpg, pid, signal.SIGKILL)
    while time.monotonic() < end:
        for child in _children():
            _try(os.kill, child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _children() -> list[int]:
    """Return the ids of this process's children; none where the system does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123 - fewer imports
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _report(control: int, answer: dict[str, Any]) -> None:
    _try(os.write, control, json.dumps(answer).encode())


def _try(call: Callable[..., object], *arguments: object) -> None:
    """Make a system call. It may fail because nobody is there any more."""
    try:
        call(*arguments)
    except OSError:
        return


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
