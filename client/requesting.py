"""Define what sends requests and returns their answers, and check the type of an answer."""

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
def expect(answer: object, kind: type[First], /) -> First: ...
@overload
def expect(answer: object, kind: type[First], other: type[Second], /) -> First | Second: ...
def expect(answer: object, *kinds: type[object]) -> object:
    """Return `answer`, whose type must be one of `kinds`.

    Raises:
        RequestRefused: its type is none of `kinds`.
    """
    if isinstance(answer, kinds):
        return answer
    raise RequestRefused(
        "unexpected_answer",
        "The server answered with {type}, which does not fit the request.",
        type(answer).__name__,
    )
