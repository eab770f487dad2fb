"""Decide who may connect, and limit what one source does: its actions and its connections.

Besides, limit the connections of all together by the files that the system allows. Each connection
is an open file. Beyond the system's limit not only connections fail but also the database and the
log. So the server refuses connections a little before that.
"""

from __future__ import annotations

import asyncio
import math
import socket
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Final, Protocol

import structlog
from websockets.datastructures import Headers

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.addresses.origins import REFUSED, Origins
from doublecross.server.shell.addresses.sources import EXEMPT, Sources
from doublecross.server.shell.wire.turns import ReadingTurns
from doublecross.server.shell.wire.websocket import WebSocket
from doublecross.server.shell.wire.wire import Owner

MOST_BUCKETS: Final = 50_000
"""How many buckets are kept; the one that was not used for the longest time goes first."""
SPARE: Final = 64
"""How many files are kept free for the database, the log and child processes."""
WAIT_S: Final = 10.0
"""When to try again while too many connections are open."""
LOG_EVERY_S: Final = 60.0
"""The shortest time between two lines about connections that failed for lack of files."""

_log = structlog.get_logger("connection")


class Action(Enum):
    """An action of a source; the value is the word for it in sentences."""

    CONNECT = Sentence("connections")
    HANDSHAKE = Sentence("encrypted connections")
    LOGIN = Sentence("logins")
    PASSWORD = Sentence("passwords")
    GUESS = Sentence("passwords for this name")
    MAIL = Sentence("mails")
    NAME = Sentence("new names")
    ROOM = Sentence("new rooms")
    RECORD = Sentence("records")
    REVIEW = Sentence("new reviews")
    PAGE = Sentence("pages")
    FILE = Sentence("requests")
    BOT = Sentence("games with this bot")


@dataclass(frozen=True, slots=True)
class Rate:
    """How often an action is allowed: `most` times at once, and again after `period_s` seconds.

    The tokens come back evenly: one after each `period_s` / `most` seconds.
    """

    most: int
    period_s: float


@dataclass(frozen=True, slots=True)
class AddressLimits:
    """How often one source may do something, and how much of something it may have at once.

    `questions` are those to the adviser about positions, and `bot_games` those with one bot of this
    machine. All sources together may have `all_questions`, and `all_passwords` that are hashed or
    wait for it.
    """

    rates: Mapping[Action, Rate]
    connections: int = 512
    http_connections: int = 64
    questions: int = 2
    bot_games: int = 4
    all_questions: int = 8
    all_passwords: int = 32


class Admission:
    """Count what the sources do. `now_s` returns seconds and never goes back."""

    def __init__(self, limits: AddressLimits, now_s: Callable[[], float]) -> None:
        self.limits = limits
        self._now_s = now_s
        self.hits: Counter[Action] = Counter()
        """How often a source had no token for an action."""
        # The time at which the bucket is full again; this one number is the whole bucket (the
        # "generic cell rate algorithm").
        self._full_at: OrderedDict[tuple[str, Action], float] = OrderedDict()

    def wait_s(self, source: str, action: Action) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        if source == EXEMPT:
            return 0.0
        rate = self.limits.rates[action]
        each_s = rate.period_s / rate.most
        now = self._now_s()
        full_at = max(self._full_at.pop((source, action), now), now)
        wait = full_at + each_s - rate.period_s - now
        # Sums of floats are not exact, and an action that comes on time must not be refused.
        allowed = wait <= 1e-9
        # Put back at the end, so that the first bucket is the one that was used longest ago.
        self._full_at[source, action] = full_at + each_s if allowed else full_at
        if not allowed:
            self.hits[action] += 1
        if len(self._full_at) > MOST_BUCKETS:
            self._full_at.popitem(last=False)
        return 0.0 if allowed else wait

    def give_back(self, source: str, action: Action) -> None:
        """Return a token that was taken, because the action does not count."""
        rate = self.limits.rates[action]
        # A bucket that was forgotten meanwhile counts as full.
        if (source, action) in self._full_at:
            self._full_at[source, action] -= rate.period_s / rate.most

    def check(self, source: str, action: Action) -> None:
        """Take a token.

        Raises:
            Refused: there is none.
        """
        wait = self.wait_s(source, action)
        if wait:
            raise Refused(ErrorCode.RATE_LIMITED, sentence(action, wait))

    def check_bot_games(self, source: str, opponents: Iterable[str]) -> None:
        """Check that a source may have one more game with a bot.

        `opponents` are the sources of those who play the bot.

        Raises:
            Refused: it has too many.
        """
        if source != EXEMPT and list(opponents).count(source) >= self.limits.bot_games:
            self.hits[Action.BOT] += 1
            raise Refused(ErrorCode.RATE_LIMITED, sentence(Action.BOT, WAIT_S))


def sentence(action: Action, wait_s: float) -> Sentence:
    """Return what to tell somebody who must wait."""
    return Sentence(
        "Too many {what} come from your address; try again in {seconds} s.",
        action.value,
        math.ceil(wait_s),
    )


class OpenConnections:
    """Count the open connections of each source, which may have at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, source: str) -> bool:
        """Count a connection; return whether the source may have it."""
        # Counted also when it is one too many, because `leave` follows in any case.
        self._open[source] += 1
        return source == EXEMPT or self._open[source] <= self._most

    def leave(self, source: str) -> None:
        """Forget a connection that `enter` counted."""
        self._open[source] -= 1
        if not self._open[source]:
            del self._open[source]


def raise_file_limit() -> int:
    """Raise the soft limit on open files to the hard limit; return the limit that holds now."""
    try:
        import resource
    except ImportError:  # Windows has no such limit on sockets
        return sys.maxsize
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError) as error:  # some systems have a lower limit of their own
            _log.warning("file_limit_unchanged", limit=soft, why=str(error))
            return soft
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard


class FileGuard:
    """Tell whether there are enough files for one more connection.

    The system gives each new file the lowest free number. A high number therefore means that
    nearly all are in use, and costs nothing to look at.
    """

    def __init__(self, limit: int, now_s: Callable[[], float]) -> None:
        self._limit = limit
        self._now_s = now_s
        self._logged_s: float | None = None
        self._refused = 0
        self.hits = 0
        """How many connections failed for lack of files."""

    def admits(self, connection: socket.socket) -> bool:
        """Return whether the server may keep this connection; log it if not."""
        if connection.fileno() < self._limit - SPARE:
            return True
        self.exhausted()
        return False

    def exhausted(self) -> None:
        """Note that a connection failed for lack of files; write a line at most once a minute."""
        self._refused += 1
        self.hits += 1
        now = self._now_s()
        if self._logged_s is None or now - self._logged_s >= LOG_EVERY_S:
            self._logged_s = now
            _log.error(
                "open_files_exhausted",
                limit=self._limit,
                refused=self._refused,
                what="New connections are refused; raise the limit on open files (ulimit -n).",
            )
            self._refused = 0


class Undecided(Protocol):
    """A connection that is not encrypted yet, or whose first request is not answered yet."""

    def abort(self) -> None:
        """End the connection."""
        ...


class Server(Owner, Protocol):
    """Whoever serves the websockets that were admitted."""

    def open(self, websocket: WebSocket, source: str, address: str) -> object:
        """Serve a new websocket, which comes from this source and address, until it is lost."""
        ...


class Arrival:
    """A connection that is new, and what the gate knows of it."""

    __slots__ = ("host", "is_admitted", "is_counted", "is_refused", "source")

    def __init__(self, host: str) -> None:
        self.host = host
        """The address that the connection comes from, perhaps that of a proxy."""
        self.source = EXEMPT
        self.is_counted = False
        """True while it counts for its source."""
        self.is_refused = False
        """True when its source has too many connections."""
        self.is_admitted = False
        """True while it counts among the connections whose handshake was accepted."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a handshake is refused, and in how many seconds a client may try again, if ever."""

    status: HTTPStatus
    sentence: Sentence
    wait_s: float | None = None


class Gate:
    """Decide about new connections. The server may have `most` at the same time.

    `banned` returns why nobody from an address may come in; None if they may. `headers` are those
    of each handshake that is refused.
    """

    server: Server
    """Gets the websockets that are admitted. It may be replaced while the server runs."""

    def __init__(
        self,
        sources: Sources,
        origins: Origins,
        admission: Admission,
        files: FileGuard,
        most: int,
        headers: Iterable[tuple[str, str]] = (),
        banned: Callable[[str], Sentence | None] = lambda _: None,
    ) -> None:
        self.sources = sources
        self.origins = origins
        self.headers = tuple(headers)
        self.admission = admission
        self.files = files
        self.open = OpenConnections(admission.limits.connections)
        self.turns = ReadingTurns()
        """The turns in which all connections of the server are read."""
        self.undecided: set[Undecided] = set()
        """The connections whose first request is not answered yet."""
        self.admitted = 0
        """The open connections whose handshake was accepted."""
        self.hits: Counter[str] = Counter()
        """How many connections were refused by each limit on open connections, and for their
        origin."""
        self.is_closing = False
        """True when the server is stopping, so that all handshakes are refused."""
        self._most = most
        self._banned = banned
        self._warned = False

    @property
    def is_full(self) -> bool:
        """True when as many connections are open as the server may have."""
        return self.admitted >= self._most

    def arrive(self, transport: asyncio.BaseTransport) -> Arrival | None:
        """Count a new connection for its source; return None when there are no files for it.

        One that a proxy sends is counted later, because its source is in its first request.
        """
        if not self.files.admits(transport.get_extra_info("socket")):
            return None
        arrival = Arrival(str((transport.get_extra_info("peername") or ("",))[0]))
        source = self.sources.direct(arrival.host)
        if source is not None:
            self._count(arrival, source)
        return arrival

    def _count(self, arrival: Arrival, source: str) -> None:
        arrival.source = source
        arrival.is_counted = True
        arrival.is_refused = not self.open.enter(arrival.source)

    def refusal(self, arrival: Arrival, headers: Headers) -> Refusal | None:
        """Return why a handshake with these headers is refused; admit it and return None if not."""
        forwarded = headers.get_all("X-Forwarded-For")
        if not arrival.is_counted:
            self._count(arrival, self.sources.of(arrival.host, forwarded))
        # Such a proxy is exempt from limits, but not trusted.
        if (
            forwarded
            and not self._warned
            and arrival.source == EXEMPT
            and not self.sources.is_proxy(arrival.host)
        ):
            self._warned = True
            _log.warning(
                "proxy_not_trusted",
                forwarded_for=forwarded[0][:60],
                what="A proxy on this machine passes visitors on, who therefore have no limits."
                " Name it with --trusted-proxy 127.0.0.1.",
            )
        banned = self._banned(arrival.source or arrival.host)
        if banned:
            self.hits["bans"] += 1
            return Refusal(HTTPStatus.FORBIDDEN, banned)
        if arrival.is_refused:
            self.hits["connections_per_address"] += 1
            text = Sentence("Too many connections are open from your address.")
            return Refusal(HTTPStatus.TOO_MANY_REQUESTS, text, WAIT_S)
        if self.is_full:
            self.hits["connections"] += 1
            text = Sentence("The server is full; try again later.")
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, text, WAIT_S)
        origins = headers.get_all("Origin")
        # Programs send none, and all of them may come in.
        if origins and not self.origins.allows(
            ", ".join(origins),
            ", ".join(headers.get_all("Host")),
            arrival.host,
            ", ".join(headers.get_all("X-Forwarded-Host")),
        ):
            self.hits["origin"] += 1
            return Refusal(HTTPStatus.FORBIDDEN, REFUSED)
        # Last, so that a refusal for another reason takes no token.
        wait = self.admission.wait_s(arrival.source, Action.CONNECT)
        if wait:
            return Refusal(HTTPStatus.TOO_MANY_REQUESTS, sentence(Action.CONNECT, wait), wait)
        arrival.is_admitted = True
        self.admitted += 1
        return None

    def forget(self, arrival: Arrival) -> None:
        """Count a connection that has ended no longer."""
        if arrival.is_counted:
            arrival.is_counted = False
            self.open.leave(arrival.source)
        if arrival.is_admitted:
            arrival.is_admitted = False
            self.admitted -= 1

    def leave(self, source: str) -> None:
        """Count one admitted connection less."""
        self.open.leave(source)
        self.admitted -= 1
