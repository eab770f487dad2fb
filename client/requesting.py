"""Define what sends requests, returns their answers, and checks the type of an answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar, overload

from doublecross.client.core.build import Build
from doublecross.client.core.errors import RequestRefused
from doublecross.protocol.server_messages import ServerMessage

First = TypeVar("First")
Second = TypeVar("Second")


class Requester(ABC):
    """Sends requests."""

    @abstractmethod
    async def request(self, build: Build, *, timeout: float | None = None) -> ServerMessage:
        """Send the request that `build` makes with a new id, and return the answer."""

    @abstractmethod
    def new_key(self) -> str:
        """Return a new idempotency key."""

    @overload
    async def ask(
        self, build: Build, kind: type[First], /, *, timeout: float | None = None
    ) -> First: ...
    @overload
    async def ask(
        self,
        build: Build,
        kind: type[First],
        other: type[Second],
        /,
        *,
        timeout: float | None = None,
    ) -> First | Second: ...
    async def ask(self, build: Build, *kinds: type[object], timeout: float | None = None) -> object:
        """Send a request as `request` does, and return its answer, which is one of `kinds`.

        Raises:
            RequestRefused: the server refused, or its answer is none of `kinds`.
        """
        answer = await self.request(build, timeout=timeout)
        if isinstance(answer, kinds):
            return answer
        raise RequestRefused(
            "unexpected_answer",
            "The server answered with {type}, which does not fit the request.",
            type(answer).__name__,
        )
