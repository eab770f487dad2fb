"""Hosts of their own: real addresses, and packets that are lost in one direction."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doublecross.processes import network as module
from doublecross.processes.network import Host, Network, NetworkError, enter
from tests.services.binaries import need_hosts

PORT = 7
LOST_S = 0.05
"""Packets arrive within the call that sends them, so those that do not arrive now are lost."""


@pytest.fixture
def network() -> Iterator[Network]:
    with need_hosts() as made:
        yield made


@pytest.fixture
def hosts(network: Network) -> tuple[Host, Host, Host]:
    return network.add(), network.add(), network.add()


def listening(host: Host) -> socket.socket:
    with enter(host.namespace):
        found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    found.settimeout(LOST_S)
    found.bind(("0.0.0.0", PORT))
    return found


def arrives(source: Host, target: Host) -> bool:
    """Return whether a packet arrives, and check that it says whom it is from."""
    with listening(source) as one, listening(target) as other:
        one.sendto(b"hello", (target.address, PORT))
        try:
            data, sender = other.recvfrom(9)
        except TimeoutError:
            return False
        assert (data, sender) == (b"hello", (source.address, PORT))
        return True


def test_one_direction_is_cut(network: Network, hosts: tuple[Host, Host, Host]) -> None:
    a, b, c = hosts
    assert arrives(a, b)
    network.cut(a, b)
    assert not arrives(a, b)
    assert arrives(b, a)
    assert arrives(a, c)
    assert arrives(c, b)
    network.heal()
    assert arrives(a, b)
    network.cut(None, a)
    assert not arrives(b, a)
    assert not arrives(c, a)
    assert arrives(a, b)
    network.heal()
    network.cut(a, None)
    assert arrives(b, a)
    assert not arrives(a, b)
    assert not arrives(a, c)


def test_both_directions_are_cut(network: Network, hosts: tuple[Host, Host, Host]) -> None:
    a, b, c = hosts
    network.cut_both(a, b)
    assert not arrives(a, b)
    assert not arrives(b, a)
    assert arrives(a, c)
    assert arrives(c, a)
    network.heal()
    network.cut_both(a, None)
    assert not arrives(a, c)
    assert not arrives(c, a)
    assert arrives(b, c)


def test_an_unplugged_host_notices_it(network: Network, hosts: tuple[Host, Host, Host]) -> None:
    a, b, _ = hosts
    network.unplug(a)
    assert not arrives(b, a)
    with pytest.raises(OSError, match="unreachable"):
        arrives(a, b)
    network.plug(a)
    assert arrives(a, b)
    assert arrives(b, a)


def test_addresses_change(network: Network, hosts: tuple[Host, Host, Host]) -> None:
    a, b, c = hosts
    before = Host(a.address, namespace=a.namespace)
    network.move(a)
    assert a.address not in (before.address, b.address, c.address)
    assert arrives(a, b)
    assert arrives(b, a)
    assert not arrives(b, before)
    # Another host takes the address of one that has ended.
    network.unplug(b)
    address = b.address
    network.move(c, b)
    assert c.address == address
    assert arrives(a, c)
    assert arrives(c, a)


def test_programs_run_on_a_host(hosts: tuple[Host, Host, Host]) -> None:
    a, b, _ = hosts
    code = (
        "import os, socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
        f"s.bind(('{a.address}', 0)); s.sendto(str(os.getpid()).encode(), ('{b.address}', {PORT}))"
    )
    with listening(b) as other:
        other.settimeout(20)
        process = subprocess.Popen((*a.words, sys.executable, "-c", code))
        assert process.wait(20) == 0
        data, (sender, _) = other.recvfrom(99)
    assert (int(data), sender) == (process.pid, a.address)


def test_nothing_is_left(network: Network) -> None:
    host = network.add()
    link = Path("/proc/thread-self/ns/net")
    mine = link.readlink()
    with enter(host.namespace):
        assert link.readlink() != mine
    assert link.readlink() == mine
    network.close()
    assert not Path(host.namespace).exists()


def test_a_system_that_forbids_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *arguments: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(module.os, "geteuid", lambda: 1000)
    with pytest.raises(NetworkError, match=r"^Hosts of their own need Linux and root\.$"):
        Network()
    monkeypatch.setattr(module.os, "geteuid", lambda: 0)
    monkeypatch.setattr(module, "_call", refuse)
    with pytest.raises(NetworkError, match=r"hosts of their own: Operation not permitted\.$"):
        Network()
