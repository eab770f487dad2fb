"""The scenarios of faults, which the tests run in a short form and the command in a long one."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlsplit

import httpx

from doublecross.protocol.errors import ErrorCode
from tests.chaos.changed_server import set_read_only
from tests.chaos.games import PASSING, DaysRoom, Ledger, Room, players
from tests.chaos.proxy import Harm, Proxy
from tests.chaos.servers import EVERYTHING, ForkedServer, ServerProcess
from tests.e2e.processes import DEADLINE_S

EVERY_S: Final = 0.5
"""The most seconds from the moment when everybody plays again to the next fault."""
PAUSE_S: Final = 0.2
"""The mean time before a move, in seconds."""
LASTS_S: Final = 0.5
"""How long a fault lasts, in seconds."""

SILENCE_S: Final = 2.0
"""How long a client waits for the answer to a ping, behind the proxy."""

HARMS: Final[Mapping[str, Harm]] = {
    "cut": Harm(cut=0.04),
    "vanish": Harm(vanish=0.02, vanish_s=0.2),
    "half open": Harm(half=0.01),
    "delay": Harm(delay=0.5, delay_s=0.05),
    "crumble": Harm(crumble=0.5),
    "throttle": Harm(throttle=0.2, bytes_per_s=20_000.0),
    "repeated frames": Harm(repeat=0.3),
    "repeated bytes": Harm(stutter=0.04),
    "second connection": Harm(again=0.2),
    "everything": Harm(
        cut=0.02,
        vanish=0.01,
        half=0.005,
        delay=0.1,
        crumble=0.1,
        throttle=0.05,
        repeat=0.05,
        refuse=0.2,
        vanish_s=0.2,
        delay_s=0.05,
        bytes_per_s=20_000.0,
    ),
}


@dataclass(frozen=True)
class NetworkResult:
    """What the proxy did, and the ledger after its check."""

    struck: int
    connections: int
    """The connections beyond one for each player."""
    ledger: Ledger


async def network(folder: Path, harm: str, rooms: int, matches: int, rng: Random) -> NetworkResult:
    """Play through the proxy; check that both sides notice each half-open connection."""
    harms = HARMS[harm]
    # Repeated bytes can make another request of a request.
    ledger = Ledger(set(ErrorCode) - {ErrorCode.WRONG_STATE} if harms.stutter else PASSING)
    with ForkedServer(folder, grace_s=600, silence_s=2 * SILENCE_S) as server:
        async with Proxy(server.url, harms, rng) as proxy:
            names = [f"player{number}" for number in range(2 * rooms)]
            async with players(proxy.url, names, rng, SILENCE_S) as found:
                pairs = zip(found[::2], found[1::2], strict=True)
                tables = [
                    Room(pair, ledger, Random(rng.random()), twice=0.1, again=harms.again, back=0.1)
                    for pair in pairs
                ]
                await asyncio.gather(*(table.open() for table in tables))
                await asyncio.gather(*(table.play(matches) for table in tables))
        assert server.end() == 0
    ledger.check(server.database)
    assert not proxy.unnoticed
    struck = proxy.struck.total() + sum(player.replaced for player in found)
    return NetworkResult(struck, proxy.connections - len(found), ledger)


async def faults(
    folder: Path, fault: str, rooms: int, matches: int, times: int, rng: Random
) -> Ledger:
    """Play in many rooms while the fault strikes the server so many times; check the ledger.

    Every second pair plays by days, and looks at its room only to move. Between two faults every
    room plays at least one move. Otherwise a server that is always struck early would leave no time
    in which slow clients can return.
    """
    ledger = Ledger()
    with ForkedServer(folder, "tests.chaos.changed_server", grace_s=600) as server:
        names = [f"player{number}" for number in range(2 * rooms)]
        async with players(server.url, names, rng) as found:
            pairs = zip(found[::2], found[1::2], strict=True)
            tables = [
                DaysRoom(pair, ledger, Random(rng.random()))
                if number % 2
                else Room(pair, ledger, Random(rng.random()), back=0.1)
                for number, pair in enumerate(pairs)
            ]
            await asyncio.gather(*(table.open() for table in tables))
            struck = 0
            playing = asyncio.gather(
                *(table.play(matches, PAUSE_S, lambda: struck == times) for table in tables)
            )
            try:
                while struck < times:
                    await _all_move(tables, playing)
                    await asyncio.sleep(EVERY_S * rng.random())
                    await asyncio.to_thread(FAULTS[fault], server)
                    struck += 1
                await playing
            finally:
                playing.cancel()
        assert server.end() == 0
    ledger.check(server.database)
    return ledger


async def _all_move(tables: list[Room], playing: asyncio.Future[list[None]]) -> None:
    """Wait until every room has one more move, or until a game fails."""
    before = [table.moves for table in tables]
    while any(table.moves == moves for table, moves in zip(tables, before, strict=True)):
        await asyncio.wait({playing}, timeout=0.02)
        if playing.done():
            playing.result()


def kill(server: ServerProcess) -> None:
    """Kill the server without a warning, and start it again."""
    server.end(signal.SIGKILL)
    server.start()


def terminate(server: ServerProcess) -> None:
    """End the server in order, and start it again."""
    assert server.end(signal.SIGTERM) == 0
    server.start()


def stop(server: ServerProcess) -> None:
    """Let the server's process stand still for a while."""
    server.send(signal.SIGSTOP)
    time.sleep(LASTS_S)
    server.send(signal.SIGCONT)


def fill_disk(server: ServerProcess) -> None:
    """Let no file grow for a while, neither the database nor the log."""
    server.let_files_grow(0)
    time.sleep(LASTS_S)
    server.let_files_grow(EVERYTHING)


def lock(server: ServerProcess, seconds: float = LASTS_S) -> None:
    """Let another program hold the lock of the database for a while."""
    with closing(sqlite3.connect(server.database, timeout=30, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        other.execute("ROLLBACK")


def forbid_writing(server: ServerProcess) -> None:
    """Let the database be read-only for a while; the server says so, and notices the end."""
    set_read_only(server.database, True)
    _wait_for_health(server, 503)
    time.sleep(LASTS_S)
    set_read_only(server.database, False)
    _wait_for_health(server, 200)


def _wait_for_health(server: ServerProcess, status: int) -> None:
    until = time.monotonic() + DEADLINE_S
    while (found := httpx.get(f"{server.http}/health", trust_env=False)).status_code != status:
        assert time.monotonic() < until, found.text
        time.sleep(0.02)


def slow_commits(server: ServerProcess) -> None:
    """Let commits wait 50 ms, again and again."""
    for _ in range(10):
        lock(server, 0.05)


def use_up_files(server: ServerProcess) -> None:
    """Let the server have no free file while strangers connect."""
    with ExitStack() as strangers:
        server.allow_files(server.open_files)
        address = urlsplit(server.url)
        for _ in range(20):
            where = (address.hostname or "", address.port or 0)
            strangers.enter_context(closing(socket.create_connection(where)))
        time.sleep(LASTS_S)
    server.allow_files(1024)


READ_ONLY: Final = "read-only database"
FAULTS: Final[Mapping[str, Callable[[ServerProcess], None]]] = {
    "kill": kill,
    "terminate": terminate,
    "stop": stop,
    "full disk": fill_disk,
    "locked database": lock,
    READ_ONLY: forbid_writing,
    "slow commits": slow_commits,
    "no free file": use_up_files,
}
