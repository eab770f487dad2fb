"""Measure what logins cost: the processor time of the event loop, and of the whole server.

`python -m benchmarks.logins` starts a server in a process of its own, gives a player a password,
and logs in again and again: by password over HTTP, each login in a connection of its own, and by
token over a websocket. The time of the event loop is that of the server's first thread
(`/proc/PID/task/PID/schedstat`), less what an idle server uses; other threads hash passwords.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from websockets.asyncio.client import connect

from benchmarks import command, figures
from benchmarks.command import Markdown, Out
from benchmarks.machine import describe
from benchmarks.server.processes import Subject

PASSWORD = "blue lamp seven rivers"
NAMES = {
    "password": "login by password",
    "token": "websocket and hello with a token",
    "no hello": "websocket without a hello",
}
ROUNDS = 8
PEOPLE = 6
IDLE_S = 1.0
MOST_MS = 1.0


def used_ms(pid: int, *, whole: bool) -> float:
    """Return the processor time of a process, or of its first thread alone, in milliseconds."""
    threads = Path(f"/proc/{pid}/task").iterdir() if whole else [Path(f"/proc/{pid}/task/{pid}")]
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def _post(url: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    asked = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


async def _hello(url: str, **fields: Any) -> str:
    hello = {"type": "hello", "id": 1, "protocol": 2, "kind": "human", **fields}
    async with connect(url, subprotocols=["doublecross.v1.json"]) as ws:  # type: ignore[list-item]
        await ws.send(json.dumps(hello))
        token: str = json.loads(await ws.recv())["token"]
        return token


async def _handshake(url: str) -> None:
    async with connect(url, subprotocols=["doublecross.v1.json"]):  # type: ignore[list-item]
        pass


class Meter:
    """Count the processor time of a server, without what it uses while nobody does anything."""

    def __init__(self, server: Subject) -> None:
        self._pid = server.pid
        loop, whole = self._used()
        time.sleep(IDLE_S)
        now = self._used()
        self._idle = (now[0] - loop) / IDLE_S, (now[1] - whole) / IDLE_S

    def _used(self) -> tuple[float, float]:
        return used_ms(self._pid, whole=False), used_ms(self._pid, whole=True)

    def each(self, count: int, work: Callable[[], object]) -> tuple[float, float]:
        """Return the milliseconds of the loop and of all threads for one repetition of `count`."""
        before, began = self._used(), time.monotonic()
        for _ in range(count):
            work()
        after, seconds = self._used(), time.monotonic() - began
        return (
            (after[0] - before[0] - seconds * self._idle[0]) / count,
            (after[1] - before[1] - seconds * self._idle[1]) / count,
        )


def measure(count: int) -> dict[str, dict[str, float]]:
    """Return the figures of all kinds of logins, `count` in each of the alternating rounds."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = {"database": str(Path(folder) / "games.db"), "stop_s": 1}
        with Subject("doublecross", 0, settings) as server:
            # Several people, because an account has a limited number of sessions.
            names = itertools.cycle(f"Ann{number}" for number in range(PEOPLE))
            last = {"token": ""}
            for _ in range(PEOPLE):
                last["token"] = asyncio.run(_hello(server.url, name=next(names)))
                secret = {"password": PASSWORD}
                _post(f"{server.http}/api/account/password", secret, last["token"])

            def log_in() -> None:
                asked = {"name": next(names), "password": PASSWORD}
                last["token"] = _post(f"{server.http}/api/login", asked)["secret"]

            kinds: dict[str, Callable[[], object]] = {
                "password": log_in,
                "token": lambda: asyncio.run(_hello(server.url, token=last["token"])),
                "no hello": lambda: asyncio.run(_handshake(server.url)),
            }
            for work in kinds.values():
                work()
            # Hashing on the same core would empty the caches of the loop.
            for thread in Path(f"/proc/{server.pid}/task").iterdir():
                if int(thread.name) != server.pid:
                    os.sched_setaffinity(int(thread.name), {1})
            for _ in range(ROUNDS):
                meter = Meter(server)
                for kind, work in kinds.items():
                    loop, whole = meter.each(count, work)
                    found.setdefault(f"{NAMES[kind]}, event loop", []).append(loop)
                    found.setdefault(f"{NAMES[kind]}, all threads", []).append(whole)
    return {name: figures.summary(values) for name, values in found.items()}


def _lines(results: Mapping[str, Any]) -> list[figures.Figure]:
    lines = []
    for name, values in results["logins"].items():
        text = figures.spread(values, "ms", 2)
        if name.startswith("login") and name.endswith("event loop"):
            met = values["median"] <= MOST_MS
            lines.append(figures.Figure(name, text, f"at most {MOST_MS:g} ms", met))
        else:
            lines.append(figures.Figure(name, text))
    return lines


def main(
    count: Annotated[int, typer.Option(help="Logins of each kind in a round.")] = 5,
    out: Out = Path("var/benchmarks"),
    markdown: Markdown = False,
) -> None:
    """Measure what logins cost the server."""
    machine = describe(out)
    command.measure("Logins", ["logins"], lambda _: measure(count), machine, _lines, out, markdown)


if __name__ == "__main__":
    typer.run(main)
