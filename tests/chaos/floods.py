"""The floods of one client, and pairs who play at a steady pace beside them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from doublecross.protocol.version import MSGPACK

Message = dict[str, Any]

SIZE: Final = {"game": "dots-and-boxes", "params": {"rows": 5, "cols": 5}}
LONG: Final = {"game": "dots-and-boxes", "params": {"rows": 10, "cols": 10}}
LARGE: Final = {**LONG, "opening": tuple(range(219))}
EVENTS: Final = 2_400
"""The events of the long room."""
CROWD: Final = 220
"""The players in the lobby while one asks for it again and again."""
PAIRS: Final = 20
MOVE_S: Final = 0.1
"""The pause between two moves of a pair, in seconds."""


def masked(payload: bytes, opcode: int = 2, fin: bool = True) -> bytes:
    """Return a client's frame with a masking key of zero."""
    size = len(payload)
    head = (0x80 if fin else 0) | opcode
    if size < 126:
        return bytes((head, 0x80 | size)) + bytes(4) + payload
    return bytes((head, 0x80 | 126)) + size.to_bytes(2, "big") + bytes(4) + payload


class Client:
    """A client that checks nothing and counts what it receives."""

    def __init__(self, ws: ClientConnection) -> None:
        self.ws = ws
        self.counts: Counter[str] = Counter()
        self.received = 0
        """Bytes of all messages."""
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._next_id = 10_000
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def login(
        cls, url: str, name: str, engine: Message | None = None, **options: Any
    ) -> Client:
        client = cls(
            await connect(
                url,
                subprotocols=[Subprotocol(MSGPACK)],
                compression=None,
                ping_interval=None,
                max_size=None,
                close_timeout=1,
                **options,
            )
        )
        hello = {"type": "hello", "protocol": 2, "kind": "bot" if engine else "human", "name": name}
        await client.ask({**hello, "engine": engine})
        return client

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                data = await self.ws.recv(decode=False)
                self.received += len(data)
                message: Message = msgpack.unpackb(data)
                self.counts[message.get("code") or message["type"]] += 1
                waiter = self._waiting.pop(message.get("id") or 0, None)
                if waiter is not None and not waiter.done():
                    waiter.set_result(message)
        for waiter in self._waiting.values():
            waiter.cancel()

    async def ask(self, message: Message) -> Message:
        """Send a request and return its answer."""
        self._next_id += 1
        waiter = asyncio.get_running_loop().create_future()
        self._waiting[self._next_id] = waiter
        await self.ws.send(msgpack.packb({**message, "id": self._next_id}))
        answer: Message = await waiter
        return answer

    def flood(self, data: bytes) -> None:
        """Send raw bytes of the websocket's stream."""
        self.ws.transport.write(data)

    async def close(self) -> None:
        await self.ws.close()
        await self._reader


def packed(*messages: Message) -> bytes:
    """Return requests as frames in one piece."""
    return b"".join(masked(msgpack.packb(message)) for message in messages)


async def open_game(first: Client, second: Client, settings: Message, key: str) -> str:
    create = {"type": "create_room", "key": key, "settings": settings, "seat": 0}
    room: str = (await first.ask(create))["room"]
    await second.ask({"type": "join_room", "room": room})
    return room


async def play_match(
    players: tuple[Client, Client],
    room: str,
    match: int,
    done: Callable[[float], None],
    move_s: float = MOVE_S,
) -> None:
    """Play the lowest free edge of a 5x5 board until the match ends; then offer a rematch.

    Wait `move_s` seconds after each move.
    """
    mover, ply = 0, 0
    while True:
        start = time.perf_counter()
        move = {"type": "move", "room": room, "match": match, "ply": ply, "action": ply}
        event = await players[mover].ask(move)
        while event.get("code") == "rate_limited":
            await asyncio.sleep(0.05)
            event = await players[mover].ask(move)
        done(time.perf_counter() - start)
        ply += 1
        if event["to_move"] is None:
            break
        mover = event["to_move"]
        await asyncio.sleep(move_s)
    for player in players:
        await player.ask({"type": "rematch", "room": room})


class Pairs:
    """Pairs that play without a pause between matches, and wait `move_s` seconds after a move."""

    def __init__(self, count: int = PAIRS, move_s: float = MOVE_S) -> None:
        self._count = count
        self._move_s = move_s
        self.times: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._clients: list[Client] = []

    async def start(self, url: str) -> None:
        settings = {**SIZE, "time": {"base_ms": 120_000, "increment_ms": 0, "move_ms": None}}
        for number in range(self._count):
            pair = (
                await Client.login(url, f"pair{number}a"),
                await Client.login(url, f"pair{number}b"),
            )
            self._clients += pair
            room = await open_game(*pair, settings, f"pair-{number}")
            self._tasks.append(asyncio.create_task(self._play(pair, room)))
            await asyncio.sleep(self._move_s / self._count)

    async def _play(self, pair: tuple[Client, Client], room: str) -> None:
        match = 1
        while True:
            seats = pair if match % 2 else (pair[1], pair[0])
            await play_match(seats, room, match, self.times.append, self._move_s)
            match += 1

    async def stop(self) -> None:
        """Stop playing and disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in self._clients:
            await client.close()

    def take(self) -> list[float]:
        """Return the times since the last call, in ascending order, and forget them."""
        found = sorted(self.times)
        self.times.clear()
        for task in self._tasks:
            if task.done():
                task.result()
        return found


# -- floods ------------------------------------------------------------------------------------


async def fill_room(url: str, events: int = EVENTS) -> str:
    """Play matches on 10x10 in one room until it has so many events; return the room."""
    pair = (await Client.login(url, "long1"), await Client.login(url, "long2"))
    room = await open_game(*pair, LONG, "long")
    total, match = 4, 1
    while total < events:
        seats = pair if match % 2 else (pair[1], pair[0])
        mover, ply = 0, 0
        while mover is not None and total < events:
            move = {"type": "move", "room": room, "match": match, "ply": ply, "action": ply}
            event = await seats[mover].ask(move)
            if event.get("code") == "rate_limited":
                await asyncio.sleep(0.2)
                continue
            mover, ply, total = event["to_move"], ply + 1, total + 1
        if mover is None:
            for player in pair:
                await player.ask({"type": "rematch", "room": room})
            match, total = match + 1, total + 3
    return room


async def resumes(url: str, room: str, seconds: float) -> Client:
    """Ask for the long room 480 times in one write, while a commit is under way."""
    eve = await Client.login(url, f"eve{time.time_ns()}")
    await eve.ask({"type": "watch", "room": room})
    create = {"type": "create_room", "id": 1, "key": "k", "settings": SIZE}
    asking = [{"type": "resume", "id": n, "room": room, "seq": 3} for n in range(2, 482)]
    eve.flood(packed(create, *asking))
    return eve


async def lobbies(url: str, room: str, seconds: float) -> Client:
    """Ask for the lobby 489 times in one write."""
    eve = await Client.login(url, f"eve{time.time_ns()}")
    create = {"type": "create_room", "id": 1, "key": "k", "settings": SIZE}
    asking = [{"type": "follow_lobby", "id": n} for n in range(2, 491)]
    eve.flood(packed(create, *asking))
    return eve


async def pings(url: str, room: str, seconds: float) -> Client:
    """Send websocket pings from five connections as fast as the server takes them."""
    eves = [await Client.login(url, f"eve{time.time_ns()}") for _ in range(5)]
    flood = masked(b"", 9) * 20_000

    async def insist(eve: Client) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not eve.ws.transport.is_closing():
            if eve.ws.transport.get_write_buffer_size() < len(flood):
                eve.flood(flood)
            await asyncio.sleep(0.01)

    await asyncio.gather(*map(insist, eves))
    return eves[0]


async def fragments(url: str, room: str, seconds: float) -> Client:
    """Send messages of empty fragments from five connections."""
    eves = [await Client.login(url, f"eve{time.time_ns()}") for _ in range(5)]
    ping = msgpack.packb({"type": "ping", "id": 1})
    one = masked(ping, fin=False) + masked(b"", 0, fin=False) * 60 + masked(b"", 0)
    for _ in range(round(100 * seconds)):
        for eve in eves:
            if not eve.ws.transport.is_closing():
                eve.flood(one * 10)
        await asyncio.sleep(0.01)
    return eves[0]


async def challenges(url: str, room: str, seconds: float) -> Client:
    """Let two bots send and cancel large challenges to one victim, who plays on."""
    victim = await Client.login(url, "victim")
    bots = [await Client.login(url, f"eve{n}") for n in range(2)]

    async def pester(bot: Client) -> None:
        until = time.monotonic() + seconds
        number = 0
        while time.monotonic() < until:
            number += 1
            challenge = {"type": "challenge", "key": f"c{number}", "player": "victim"}
            sent = await bot.ask({**challenge, "settings": LARGE})
            if "challenge" in sent:
                await bot.ask({"type": "cancel_challenge", "challenge": sent["challenge"]})
            else:
                await asyncio.sleep(0.01)

    async def live() -> None:
        while True:
            await victim.ask({"type": "ping"})
            await asyncio.sleep(0.02)

    living = asyncio.create_task(live())
    await asyncio.gather(*map(pester, bots))
    living.cancel()
    return victim


FLOODS: Final[Mapping[str, Callable[[str, str, float], Awaitable[Client]]]] = {
    "resumes": resumes,
    "lobbies": lobbies,
    "pings": pings,
    "fragments": fragments,
    "challenges": challenges,
}


async def crowd_before(flood: str, url: str) -> list[Client]:
    """Log in the players that a flood needs in the lobby."""
    count = CROWD if flood == "lobbies" else 0
    return list(await asyncio.gather(*(Client.login(url, f"player{n}") for n in range(count))))
