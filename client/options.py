"""The options of a client: who logs in, what is kept for the next time, and how long it waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from doublecross.protocol.common import EngineInfo, Kind


@dataclass(frozen=True, slots=True)
class Login:
    """A player who logs in: a new one with a `name`, or an earlier one with a `token`.

    `engine` is that of a bot, and `client` the name of the program. With `takebacks` the player's
    opponents may ask to take back moves: a bot agrees at once, and a person must be able to answer.
    `exclusive` says whether the player's other connections end: by default those of a bot do.
    """

    kind: Kind
    name: str | None = None
    token: str | None = None
    engine: EngineInfo | None = None
    client: str = ""
    takebacks: bool = False
    exclusive: bool | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """The functions that keep something for the next start of a client.

    `on_token` is called with each new token. `servers` are the addresses that the server named
    earlier, and `on_servers` is called with those that each welcome names, and to which this
    player's token may go.
    """

    on_token: Callable[[str], None] = lambda _: None
    servers: Sequence[str] = ()
    on_servers: Callable[[Sequence[str]], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a client waits, in seconds, and how: tests replace `clock` and `sleep`.

    `connect_s` is for one attempt to connect, and `request_s` for requests without a timeout of
    their own. The server may leave a ping unanswered for `silence_s` before the client breaks the
    connection.
    """

    connect_s: float = 10.0
    request_s: float = 120.0
    silence_s: float = 20.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
