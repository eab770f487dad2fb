"""Measure what a batch between two nodes costs: `python -m benchmarks links`.

One process sends batches to another over a NATS server, and each has its own CPU clock. The
figures are CPU, that of the kernel included, for each batch at the sender, the receiver and the
NATS server. The sender's turns of the event loop cost something even when nothing is sent; a run
without batches measures that, and it is subtracted. `library` does the same with `publish` and a
callback of nats-py.

`gathered` lets the batches of a millisecond leave together.
Paced batches leave in groups every millisecond, as on a server under load. Others leave as fast as
the receiver takes them, in one turn of the event loop each.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import nats.aio.client
import nats.aio.msg
import psutil
import structlog
import typer
import uvloop
from rich.console import Console

from benchmarks import command, machine
from benchmarks.figures import Figure, spread
from benchmarks.processes import ROOT, BenchmarkError, Process
from benchmarks.server.meter import cpu_s, median
from doublecross.server.cluster.links import hub as hub_file
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.hub import Hub

ITEM_BYTES: Final = 150
SIZES: Final = (1, 5, 50)
PACES: Final = {"5,000 batches/s": 5, "as fast as possible": 0}
"""How many batches leave every millisecond; 0: as many as the receiver takes."""
KINDS: Final = ("links", "gathered", "library")
PLACES: Final = ("sender", "receiver", "nats")
LIBRARIES: Final = ("nats-py", "uvloop", "msgpack")
WANTED_US: Final = 6.5
_WINDOW: Final = 500
"""The most batches under way."""
_ANSWER_EVERY: Final = 500
"""After how many items the receiver says how many it has."""
_PATIENCE_S: Final = 60.0


def run(
    rounds: Annotated[int, typer.Option(min=1, help="Number of alternating rounds.")] = 5,
    batches: Annotated[int, typer.Option(min=1000, help="Batches of each measurement.")] = 20_000,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the CPU of batches between two nodes over NATS."""
    if quick:
        rounds, batches = min(rounds, 2), min(batches, 5000)
    say = Console(stderr=True).print

    def part(pace: str) -> dict[str, Any]:
        rows: dict[str, list[dict[str, float]]] = {}
        with nats_server() as (url, pid):
            for _ in range(rounds):
                for size in SIZES:
                    for kind in KINDS:
                        row = one(kind, url, pid, size, batches, PACES[pace])
                        rows.setdefault(f"{kind}, {size}", []).append(row)
                        parts = ", ".join(f"{place} {us:.1f}" for place, us in row.items())
                        say(f"{pace}, {kind}, {size} items: {parts} us")
        return rows

    described = machine.describe(None, LIBRARIES)
    command.measure("links", list(PACES), part, described, lines, Path(out), markdown)


@contextmanager
def nats_server() -> Iterator[tuple[str, int]]:
    """Run a NATS server; give its URL and process id.

    Raises:
        BenchmarkError: there is none, or it does not start.
    """
    program = shutil.which("nats-server", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if program is None:
        raise BenchmarkError("This needs nats-server (on Debian: apt-get install nats-server).")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    child = subprocess.Popen(
        (program, "--addr", "127.0.0.1", "--port", str(port)), stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise BenchmarkError("nats-server does not start.") from None
                time.sleep(0.02)
        yield f"nats://127.0.0.1:{port}", child.pid
    finally:
        child.kill()
        child.wait()


def one(kind: str, url: str, nats_pid: int, size: int, batches: int, pace: int) -> dict[str, float]:
    """Return microseconds of CPU for each batch, by the place; `kernel` is a part of the nodes'."""
    with ExitStack() as stack:
        receiver = stack.enter_context(Process("benchmarks.links", kind, "receiver", url))
        receiver.read()
        sender = stack.enter_context(Process("benchmarks.links", kind, "sender", url))
        sender.read()
        pids = {"sender": sender.pid, "receiver": receiver.pid, "nats": nats_pid}

        def used(do: str) -> dict[str, float]:
            before = {place: cpu_s(pid) for place, pid in pids.items()}
            sender.ask(do, size=size, batches=batches, pace=pace)
            return {place: cpu_s(pid) - before[place] for place, pid in pids.items()}

        used("send")  # caches and buffers become warm
        idle = used("wait")
        kernel = _kernel_s(pids)
        sent = used("send")
        row = {place: 1e6 * (sent[place] - idle[place]) / batches for place in PLACES}
        both = 1e6 * (_kernel_s(pids) - kernel) / batches
    return row | {"kernel": both}


def _kernel_s(pids: Mapping[str, int]) -> float:
    """Return the seconds that both nodes have spent in the kernel."""
    return sum(psutil.Process(pids[place]).cpu_times().system for place in ("sender", "receiver"))


# -- the processes ------------------------------------------------------------------------------


class Ways:
    """How a child sends a batch, and what it has received."""

    def __init__(self) -> None:
        self.answered = 0
        self.news = asyncio.Event()
        self.received = 0
        self.send: Callable[[list[bytes]], Any]

    def answer(self, data: bytes) -> None:
        """Take the receiver's count."""
        self.answered = int(data)
        self.news.set()


async def links(role: str, url: str, gather_s: float) -> Ways:
    """Connect a hub."""
    hub_file.GATHER_S = gather_s  # type: ignore[misc]
    ways = Ways()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    hub = Hub(Access((url,)), "bench", role)
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    hub.on_up.append(up.set_result)

    def count(run: str, items: list[bytes]) -> None:
        before = ways.received // _ANSWER_EVERY
        ways.received += len(items)
        if ways.received // _ANSWER_EVERY > before:
            hub.send(run, b"%d" % ways.received)

    hub.on_items.append(count if role == "receiver" else lambda _, items: ways.answer(items[-1]))
    await hub.open()
    if role == "sender":
        hub.keep({"receiver"})
        async with asyncio.timeout(_PATIENCE_S):
            await up

        def send(items: list[bytes]) -> None:
            for item in items:
                hub.send("receiver", item)

        ways.send = send
    return ways


async def at_once(role: str, url: str) -> Ways:
    """Connect a hub whose batches do not wait for others."""
    return await links(role, url, 0.0)


async def gathered(role: str, url: str) -> Ways:
    """Connect a hub that gathers batches for a millisecond."""
    return await links(role, url, 0.001)


async def library(role: str, url: str) -> Ways:
    """Connect with nats-py alone, which publishes the joined items."""
    ways = Ways()
    client = nats.aio.client.Client()
    await client.connect(url)
    if role == "sender":

        async def note(message: nats.aio.msg.Msg) -> None:
            ways.answer(message.data)

        await client.subscribe("bench.back", cb=note)
        sent = 0

        async def publish(items: list[bytes]) -> None:
            nonlocal sent
            sent += len(items)
            await client.publish("bench.to", b"%12d" % sent + b"".join(items))

        ways.send = publish
    else:

        async def count(message: nats.aio.msg.Msg) -> None:
            before = ways.received // _ANSWER_EVERY
            ways.received = int(message.data[:12])
            if ways.received // _ANSWER_EVERY > before:
                await client.publish("bench.back", b"%d" % ways.received)

        await client.subscribe("bench.to", cb=count)
    await client.flush()
    return ways


async def child(kind: str, role: str, url: str) -> None:
    """Do what the parent asks, until it ends this process."""
    ways = await {"links": at_once, "gathered": gathered, "library": library}[kind](role, url)
    print(json.dumps({"ready": role}), flush=True)
    loop = asyncio.get_running_loop()
    sent = 0
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        if not line:
            return
        order = json.loads(line)
        count = order["batches"]
        send = ways.send if order["do"] == "send" else _nothing
        await _send(ways, send, [b"x" * ITEM_BYTES] * order["size"], count, order["pace"], sent)
        if send is ways.send:
            sent += count * order["size"]
        print(json.dumps({"sent": sent}), flush=True)


def _nothing(_: list[bytes]) -> None:
    """Send nothing."""


async def _send(
    ways: Ways,
    send: Callable[[list[bytes]], Any],
    items: list[bytes],
    batches: int,
    pace: int,
    sent: int,
) -> None:
    """Send the items so many times, each in a turn of its own; `sent` items were sent before."""
    loop = asyncio.get_running_loop()
    window = max(_WINDOW * len(items), 2 * _ANSWER_EVERY)
    due = loop.time()
    async with asyncio.timeout(_PATIENCE_S):
        for number in range(batches):
            if pace and number % pace == 0:
                due += 0.001
                await asyncio.sleep(max(0.0, due - loop.time()))
            waits = send(items)
            if waits is not None:
                await waits
            await asyncio.sleep(0)
            while send is not _nothing and sent + number * len(items) - ways.answered > window:
                ways.news.clear()
                await ways.news.wait()
        last = (sent + batches * len(items)) // _ANSWER_EVERY * _ANSWER_EVERY
        while send is not _nothing and ways.answered < last:
            ways.news.clear()
            await ways.news.wait()


# -- the figures --------------------------------------------------------------------------------


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of what was measured."""
    found: list[Figure] = []
    for pace, rows in results.items():
        if pace in ("at", "machine"):
            continue
        for name, measured in rows.items():
            kind, _, size = name.partition(", ")
            nodes = [row["sender"] + row["receiver"] for row in measured]
            wanted = kind == "links" and size == "1" and not PACES.get(pace)
            target = f"at most {WANTED_US} us" if wanted else ""
            met = median(nodes) <= WANTED_US if wanted else None
            what = f"{pace}, {kind}: batch of {size} at both nodes"
            found.append(Figure(what, _spread(nodes), target, met))
            places = (*PLACES, "kernel")
            parts = (f"{place} {median(row[place] for row in measured):.1f}" for place in places)
            found.append(
                Figure("by place, and in the kernel for the nodes", f"{', '.join(parts)} us")
            )
    return found


def _spread(values: list[float]) -> str:
    figure = {"median": median(values), "least": min(values), "most": max(values)}
    return spread(figure, "us", 1)


if __name__ == "__main__":
    uvloop.run(child(*sys.argv[1:4]))
