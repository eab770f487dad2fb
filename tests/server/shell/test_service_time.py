"""The service time of a real event loop, on a machine's clock that the test moves on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from doublecross.server.core.rooms.clock import LIMIT_MS
from doublecross.server.core.storage import Batch
from doublecross.server.shell.journal.transactions import JournalWriter
from doublecross.server.shell.upkeep import service_time
from doublecross.server.shell.upkeep.service_time import ServiceTime
from tests.fakes.store import FakeStore
from tests.protocol.wire import WireClient
from tests.server.shell.test_restart import start


class MachineTime:
    """The machine's clocks."""

    def __init__(self) -> None:
        self.ns = 5_000_000_000

    def monotonic_ns(self) -> int:
        return self.ns

    def time_ns(self) -> int:
        return 1_700_000_000_000_000_000 + self.ns

    def later(self, ms: int) -> None:
        self.ns += ms * 1_000_000


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> MachineTime:
    machine = MachineTime()
    monkeypatch.setattr(service_time, "time", machine)
    monkeypatch.setattr(service_time, "BEAT_S", 0.0)
    return machine


@pytest.fixture
async def service(machine: MachineTime) -> AsyncIterator[ServiceTime]:
    service = ServiceTime()
    task = asyncio.ensure_future(service.run())
    await turns(4)
    yield service
    task.cancel()


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_what_arrived_during_a_stall_is_read_before_time_goes_on(
    machine: MachineTime, service: ServiceTime
) -> None:
    before = service.now()
    machine.later(10_000)
    seen: list[int] = []
    loop = asyncio.get_running_loop()

    def found_readable() -> None:
        machine.later(20)
        loop.call_soon(read)

    def read() -> None:
        seen.append(service.now())

    # A message is read in the turn after the one in which its socket is found to be readable.
    loop.call_soon(found_readable)
    assert service.is_stalled()
    assert service.now() == before + LIMIT_MS
    await turns(8)
    assert seen == [before + LIMIT_MS]
    assert not service.is_stalled()
    assert service.spared_ms() == 10_020 - LIMIT_MS
    machine.later(30)
    assert service.now() == before + LIMIT_MS + 30


async def test_the_start_of_the_server_is_no_stall(machine: MachineTime) -> None:
    service = ServiceTime()
    machine.later(3000)
    task = asyncio.ensure_future(service.run())
    await turns(4)
    assert service.spared_ms() == 0
    machine.later(1000)
    await turns(4)
    assert service.spared_ms() == 1000 - LIMIT_MS
    task.cancel()


async def test_a_slow_commit_stops_the_time(machine: MachineTime, service: ServiceTime) -> None:
    before = service.now()
    service.commit_began(machine)
    for _ in range(100):
        machine.later(20)
        await turns(2)
    assert service.now() == before + LIMIT_MS
    service.commit_ended(machine)
    machine.later(20)
    assert service.now() == before + LIMIT_MS + 20


async def test_a_stalled_server_still_drops_peers_that_do_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a server that is always late would keep what they do not read for ever."""
    server = await start(tmp_path, FakeStore())
    ann = await WireClient.player(server, "Ann")
    monkeypatch.setattr(server.service, "is_stalled", lambda: True)
    patience = replace(server.connections._patience, write_buffer=-1)
    monkeypatch.setattr(server.connections, "_patience", patience)
    server._sweep()
    assert await ann.closed_with() is None
    await server.stop()


async def test_a_stall_makes_no_peer_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start(tmp_path, FakeStore(), silence_s=0.001)
    await WireClient.player(server, "Ann")
    (peer,) = server.connections.peers
    monkeypatch.setattr(server.service, "is_stalled", lambda: True)
    peer.last_message_s -= 100
    server._sweep()
    assert not peer.is_closing
    monkeypatch.undo()
    peer.last_message_s -= 100
    server._sweep()
    assert peer.is_closing
    await server.stop()


class Told:
    """Note what the service clock is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def commit_began(self, _: int) -> None:
        self.told.append("began")

    def commit_ended(self, _: int) -> None:
        self.told.append("ended")

    def storage_works(self, _: int, works: bool) -> None:
        self.told.append("works" if works else "fails")

    def take(self) -> list[str]:
        told, self.told = self.told, []
        return told


def test_the_oldest_commit_of_several_counts_and_any_failure() -> None:
    service, clock = ServiceTime(), Told()
    service._clock = clock  # type: ignore[assignment]
    service.commit_began("one")
    service.commit_began("two")
    service.commit_ended("two")
    assert clock.take() == ["began"]
    service.commit_began("two")
    service.commit_ended("one")
    assert clock.take() == ["ended", "began"]
    service.commit_ended("two")
    assert clock.take() == ["ended"]
    service.storage_works("one", False)
    service.storage_works("two", False)
    service.storage_works("one", True)
    assert clock.take() == ["fails"]


async def test_a_committer_without_its_journal_does_not_stop_the_time() -> None:
    service, clock = ServiceTime(), Told()
    service._clock = clock  # type: ignore[assignment]
    store = FakeStore()
    store.hold()
    writer = JournalWriter(store, 0, lambda: 0, service)
    writer._fails(RuntimeError("no disk"))
    committing = asyncio.ensure_future(writer.commit([b""], Batch(None)))
    await asyncio.sleep(0)
    assert clock.take() == ["fails", "began"]
    writer.unwatch()
    assert clock.take() == ["ended", "works"]
    writer._fails(RuntimeError("no disk"))
    committing.cancel()
    await asyncio.gather(committing, return_exceptions=True)
    assert clock.take() == []
