"""The journals that a node could write: the cluster's own on PostgreSQL, JetStream, and Redis.

Each does the same for a log. `append` stores an entry only while this node owns the log, and
returns when it is durable. `take` makes this node the owner, from which moment on the former owner
stores nothing. `entries` reads the log.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

import nats.aio.client
import nats.js.api
import nats.js.errors

from doublecross.server.core.cluster_storage import Claim, ClusterBatch, LogLostError, LogWrite
from doublecross.server.core.storage import JournalEntry
from doublecross.server.store.cluster.store import ClusterStore

_PAGE: Final = 250
"""How many entries a read takes at once, as in `ClusterStore.entries`."""
_HEAD: Final = struct.Struct(">qq")
_EXPECTED: Final = nats.js.api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value
_WRONG_LAST_SEQUENCE: Final = (10071, 10164)
"""The codes of JetStream for a message that expects another last one of its subject."""
_PATIENCE_S: Final = 10.0


class Journal(Protocol):
    """The journal of a node; see the top of the file."""

    async def open(self, url: str, node: str) -> None:
        """Connect to the server."""

    async def create(self) -> str:
        """Make a new log that this node owns."""

    async def append(self, log: str, entry: JournalEntry) -> None:
        """Store an entry.

        Raises:
            LogLostError: another node owns the log.
        """

    async def give_up(self, log: str) -> None:
        """Give the log up, if `take` needs that of the former owner."""

    async def take(self, log: str) -> None:
        """Become the owner of the log."""

    def entries(self, log: str) -> AsyncIterator[JournalEntry]:
        """Yield the entries in order."""

    async def close(self) -> None:
        """End the connection."""


class PostgresqlJournal:
    """The journal of our cluster, by its own code. Logs are given up, so no lease has to lapse."""

    async def open(self, url: str, node: str) -> None:
        """Connect, and join the cluster."""
        self._claims: dict[str, Claim] = {}
        # A pause of a busy machine may not end the measurement.
        self._store = await ClusterStore.open(url, lease_answer_s=60)
        await self._store.join(node, node)
        self._node = node

    async def create(self) -> str:
        """Make a log."""
        await self._store.renew(self._node)
        claim = await self._store.create_log(self._node)
        self._claims[claim.log] = claim
        return claim.log

    async def append(self, log: str, entry: JournalEntry) -> None:
        """Commit the entry with the fencing token of the claim."""
        await self._store.commit(ClusterBatch([LogWrite(self._claims[log], entry)]))

    async def give_up(self, log: str) -> None:
        """Hand the log over."""
        await self._store.hand_over(self._claims[log])

    async def take(self, log: str) -> None:
        """Claim the log, whose token grows."""
        await self._store.renew(self._node)
        claim = await self._store.claim_log((await self._store.snapshot()).logs[log], self._node)
        assert claim is not None
        self._claims[log] = claim

    def entries(self, log: str) -> AsyncIterator[JournalEntry]:
        """Read the entries."""
        return self._store.entries(log)

    async def close(self) -> None:
        """End the connections."""
        await self._store.close()


class JetStreamJournal:
    """A stream in JetStream with a subject for each log.

    Each message names the number of the last one of its subject and is refused if that is another.
    A new owner publishes an empty message, so it wins against all that the former one still sends.
    """

    async def open(self, url: str, node: str) -> None:
        """Connect, and make the stream if there is none."""
        self._last: dict[str, int] = {}
        self._node = node
        self._client = nats.aio.client.Client()
        await self._client.connect(url)
        self._stream = self._client.jetstream(timeout=_PATIENCE_S)
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                try:
                    await self._stream.add_stream(name="logs", subjects=["log.*"])
                    return
                except nats.js.errors.ServiceUnavailableError:
                    # A server that has just started again takes connections before it has read its
                    # files.
                    await asyncio.sleep(0.01)

    async def create(self) -> str:
        """Make a log, which is a subject."""
        log = f"{self._node}{len(self._last)}"
        self._last[log] = 0
        return log

    async def append(self, log: str, entry: JournalEntry) -> None:
        """Publish the entry after the last message that this owner knows."""
        await self._publish(log, _HEAD.pack(entry.entry_id, entry.at_ms) + entry.frames)

    async def _publish(self, log: str, payload: bytes) -> None:
        expected = {_EXPECTED: str(self._last[log])}
        try:
            stored = await self._stream.publish(f"log.{log}", payload, headers=expected)
        except nats.js.errors.APIError as error:
            if error.err_code not in _WRONG_LAST_SEQUENCE:
                raise
            raise LogLostError([log]) from error
        self._last[log] = stored.seq

    async def give_up(self, log: str) -> None:
        """Do nothing: `take` works against an owner that still writes."""

    async def take(self, log: str) -> None:
        """Publish the message that fences the former owner."""
        last = await self._stream.get_last_msg("logs", f"log.{log}")
        assert last.seq is not None
        self._last[log] = last.seq
        await self._publish(log, b"")

    async def entries(self, log: str) -> AsyncIterator[JournalEntry]:
        """Read the messages of the subject by a consumer, without those of new owners."""
        reader = await self._stream.subscribe(f"log.{log}", stream="logs", ordered_consumer=True)
        left = 1  # a log that was taken has at least the message of its owner
        try:
            while left:
                message = await reader.next_msg(timeout=_PATIENCE_S)
                left = message.metadata.num_pending
                if message.data:
                    number, at_ms = _HEAD.unpack_from(message.data)
                    yield JournalEntry(number, at_ms, message.data[_HEAD.size :])
        finally:
            await reader.unsubscribe()

    async def close(self) -> None:
        """End the connection."""
        await self._client.close()


class RedisJournal:
    """A stream in Redis or Valkey for each log; a script compares the fencing token."""

    _ADD: Final = (
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
        " redis.call('XADD', KEYS[2], ARGV[2], 'at', ARGV[3], 'frames', ARGV[4]) return 1"
    )

    async def open(self, url: str, node: str) -> None:
        """Connect. No library is needed for so few commands."""
        self._tokens: dict[str, bytes] = {}
        self._node = node
        host, _, port = url.partition(":")
        self._reader, self._writer = await asyncio.open_connection(host, int(port))
        self._turn = asyncio.Lock()
        self._script = await self._call("SCRIPT", "LOAD", self._ADD)

    async def _call(self, *words: str | bytes) -> Any:
        parts = [word.encode() if isinstance(word, str) else word for word in words]
        lines = [b"*%d" % len(parts)]
        for part in parts:
            lines += [b"$%d" % len(part), part]
        async with self._turn:
            self._writer.write(b"\r\n".join([*lines, b""]))
            return await self._answer()

    async def _answer(self) -> Any:
        line = (await self._reader.readuntil(b"\r\n"))[:-2]
        kind, text = line[:1], line[1:]
        if kind == b"-":
            raise RuntimeError(text.decode())
        if kind == b"$":
            return None if text == b"-1" else (await self._reader.readexactly(int(text) + 2))[:-2]
        if kind == b"*":
            return [await self._answer() for _ in range(int(text))]
        return int(text) if kind == b":" else text

    async def create(self) -> str:
        """Make a log."""
        log = f"{self._node}{len(self._tokens)}"
        await self.take(log)
        return log

    async def append(self, log: str, entry: JournalEntry) -> None:
        """Add the entry if the token is the current one."""
        values = (self._tokens[log], f"{entry.entry_id}-0", str(entry.at_ms), entry.frames)
        keys = (f"token:{log}", f"log:{log}")
        if not await self._call("EVALSHA", self._script, "2", *keys, *values):
            raise LogLostError([log])

    async def give_up(self, log: str) -> None:
        """Do nothing: `take` works against an owner that still writes."""

    async def take(self, log: str) -> None:
        """Raise the token."""
        self._tokens[log] = b"%d" % await self._call("INCR", f"token:{log}")

    async def entries(self, log: str) -> AsyncIterator[JournalEntry]:
        """Read the stream in pages."""
        after = b"-"
        while page := await self._call("XRANGE", f"log:{log}", after, "+", "COUNT", str(_PAGE)):
            for number, (_, at_ms, _, frames) in page:
                yield JournalEntry(int(number.partition(b"-")[0]), int(at_ms), frames)
            after = b"(" + page[-1][0]

    async def close(self) -> None:
        """End the connection."""
        self._writer.close()
        await self._writer.wait_closed()


JOURNALS: Final[dict[str, type[Journal]]] = {
    "postgresql": PostgresqlJournal,
    "jetstream": JetStreamJournal,
    "jetstream-late": JetStreamJournal,
    "redis": RedisJournal,
}
