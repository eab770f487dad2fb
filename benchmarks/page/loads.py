"""Measure what visitors of the page cost those who play: `python -m benchmarks.page.loads`.

A server runs in a process of its own. Twenty pairs play through it at a steady pace: first
undisturbed, then while visitors load the document, then while visitors load all that a first visit
needs, and at the end undisturbed again. The figure is the time from a move to its answer. The
visitors are another process, at the lowest priority: in reality they have machines of their own.
Each load is due at a moment that does not depend on the server.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import typer
import uvloop

from benchmarks import command, machine
from benchmarks.figures import Figure
from benchmarks.page.playing import beside
from benchmarks.processes import ROOT, BenchmarkError
from tests.chaos.attacks import step_back
from tests.chaos.floods import Pairs

AT_ONCE: Final = 200
"""The most loads at once. A server that is too slow thus gets fewer than planned."""
SOCKETS: Final = 6
"""How many connections a browser opens to one address."""
BROWSER: Final = "Accept: text/html,*/*\r\nAccept-Encoding: gzip, deflate, br\r\nUser-Agent: x\r\n"
_ADDRESS: Final = re.compile(r'(?:href|src)="\.(/web/[^"]+)"')


def run(
    rate: Annotated[int, typer.Option(help="Loads of the document a second.")] = 1000,
    visits: Annotated[int, typer.Option(help="Whole first visits a second.")] = 20,
    seconds: Annotated[float, typer.Option(help="Seconds of each part.")] = 20.0,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the time of moves while visitors load the page."""
    command.measure(
        "page-loads",
        ["loads"],
        lambda _: asyncio.run(measure(rate, visits, seconds)),
        machine.describe(None, ("websockets", "uvicorn", "uvloop")),
        lines,
        out,
        markdown,
    )


async def measure(rate: int, visits: int, seconds: float) -> dict[str, Any]:
    """Return the times of moves, in seconds, and what the visitors got, for each part."""
    parts: dict[str, dict[str, Any] | None] = {
        "before": None,
        "documents": {"rate": rate, "whole": False},
        "visits": {"rate": visits, "whole": True},
        "after": None,
    }
    found: dict[str, Any] = {}
    playing = Pairs()
    async with beside(playing, files_per_minute=10**9) as server:
        await asyncio.sleep(1.0)
        for name, load in parts.items():
            playing.take()
            began_s, cpu_s = time.monotonic(), _cpu_s(server.pid)
            if load is None:
                await asyncio.sleep(seconds)
                got: dict[str, Any] = {}
            else:
                got = await _visitors(server.http, seconds, **load)
            took_s = time.monotonic() - began_s
            found[name] = {
                **_times(playing.take()),
                "busy": (_cpu_s(server.pid) - cpu_s) / took_s,
                **got,
            }
    return found


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the table."""
    parts = results["loads"]
    calm_s = min(parts["before"]["p99"], parts["after"]["p99"])
    table = []
    for name, part in parts.items():
        table.append(Figure(f"{name}: a move, p50", f"{part['p50'] * 1000:.2f} ms"))
        target = {"documents": "under twice undisturbed", "visits": "under twice undisturbed"}
        table.append(
            Figure(
                f"{name}: p99",
                f"{part['p99'] * 1000:.2f} ms",
                target.get(name, ""),
                part["p99"] < 2 * calm_s if name in target else None,
            )
        )
        table.append(Figure(f"{name}: server busy", f"{part['busy']:.0%}"))
        if "done" in part:
            kind = "loads" if name == "documents" else "visits"
            rate = f"{part['done'] / part['seconds']:,.0f}, failed {part['failed']}"
            table.append(Figure(f"{name}: {kind} a second", rate, f"{part['rate']:,}"))
            table.append(Figure(f"{name}: KB each", f"{part['bytes'] / part['done'] / 1000:.1f}"))
    return table


async def _visitors(http: str, seconds: float, *, rate: int, whole: bool) -> dict[str, Any]:
    """Load pages from a process of its own; return what it got."""
    order = json.dumps({"http": http, "seconds": seconds, "rate": rate, "whole": whole})
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.page.loads", order),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    told, _ = await child.communicate()
    if child.returncode:
        raise BenchmarkError("The visitors could not load the page.")
    return {"rate": rate, **json.loads(told)}


async def visit(http: str, seconds: float, rate: int, whole: bool) -> dict[str, Any]:
    """Load the page `rate` times a second."""
    where = urlsplit(http)
    host, port = str(where.hostname), int(where.port or 80)
    counts: Counter[str] = Counter()
    slots = asyncio.Semaphore(AT_ONCE)
    tasks: set[asyncio.Task[None]] = set()
    began = asyncio.get_running_loop().time()

    async def one() -> None:
        try:
            async with asyncio.timeout(20):
                size = await (_whole if whole else _document)(host, port)
            counts["bytes"] += size
            counts["done"] += 1
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
            counts["failed"] += 1
        finally:
            slots.release()

    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - asyncio.get_running_loop().time()))
        if asyncio.get_running_loop().time() - began > seconds:
            break
        await slots.acquire()
        task = asyncio.create_task(one())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    took = asyncio.get_running_loop().time() - began
    return {"seconds": took, **{key: counts[key] for key in ("done", "failed", "bytes")}}


async def _document(host: str, port: int) -> int:
    """Load the document on a connection of its own; return the bytes received."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(_request("/", "close"))
        answer = await reader.read(1 << 20)
        while more := await reader.read(1 << 20):
            answer += more
    finally:
        writer.transport.abort()
    if not answer.startswith(b"HTTP/1.1 200"):
        raise ValueError(answer[:40])
    return len(answer)


async def _whole(host: str, port: int) -> int:
    """Load the document and all files that it names, as a browser with an empty cache does."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(_request("/", "keep-alive", "Accept: text/html\r\n"))
        body, size = await _answer(reader)
        files = sorted(set(_ADDRESS.findall(body.decode())))

        async def some(paths: list[str], streams: Any = None) -> int:
            took = 0
            ours, theirs = streams or await asyncio.open_connection(host, port)
            try:
                for path in paths:
                    theirs.write(_request(path, "keep-alive"))
                    took += (await _answer(ours))[1]
            finally:
                theirs.transport.abort()
            return took

        loads = [some(files[::SOCKETS], (reader, writer))]
        loads += [some(files[start::SOCKETS]) for start in range(1, SOCKETS)]
        return size + sum(await asyncio.gather(*loads))
    finally:
        writer.transport.abort()


async def _answer(reader: asyncio.StreamReader) -> tuple[bytes, int]:
    """Read an answer; return its body, and how many bytes it had."""
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head)
    if found is None:
        raise ValueError(head)
    body = await reader.readexactly(int(found[1]))
    return body, len(head) + len(body)


def _request(path: str, connection: str, accept: str = BROWSER) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{accept}Connection: {connection}\r\n\r\n".encode()


def _times(times: list[float]) -> dict[str, float]:
    return {
        "moves": len(times),
        "p50": times[len(times) // 2],
        "p99": times[int(len(times) * 0.99)],
        "most": times[-1],
    }


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].startswith("{"):
        step_back()
        sys.stdout.write(json.dumps(uvloop.run(visit(**json.loads(sys.argv[1])))))
    else:
        typer.run(run)
