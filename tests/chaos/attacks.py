"""All attacks on a server beside ordinary pairs: floods of one client, and those of one address.

The attackers of the second kind come from 127.0.0.2. The pairs come from 127.0.0.1, which is exempt
from the limits of addresses, as on a server that is not overrun by its own players.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from websockets.exceptions import WebSocketException
from websockets.protocol import State

from doublecross.server.shell.addresses.admission import raise_file_limit
from doublecross.server.shell.peer import MAX_WAITING
from tests.bots.running import until
from tests.chaos import floods, fuzz
from tests.chaos.floods import FLOODS, LARGE, SIZE, Client, Message, Pairs
from tests.chaos.servers import ServerProcess

STRANGER: Final = ("127.0.0.2", 0)
MOST_MB: Final = 400.0
"""The resident memory that no attack may make the server exceed."""
CALM_S: Final = 0.020
"""How much longer than twice as long as before the pairs may wait."""
REFUSALS: Final = {
    "pages": "429",
    "rooms": "rate_limited",
    "bots": "rate_limited",
    "records": "rate_limited",
    "tournaments": "rate_limited",
    "passwords": "429",
}
"""What some attackers must get."""


@dataclass(frozen=True)
class Target:
    """The server to attack, a long room on it, and how long to attack, in seconds."""

    ws: str
    http: str
    room: str
    seconds: float


Attack = Callable[[Target], Awaitable[Counter[str]]]
"""Returns what the attackers got, by kind."""


def _flood(name: str) -> Attack:
    async def attack(target: Target) -> Counter[str]:
        eve = await FLOODS[name](target.ws, target.room, target.seconds)
        seen = -1
        while eve.received != seen:
            seen = eve.received
            await asyncio.sleep(0.5)
        return eve.counts

    return attack


async def _insist(
    target: Target, times: int, once: Callable[[int], Awaitable[str]], refusal: str | None = None
) -> Counter[str]:
    """Let so many attackers repeat something until the time is up; count the results.

    With `refusal` they also go on until somebody got it: on a busy machine, where attackers have
    little processor time, that can be later.
    """
    counts, until = Counter[str](), time.monotonic() + target.seconds

    async def one(number: int) -> None:
        while time.monotonic() < until or (refusal is not None and not counts[refusal]):
            try:
                counts[await once(number)] += 1
            except (OSError, WebSocketException, httpx.HTTPError, asyncio.CancelledError) as error:
                counts[type(error).__name__] += 1
                await asyncio.sleep(0.01)

    await asyncio.gather(*(one(number) for number in range(times)))
    return counts


def _stranger(address: str = STRANGER[0]) -> httpx.AsyncClient:
    """Return a client for HTTP that comes from another address."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(transport=transport, trust_env=False, timeout=20)


async def idle_http(target: Target) -> Counter[str]:
    """Open HTTP connections that never send a whole request."""
    where, counts, open_ones = urlsplit(target.http), Counter[str](), []
    for _ in range(1_000):
        with contextlib.suppress(OSError):
            there = asyncio.open_connection(where.hostname, where.port, local_addr=STRANGER)
            _, writer = await there
            writer.write(b"GET / HTTP/1.1\r\nHost: ")
            open_ones.append(writer)
    async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
        counts[f"health {(await http.get(f'{target.http}/health')).status_code}"] += 1
    for writer in open_ones:
        writer.transport.abort()
    counts["sockets"] = len(open_ones)
    return counts


async def pages(target: Target) -> Counter[str]:
    """Ask for pages as fast as they come."""
    async with _stranger() as http:
        paths = ("/api/games?limit=100", "/api/rooms", "/api/tournaments", "/api/ratings")

        async def once(number: int) -> str:
            answer = await http.get(target.http + paths[number % len(paths)])
            return str(answer.status_code)

        return await _insist(target, 8, once, REFUSALS["pages"])


async def names(target: Target) -> Counter[str]:
    """Log in under ever new names."""

    async def once(number: int) -> str:
        eve = await Client.login(target.ws, f"n{time.time_ns()}", local_addr=STRANGER)
        found = next(iter(eve.counts), "nothing")
        await eve.close()
        return found

    return await _insist(target, 8, once)


async def rooms(target: Target) -> Counter[str]:
    """Open rooms and leave them open."""
    eves = [await Client.login(target.ws, f"r{n}", local_addr=STRANGER) for n in range(4)]

    async def once(number: int) -> str:
        create: Message = {"type": "create_room", "key": str(time.time_ns()), "settings": SIZE}
        answer = await eves[number].ask(create)
        return str(answer.get("code", answer["type"]) if answer["type"] == "error" else "opened")

    return await _insist(target, 4, once, REFUSALS["rooms"])


async def bots(target: Target) -> Counter[str]:
    """Challenge a bot of the server's machine under many names of one address."""
    await Client.login(target.ws, "victim", {"name": "rules", "version": "1"})
    eves = [await Client.login(target.ws, f"b{n}", local_addr=STRANGER) for n in range(8)]

    async def once(number: int) -> str:
        asking: Message = {"type": "challenge", "key": str(time.time_ns()), "settings": SIZE}
        answer = await eves[number].ask({**asking, "player": "victim"})
        return str(answer.get("code", answer["type"]))

    counts = await _insist(target, 8, once, REFUSALS["bots"])
    assert counts["challenge_sent"] <= 4, counts
    return counts


async def records(target: Target) -> Counter[str]:
    """Ask for records from three connections; log in meanwhile from elsewhere."""
    eves = [await Client.login(target.ws, f"g{n}", local_addr=STRANGER) for n in range(3)]

    async def once(number: int) -> str:
        answer = await eves[number % 3].ask({"type": "get_record", "game_id": f"{target.room}-1"})
        return str(answer.get("code", answer["type"]))

    flooding = asyncio.create_task(_insist(target, 60, once, REFUSALS["records"]))
    friend = await Client.login(target.ws, f"friend{time.time_ns()}")
    await friend.close()
    return await flooding


async def seeks(target: Target) -> Counter[str]:
    """Fill the lobby with seeks of different settings, and ask for quick matches."""
    eves = [await Client.login(target.ws, f"s{n}") for n in range(20)]

    async def once(number: int) -> str:
        time_control = {"base_ms": 60_000 + time.time_ns() % 10**9 // 1000, "increment_ms": 0}
        settings = {**SIZE, "time": time_control}
        kind = "seek" if number % 2 else "quick_match"
        key = str(time.time_ns())
        answer = await eves[number].ask({"type": kind, "key": key, "settings": settings})
        return str(answer.get("code", answer["type"]))

    return await _insist(target, 20, once)


async def tournaments(target: Target) -> Counter[str]:
    """Create the largest tournaments."""
    eves = [await Client.login(target.ws, f"t{n}") for n in range(3)]
    terms = {"name": "x", "format": "round-robin", "pairs": 10_000, "settings": LARGE}
    terms["settings"] = {key: value for key, value in LARGE.items() if key != "opening"}

    async def once(number: int) -> str:
        create = {"type": "create_tournament", "key": str(time.time_ns()), "terms": terms}
        answer = await eves[number % 3].ask(create)
        return str(answer.get("code", answer["type"]))

    # More than may wait at once: a slow server refuses them for that, a fast one for their rate.
    return await _insist(target, 3 * (MAX_WAITING + 1), once, REFUSALS["tournaments"])


async def garbage(target: Target) -> Counter[str]:
    """Send mutated frames and mutated handshakes."""
    where, source = urlsplit(target.ws), fuzz.mutated(fuzz.examples("frames"), Random(1))

    async def once(number: int) -> str:
        if number % 2:
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n" + next(source))
            writer.write_eof()
            await reader.read(100)
            writer.transport.abort()
            return "handshake"
        eve = await Client.login(target.ws, f"x{time.time_ns()}")
        for _ in range(20):
            eve.flood(next(source))
        await asyncio.sleep(0.05)
        eve.ws.transport.abort()
        return "frames"

    return await _insist(target, 6, once)


async def passwords(target: Target) -> Counter[str]:
    """Guess the password of one name as fast as the server answers."""
    asked = {"name": "long1", "password": "hunter2!hunter2!"}
    async with _stranger() as http:

        async def once(number: int) -> str:
            return str((await http.post(f"{target.http}/api/login", json=asked)).status_code)

        return await _insist(target, 8, once, REFUSALS["passwords"])


async def crowd(target: Target) -> Counter[str]:
    """Let spectators lose their connections and come back together, again and again.

    In the attack of five seconds they are 2,000.
    """
    back = 0

    async def once(number: int) -> str:
        nonlocal back
        back += 1
        eve = await Client.login(target.ws, f"c{back}-{time.time_ns()}")
        shown = await eve.ask({"type": "watch", "room": target.room})
        eve.ws.transport.abort()
        return str(shown["type"])

    return await _insist(target, round(400 * target.seconds), once)


async def idle(target: Target) -> Counter[str]:
    """Open idle connections whose pings come together: 3,000 in the attack of five seconds."""
    eves = [await Client.login(target.ws, f"i{n}") for n in range(round(600 * target.seconds))]
    await asyncio.sleep(target.seconds)
    await asyncio.gather(*(eve.ask({"type": "ping"}) for eve in eves))
    return Counter(idle=sum(eve.ws.state is State.OPEN for eve in eves))


async def unread(target: Target) -> Counter[str]:
    """Ask for the long room again and again, and read nothing."""
    eves = [await Client.login(target.ws, f"u{n}", local_addr=STRANGER) for n in range(16)]
    asking = floods.packed({"type": "watch", "id": 1, "room": target.room})
    for eve in eves:
        eve.ws.transport.pause_reading()

    async def once(number: int) -> str:
        eves[number].flood(asking)
        await asyncio.sleep(0.01)
        return "asked"

    return await _insist(target, 16, once)


async def unread_http(target: Target) -> Counter[str]:
    """Ask for the longest page again and again over 60 connections, and read nothing."""
    where, asking = urlsplit(target.http), b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    writers = []
    for _ in range(60):
        there = asyncio.open_connection(where.hostname, where.port, local_addr=STRANGER)
        _, writer = await there
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writers.append(writer)

    async def once(number: int) -> str:
        writers[number].write(asking)
        await writers[number].drain()
        await asyncio.sleep(0.01)
        return "asked"

    got = await _insist(target, 60, once)
    for writer in writers:
        writer.transport.abort()
    return got


async def policy(target: Target) -> Counter[str]:
    """Ask about positions from eight addresses; few questions wait of one, and not many of all."""
    async with contextlib.AsyncExitStack() as stack:
        https = [await stack.enter_async_context(_stranger(f"127.0.0.{n}")) for n in range(2, 10)]

        async def once(number: int) -> str:
            query = f"game=dots-and-boxes&size=5x5&moves={number}"
            http = https[number % len(https)]
            return str((await http.get(f"{target.http}/api/policy?{query}")).status_code)

        return await _insist(target, 32, once)


ATTACKS: Final[Mapping[str, Attack]] = {
    **{name: _flood(name) for name in FLOODS},
    "idle http": idle_http,
    "pages": pages,
    "names": names,
    "rooms": rooms,
    "bots": bots,
    "records": records,
    "seeks": seeks,
    "tournaments": tournaments,
    "garbage": garbage,
    "crowd": crowd,
    "idle": idle,
    "unread": unread,
    "unread http": unread_http,
    "passwords": passwords,
    "policy": policy,
}


@dataclass(frozen=True)
class Verdict:
    """What the pairs noticed of an attack. Times are p99 in seconds, memory is in MB."""

    before_s: float
    during_s: float
    moves: int
    rss_mb: float
    got: Counter[str]

    @property
    def bearable(self) -> bool:
        """Whether the pairs waited little longer than twice as long as before."""
        return self.during_s <= 2 * self.before_s + CALM_S and self.rss_mb <= MOST_MB


async def measure(
    folder: Path,
    name: str,
    pairs: int,
    quiet_s: float,
    seconds: float,
    events: int,
    kind: type[ServerProcess] = ServerProcess,
) -> Verdict:
    """Attack a server of this kind beside so many pairs.

    Raises an error when a pair got anything but answers to its moves, as after a lost game.
    """
    with kind(folder, exempt_addresses="127.0.0.1", pages_per_minute=100) as server:
        room = await floods.fill_room(server.url, events)
        crowd = await floods.crowd_before(name, server.url)
        playing = Pairs(pairs)
        await playing.start(server.url)
        try:
            playing.take()
            await asyncio.sleep(quiet_s)
            await until(lambda: bool(playing.times))  # a machine may stand still for a while
            before = playing.take()
            # In another process, whose work delays no pair.
            target = asdict(Target(server.url, server.http, room, seconds))
            order = json.dumps({"name": name, **target})
            told = await asyncio.to_thread(server.beside, "tests.chaos.attacks", order)
            got = Counter(json.loads(told))
            during = playing.take()
            rss = server.peak_mb
        finally:
            await playing.stop()
            for client in crowd:
                await client.close()
        assert server.end() == 0
    return Verdict(_p99(before), _p99(during), len(during), rss, got)


def step_back() -> None:
    """Use only the processor time that nobody else wants: attackers have their own machines."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


async def _attack(order: dict[str, Any]) -> None:
    name = order.pop("name")
    sys.stdout.write(json.dumps(await ATTACKS[name](Target(**order))))


def _p99(times: list[float]) -> float:
    return times[int(len(times) * 0.99)]


def main() -> None:
    """Carry out the attack of the command line, and print what the attackers got."""
    step_back()
    raise_file_limit()
    asyncio.run(_attack(json.loads(sys.argv[1])))


if __name__ == "__main__":
    main()
