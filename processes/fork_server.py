"""The fork server: imports modules, and forks for each request (see `doublecross.processes.forks`).

Theory of operation
-------------------
The process has one thread and no event loop, because only the thread that forks exists in the
fork. It imports one module between two looks at its sockets. An order for a module that is still
to be imported waits, so that its process shares the memory.

Each fork leads a process group, as `doublecross.processes.child` promises. A fork gets only its own
control socket and streams, so the others see at once when one of them ends. If the one who asked
for an expendable process ends before it, the fork server kills that process.

The fork server ends when the process that started it and all forks have ended. It ignores the
signals that end all processes of a session: the forks must have time to end in order.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any, Final

from doublecross.processes import boot
from doublecross.processes.forks import use
from doublecross.processes.system import die_with, kill_group, set_name

_ORDER_S: Final = 5.0
"""Seconds in which an order must arrive after its request."""


@dataclass(eq=False, slots=True)
class _Request:
    """A requested process, before and after its start (`pid` is 0 before)."""

    lifeline: socket.socket
    streams: list[int]
    order: dict[str, Any]
    pid: int = 0

    def answer(self, **answer: object) -> None:
        with contextlib.suppress(OSError):  # nobody waits for it any more
            self.lifeline.sendall(json.dumps(answer).encode() + b"\n")

    def close_streams(self) -> None:
        for stream in self.streams:
            os.close(stream)
        self.streams.clear()


class ForkServer:
    """Serves the requests of the control sockets; `first` and `later` as in `forks.serving`."""

    def __init__(self, control: socket.socket, first: list[str], later: list[str]) -> None:
        self._imports = first
        self._later = later
        self._waiting: list[_Request] = []
        self._running: dict[int, _Request] = {}
        # Not epoll, whose file would be shared with the forks.
        self._selector = selectors.PollSelector()
        self._selector.register(control, selectors.EVENT_READ, self._take)
        self._woken, waking = socket.socketpair()
        for end in (self._woken, waking):
            end.setblocking(False)
        signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(self._woken, selectors.EVENT_READ, self._reap)
        self._controls = 1
        self._kept = (waking,)

    def run(self) -> dict[str, Any] | None:
        """Serve; return the order in each forked process, and None at the end."""
        while self._controls or self._running:
            busy = bool(self._imports or self._waiting)
            for key, _ in self._selector.select(0 if busy else None):
                # The one before may have closed this one.
                if key.fileobj.fileno() >= 0:  # type: ignore[union-attr]
                    key.data(key.fileobj)
            for request in tuple(self._waiting):
                if request.order["module"] not in self._imports:
                    self._waiting.remove(request)
                    if self._fork(request):
                        return request.order
            if self._imports:
                # Nearly nothing that imports make is garbage; to look for it takes a sixth of them.
                gc.disable()
                _import(self._imports.pop(0))
                gc.enable()
        return None

    def _take(self, control: socket.socket) -> None:
        """Receive a request, or the end of the process at the other end."""
        try:
            packet, fds, _, _ = socket.recv_fds(control, 16, 4)
        except ConnectionError:
            packet = b""
        if not packet:
            self._selector.unregister(control)
            control.close()
            self._controls -= 1
            return
        lifeline = socket.socket(fileno=fds[0])
        lifeline.settimeout(_ORDER_S)
        try:
            with lifeline.makefile("rb") as lines:
                order = json.loads(lines.readline())
        except (OSError, ValueError):  # it has ended meanwhile
            lifeline.close()
            for fd in fds[1:]:
                os.close(fd)
            return
        self._waiting.append(_Request(lifeline, fds[1:], order))
        self._imports += self._later
        self._later = []

    def _fork(self, request: _Request) -> bool:
        """Start the process of `request`; return True in that process."""
        # The garbage collector writes into what it looks at, which would copy shared memory.
        gc.freeze()
        server = os.getpid()
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            pid = os.fork()
        except OSError as error:
            request.answer(errno=error.errno, error=error.strerror)
            request.close_streams()
            request.lifeline.close()
            return False
        if pid == 0:
            os.setpgid(0, 0)
            ours.close()
            self._become(request, server)
            use(theirs)
            return True
        # Here too, because the group may be killed as soon as its number is known.
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        theirs.close()
        request.close_streams()
        request.pid = pid
        self._running[pid] = request
        self._selector.register(ours, selectors.EVENT_READ, self._take)
        self._controls += 1
        self._selector.register(request.lifeline, selectors.EVENT_READ, self._abandon)
        request.answer(pid=pid)
        return False

    def _become(self, request: _Request, server: int) -> None:
        """Turn this fork into what a fresh process would be."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for fd, stream in enumerate(request.streams):
            os.dup2(stream, fd)
        request.close_streams()
        request.lifeline.close()
        for key in tuple(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        for other in (*self._kept, *(waiting.lifeline for waiting in self._waiting)):
            other.close()
        for waiting in self._waiting:
            waiting.close_streams()
        order = request.order
        os.environ.clear()
        os.environ.update(order["environment"])
        os.nice(max(0, order["niceness"] - os.nice(0)))
        if order["folder"] is not None:
            with contextlib.suppress(OSError):  # deleted since; a fresh process could not use it
                os.chdir(order["folder"])
        die_with(server)
        # The command line stays that of the fork server.
        set_name(order["module"])
        order["parent"] = server

    def _abandon(self, lifeline: socket.socket) -> None:
        """Handle the end of the process that asked for another one."""
        self._selector.unregister(lifeline)
        for request in self._running.values():
            if request.lifeline is lifeline and request.order["expendable"]:
                kill_group(request.pid)
        lifeline.close()

    def _reap(self, woken: socket.socket) -> None:
        """Report the forks that have ended."""
        with contextlib.suppress(BlockingIOError):
            woken.recv(4096)
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            request = self._running.pop(pid, None)
            if request is None:
                continue  # some module has started it
            request.answer(code=os.waitstatus_to_exitcode(status))
            if request.lifeline.fileno() >= 0:
                self._selector.unregister(request.lifeline)
                request.lifeline.close()


def _import(entry: str) -> None:
    """Import ``module``, and call the function of an entry ``module:function``."""
    name, _, function = entry.partition(":")
    # A module that cannot be imported fails again in the process that needs it, which reports it.
    with contextlib.suppress(Exception):
        module = importlib.import_module(name)
        if function:
            getattr(module, function)()


def main() -> int:
    """Serve until the process that started this one ends; run each order in a fork."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    first, later = json.loads(sys.argv[1])
    order = ForkServer(control, first, later).run()
    if order is not None:
        boot.main(order)
    return 0
