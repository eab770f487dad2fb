"""Call another run, and wait for its one answer.

Calls are for rare questions, such as an HTTP request. They travel on the links of the hub. When a
link breaks, all calls that wait for it fail, and their callers cannot know whether they were
handled. Values are of any type that msgpack can carry.

A call is a msgpack array: `CALL`, a number, the name, the value, and how many seconds the caller
waits. Its answer is `ANSWER`, the number and the value, or `ERROR`, the number, a code and a
sentence.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Final

import msgpack
import structlog

from doublecross.server.cluster.links.hub import Hub

MOST_WAITING: Final = 1000
"""The most calls of this run that wait for answers at once."""
MOST_HANDLED: Final = 1000
"""The most calls of others that are handled at once."""
LONGEST_S: Final = 60.0
"""The longest that a call is handled, in seconds."""

CALL: Final = 0
ANSWER: Final = 1
ERROR: Final = 2

REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
BUSY: Final = "busy"
LATE: Final = "late"
INTERNAL: Final = "internal"

Handler = Callable[[str, Any], Awaitable[Any] | Any]
"""Takes the caller's run and the value; returns the answer, or an awaitable of it."""

_log = structlog.get_logger("links")


class CallError(Exception):
    """A call has no answer. The classes below say why."""


class LinkDownError(CallError):
    """The run cannot be reached. The call was not sent."""


class LinkResetError(CallError):
    """The link broke while the call was under way. Whether it was handled is not known."""


class CallTimeoutError(CallError):
    """The answer did not arrive in time. Whether the call was handled is not known."""


class BusyError(CallError):
    """Too many calls are under way. The call was not handled."""


class RefusedError(CallError):
    """The handler refuses the call; raise it in a handler with a sentence for the caller."""


class FailedError(CallError):
    """The handler has failed, or the run has none; a mistake of ours, which the other run logs."""


class Calls:
    """The calls between this run and others. Name the handlers before the hub opens."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._handlers: dict[str, Handler] = {}
        self._numbers = count(1)
        self._waiting: dict[tuple[str, int], asyncio.Future[Any]] = {}
        self._handled: set[asyncio.Task[None]] = set()
        hub.on_calls.append(self._take)
        hub.on_reset.append(self._reset)

    def serve(self, name: str, handler: Handler) -> None:
        """Let `handler` answer the calls with this name."""
        if name in self._handlers:
            raise ValueError(f"calls of {name!r} have a handler already")
        self._handlers[name] = handler

    async def call(self, run: str, name: str, value: Any, timeout_s: float) -> Any:
        """Return the answer of a run.

        Raises:
            RefusedError: the handler refuses; the message is its sentence.
            LinkDownError: the run cannot be reached.
            LinkResetError: the link broke.
            CallTimeoutError: there was no answer within `timeout_s`.
            BusyError: too many calls are under way, here or there.
            FailedError: the handler failed.
            TooLargeError: the value does not fit into one message.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} calls wait for answers; {name!r} was not sent")
        number = next(self._numbers)
        sent = self._hub.to(run).send_call(msgpack.packb((CALL, number, name, value, timeout_s)))
        if not sent:
            raise LinkDownError(f"run {run} cannot be reached; {name!r} was not sent")
        answer = asyncio.get_running_loop().create_future()
        self._waiting[run, number] = answer
        try:
            async with asyncio.timeout(timeout_s):
                return await answer
        except TimeoutError:
            raise CallTimeoutError(
                f"run {run} did not answer {name!r} within {timeout_s} s"
            ) from None
        finally:
            self._waiting.pop((run, number), None)

    async def close(self) -> None:
        """End the handling of all calls, and fail those that wait."""
        for run in {run for run, _ in self._waiting}:
            self._reset(run)
        tasks = tuple(self._handled)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _reset(self, run: str) -> None:
        """Fail the calls to a run whose link has broken.

        The calls that came from it are handled to their end, because others may see their effects.
        """
        for (waits_for, _), answer in self._waiting.items():
            if waits_for == run and not answer.done():
                answer.set_exception(LinkResetError(f"the link to run {run} broke"))

    def _take(self, run: str, items: list[bytes]) -> None:
        for item in items:
            match msgpack.unpackb(item):
                case [0, int(number), str(name), value, float(timeout_s) | int(timeout_s)]:
                    self._handle(run, number, name, value, timeout_s)
                case [1, int(number), value]:
                    self._settle(run, number, value, None)
                case [2, int(number), str(code), str(sentence)]:
                    self._settle(run, number, None, _error(code, sentence))
                case _:
                    raise ValueError(f"run {run} sent neither a call nor an answer")

    def _settle(self, run: str, number: int, value: Any, error: CallError | None) -> None:
        answer = self._waiting.get((run, number))
        if answer is None or answer.done():
            return  # its caller has given up
        if error is None:
            answer.set_result(value)
        else:
            answer.set_exception(error)

    def _handle(self, run: str, number: int, name: str, value: Any, timeout_s: float) -> None:
        handler = self._handlers.get(name)
        if handler is None:
            self._answer(run, (ERROR, number, UNKNOWN, f"run {self._hub.run} has no {name!r}"))
        elif len(self._handled) >= MOST_HANDLED:
            self._answer(run, (ERROR, number, BUSY, f"run {self._hub.run} handles too many calls"))
        else:
            work = self._work(run, number, name, handler, value, min(timeout_s, LONGEST_S))
            task = asyncio.get_running_loop().create_task(work)
            self._handled.add(task)
            task.add_done_callback(self._handled.discard)

    async def _work(
        self, run: str, number: int, name: str, handler: Handler, value: Any, timeout_s: float
    ) -> None:
        """Answer one call, whatever happens, unless the task is cancelled."""
        try:
            async with asyncio.timeout(timeout_s):
                result = handler(run, value)
                if inspect.isawaitable(result):
                    result = await result
            self._answer(run, (ANSWER, number, result))
        except RefusedError as error:
            self._answer(run, (ERROR, number, REFUSED, str(error)))
        except TimeoutError:
            _log.warning("call_late", call=name, run=run, timeout_s=timeout_s)
            self._answer(run, (ERROR, number, LATE, f"{name!r} took longer than {timeout_s} s"))
        except Exception:  # noqa: BLE001, the caller always gets an answer
            _log.exception("call_failed", call=name, run=run)
            self._answer(run, (ERROR, number, INTERNAL, f"{name!r} failed; see the other log"))

    def _answer(self, run: str, answer: tuple[Any, ...]) -> None:
        peer = self._hub.peers.get(run)
        if peer is not None:
            peer.send_call(msgpack.packb(answer))


def _error(code: str, sentence: str) -> CallError:
    """Return the error that the caller gets for the code of an answer."""
    match code:
        case "refused":
            return RefusedError(sentence)
        case "busy":
            return BusyError(sentence)
        case "late":
            return CallTimeoutError(sentence)
        case _:
            return FailedError(sentence)
