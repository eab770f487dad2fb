"""Hosts on this machine that have addresses of their own, and connections that can be cut.

Theory of operation
-------------------
Each host is a network namespace of Linux with one interface. A router in a namespace of its own
connects them, and the machine's own network takes no part. A cut is a rule of the router, which
drops the packets that come from one host and are for another one: the sender notices nothing, and
the other direction is not affected.

The namespaces have no names that others see, and two networks do not collide. This process holds
file descriptors of them. When it and the programs on the hosts have ended, in any way, the kernel
removes everything.

It takes root, `ip` (Debian's iproute2) and `nsenter` (util-linux).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

NET: Final = "10.77.0.0/24"
"""All addresses."""
_ROUTER: Final = "10.77.0.1"
_CLONE_NEWNET: Final = 0x40000000  # setns(2)
_PATIENCE_S: Final = 10.0


class NetworkError(Exception):
    """The system does not let us make hosts; the text is one sentence."""


@dataclass(eq=False)
class Host:
    """A place for programs. `words` before those of a command let it run there."""

    address: str
    words: Sequence[str] = ()
    namespace: str = ""
    """The path for `enter`."""
    _link: str = ""
    """Its interface at the router."""


HERE: Final = Host("127.0.0.1")
"""This machine."""


class Network:
    """Hosts and a router between them. Use it as a context; leave it when all programs have ended.

    Raises:
        NetworkError: the system does not let us make it.
    """

    def __init__(self) -> None:
        self._namespaces: list[int] = []
        self._cuts: list[str] = []
        self._used = 1
        """The last number of the last address."""
        check_system()
        try:
            self._router = self._make()
            _ip(self._router, "link set lo up", f"addr add {_ROUTER}/32 dev lo")
            with enter(self._router):
                Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        except OSError as error:
            self.close()
            raise NetworkError(
                f"This system does not let us make hosts of their own: {error.strerror or error}."
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the kernel remove all hosts on which no program runs."""
        for namespace in self._namespaces:
            os.close(namespace)
        self._namespaces.clear()

    def add(self) -> Host:
        """Make a host.

        Raises:
            OSError: the system has no room for it.
        """
        path, address = self._make(), self._new_address()
        host = Host(address, ("nsenter", f"--net={path}"), path, f"host{self._used}")
        _ip(
            self._router,
            f"link add {host._link} type veth peer name eth0 netns {path}",
            f"link set {host._link} up",
            f"route add {address}/32 dev {host._link}",
        )
        _ip(path, "link set lo up", f"addr add {address}/32 dev eth0")
        self.plug(host)
        return host

    def cut(self, source: Host | None, target: Host | None) -> None:
        """Lose all packets from a host to another one, until `heal`. None stands for all hosts."""
        words = ["pref 10"]
        if source is not None:
            words.append(f"iif {source._link}")
        if target is not None:
            words.append(f"to {target.address}")
        rule = f"{' '.join(words)} blackhole"
        _ip(self._router, f"rule add {rule}")
        self._cuts.append(rule)

    def cut_both(self, one: Host, other: Host | None) -> None:
        """Lose all packets between two hosts, or between one and all others."""
        self.cut(one, other)
        self.cut(other, one)

    def heal(self) -> None:
        """End all cuts."""
        _ip(self._router, *(f"rule del {rule}" for rule in self._cuts))
        self._cuts.clear()

    def unplug(self, host: Host) -> None:
        """Take the link of a host down, which its programs notice as errors."""
        _ip(host.namespace, "link set eth0 down")

    def plug(self, host: Host) -> None:
        """Take the link of a host up."""
        _ip(
            host.namespace,
            "link set eth0 up",
            f"route replace {_ROUTER} dev eth0 src {host.address}",
            f"route replace default via {_ROUTER} src {host.address}",
        )

    def move(self, host: Host, to: Host | None = None) -> None:
        """Give a host a new address in place of its own, or that of a host that has ended."""
        old = host.address
        if to is None:
            host.address = self._new_address()
        else:
            host.address = to.address
            _ip(to.namespace, f"addr del {to.address}/32 dev eth0")
        _ip(host.namespace, f"addr add {host.address}/32 dev eth0")
        self.plug(host)
        _ip(host.namespace, f"addr del {old}/32 dev eth0")
        _ip(
            self._router,
            f"route del {old}/32",
            f"route replace {host.address}/32 dev {host._link}",
        )

    def _make(self) -> str:
        """Make a namespace, and return its path."""
        with enter(None):
            namespace = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self._namespaces.append(namespace)
        return f"/proc/{os.getpid()}/fd/{namespace}"

    def _new_address(self) -> str:
        self._used += 1
        if self._used > 254:
            raise OSError("All addresses were used.")
        return f"10.77.0.{self._used}"


def check_system() -> None:
    """Check what everybody knows beforehand.

    Raises:
        NetworkError: this is another system than Linux, or another user than root.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        raise NetworkError("Hosts of their own need Linux and root.")


@contextlib.contextmanager
def enter(namespace: str | None) -> Iterator[None]:
    """Let this thread, and all that it starts, be in the network of a host; None makes a new one.

    Sockets stay in the network in which they were made.

    Raises:
        OSError: the system does not allow it.
    """
    back = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        join(namespace)
        try:
            yield
        finally:
            _call("setns", back, _CLONE_NEWNET)
    finally:
        os.close(back)


def join(namespace: str | None) -> None:
    """Put this thread, and all that it starts, into the network of a host; None makes a new one.

    Raises:
        OSError: the system does not allow it.
    """
    if namespace is None:
        _call("unshare", _CLONE_NEWNET)
        return
    file = os.open(namespace, os.O_RDONLY)
    try:
        _call("setns", file, _CLONE_NEWNET)
    finally:
        os.close(file)


def _call(name: str, *arguments: int) -> None:
    # The module os has both only since Python 3.12.
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _ip(namespace: str, *commands: str) -> None:
    """Run commands of `ip` in the network of a host."""
    with enter(namespace):
        done = subprocess.run(
            ("ip", "-batch", "-"),
            input="".join(f"{command}\n" for command in commands),
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
        )
    if done.returncode != 0:
        raise OSError(f"ip {'; '.join(commands)}: {done.stderr.strip()}")
