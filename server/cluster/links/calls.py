"""Call another run or the own one, and wait for its one answer.

Calls are for rare questions, such as an HTTP request. A call is a NATS request, with a msgpack
array: the caller's run, the name, the value, and how many seconds the caller waits. Its answer has
nothing and the result, or a number, an index of `_ERRORS`, and a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgpack
import nats.errors
import structlog
from nats.aio.msg import Msg

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.links.hub import Hub

MOST_HANDLED: Final = 1000
"""The most calls of others that are handled at once."""

Handler = Callable[[str, Any], Awaitable[Any] | Any]
"""Takes the caller's run and the value; returns the answer, or an awaitable of it."""

_log = structlog.get_logger("links")


class CallError(Exception):
    """A call has no answer. The classes below say why."""


class LinkDownError(CallError):
    """The run cannot be reached. The call was not handled."""


class LinkResetError(CallError):
    """The link broke while the call was under way. Whether it was handled is not known."""


class CallTimeoutError(CallError):
    """The answer did not arrive in time. Whether the call was handled is not known."""


class RefusedError(CallError):
    """The handler refuses the call; raise it in a handler with a sentence for the caller."""


class FailedError(CallError):
    """The handler has failed, or the run has none; a mistake of ours, which the other run logs."""


_ERRORS: Final = (CallTimeoutError, RefusedError, FailedError)
"""What an answer may be; it has the index."""


class NodeCalls:
    """The calls between runs. Make it, and name all handlers, before the hub opens."""

    def __init__(self, hub: Hub) -> None:
        self.own = hub.run
        self._hub = hub
        self._handlers: dict[str, Handler] = {}
        self._waiting: dict[asyncio.Timeout, str] = {}
        """The deadlines of the calls to other runs, with these runs."""
        self._tasks = BackgroundTasks()
        hub.on_call = self._take
        hub.on_reset.append(self._reset)

    def serve(self, name: str, handler: Handler) -> None:
        """Let `handler` answer the calls with this name, those of the own run included."""
        self._handlers[name] = handler

    async def call(self, run: str, name: str, value: Any, timeout_s: float) -> Any:
        """Return the answer of a run.

        Raises:
            CallError: there is no answer; the classes above say why.
            nats.errors.MaxPayloadError: the value does not fit into one message.
        """
        if run == self.own:
            return await self._handle(run, name, value)
        if run not in self._hub.reachable():
            raise LinkDownError(f"run {run} cannot be reached; {name!r} was not sent")
        payload = msgpack.packb((self.own, name, value, timeout_s))
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                self._waiting[deadline] = run
                answer = await self._hub.request(run, payload, timeout_s)
        except TimeoutError:
            if deadline not in self._waiting:
                raise LinkResetError(f"the link to run {run} broke") from None
            raise CallTimeoutError(f"no answer to {name!r} within {timeout_s} s") from None
        except (nats.errors.NoRespondersError, nats.errors.ConnectionClosedError) as error:
            raise LinkDownError(f"run {run} did not get {name!r}: {error}") from None
        finally:
            self._waiting.pop(deadline, None)
        number, result = msgpack.unpackb(answer)
        if number is not None:
            raise _ERRORS[number](result)
        return result

    async def ask_all(self, name: str, value: Any, timeout_s: float) -> dict[str, Any]:
        """Return the answers of all runs that can be reached and answer, by run."""
        answers: dict[str, Any] = {}

        async def ask(run: str) -> None:
            try:
                answers[run] = await self.call(run, name, value, timeout_s)
            except CallError as error:
                _log.warning("node_not_asked", run=run, what=name, reason=str(error))

        await asyncio.gather(*map(ask, (self.own, *self._hub.reachable())))
        return answers

    def tell_all(self, name: str, value: Any, timeout_s: float) -> None:
        """Send a call to all runs that can be reached; ignore their answers."""
        self._tasks.start(self.ask_all(name, value, timeout_s))

    async def close(self) -> None:
        """End the handling of all calls."""
        await self._tasks.close()

    def _reset(self, run: str) -> None:
        """Fail the calls to a run whose link has broken; nobody knows whether they were handled.

        The calls that came from it are handled to their end, because others may see their effects.
        """
        for deadline in [each for each, waits_for in self._waiting.items() if waits_for == run]:
            if not deadline.expired():
                del self._waiting[deadline]
                deadline.reschedule(0)

    async def _take(self, message: Msg) -> None:
        self._tasks.start(self._answer(message))  # other calls do not wait for it

    async def _handle(self, run: str, name: str, value: Any) -> Any:
        result = self._handlers[name](run, value)
        return await result if inspect.isawaitable(result) else result

    async def _answer(self, message: Msg) -> None:
        run, name, value, timeout_s = msgpack.unpackb(message.data)
        try:
            if len(self._tasks) > MOST_HANDLED:
                raise RefusedError(f"run {self.own} handles too many calls")
            async with asyncio.timeout(timeout_s):
                answer = msgpack.packb((None, await self._handle(run, name, value)))
            if len(answer) > self._hub.most_bytes:
                raise ValueError(f"an answer of {len(answer)} bytes is too long")
        except TimeoutError:
            answer = msgpack.packb((0, f"{name!r} took longer than {timeout_s} s"))
        except RefusedError as error:
            answer = msgpack.packb((1, str(error)))
        except Exception:  # noqa: BLE001, the caller always gets an answer
            _log.exception("call_failed", call=name, run=run)
            answer = msgpack.packb((2, f"{name!r} failed; see the log of run {self.own}"))
        with contextlib.suppress(nats.errors.Error):  # the link may have broken meanwhile
            await message.respond(answer)
