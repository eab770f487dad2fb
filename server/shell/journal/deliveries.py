"""What waits for a commit: actions for the moment when everything before them has been stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from doublecross.server.core.storage import StoreError


class Delivery(Protocol):
    """An action for the moment when everything queued before it has been stored."""

    def deliver(self) -> None:
        """Carry out the action, because everything is stored."""

    def fail(self) -> None:
        """Handle that something could not be stored."""

    def facts(self) -> Mapping[str, Any]:
        """Return what identifies it in the log."""
        ...

    @property
    def asker(self) -> object | None:
        """The peer that it is for, if it is for a single one."""
        ...

    @property
    def request_id(self) -> int | None:
        """The request of the peer that it answers, if it answers one."""
        ...


class CallbackDelivery:
    """A delivery made of two functions."""

    __slots__ = ("asker", "deliver", "fail", "request_id")

    def __init__(
        self,
        deliver: Callable[[], None],
        fail: Callable[[], None],
        asker: object | None = None,
        request_id: int | None = None,
    ) -> None:
        self.deliver = deliver
        self.fail = fail
        self.asker = asker
        self.request_id = request_id

    def facts(self) -> Mapping[str, Any]:
        """Return the name of the function."""
        return {"made_by": getattr(self.deliver, "__qualname__", "")}


class Waiter:
    """A delivery that completes a future, unless its awaiter has cancelled it."""

    __slots__ = ("_sentence", "stored")
    asker = None
    request_id = None

    def __init__(self, sentence: str) -> None:
        self.stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sentence = sentence

    def deliver(self) -> None:
        """Complete the future."""
        if not self.stored.done():
            self.stored.set_result(None)

    def fail(self) -> None:
        """Let the future fail with a `StoreError`."""
        if not self.stored.done():
            self.stored.set_exception(StoreError(self._sentence))

    def facts(self) -> Mapping[str, Any]:
        """Return nothing: whoever awaits the future knows it."""
        return {}
