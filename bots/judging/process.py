"""Control a review process (`doublecross.bots.judging.worker`) from the process that started it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from doublecross.processes.child import Child, Message

MODULE: Final = "doublecross.bots.judging.worker"
MEMORY_MB: Final = 2048
"""The most data of a process, in MiB. It uses 300 to 400."""


class NoReviewError(Exception):
    """A game cannot be judged; the text is one sentence for people."""


@dataclass(frozen=True, slots=True)
class PackedReport:
    """A report as JSON (`text`) and as msgpack (`packed`), both compressed with zlib."""

    text: bytes
    packed: bytes


class ReviewProcess:
    """Orders reports from a process, one at a time. Make one with `start`; end it with `end`.

    If `judge` is cancelled or fails, call `give_up` or `end` next.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._number = 0
        """The number of the last order."""

    @classmethod
    async def start(
        cls, title: str, on_error_line: Callable[[str], None], *, expendable: bool = False
    ) -> Self:
        """Start a process, which sentences call `title`.

        See `doublecross.processes.child.Child.start`.

        Raises:
            OSError: it cannot be started.
        """
        return cls(
            await Child.start(
                title,
                MODULE,
                on_error_line=on_error_line,
                expendable=expendable,
                memory_mb=MEMORY_MB,
            )
        )

    @property
    def is_running(self) -> bool:
        """Return whether the process has not ended."""
        return self._child.is_running

    async def judge(
        self,
        record: str,
        progress: Callable[[int], None],
        *,
        most_bytes: int | None = None,
        silence_s: float | None = None,
    ) -> PackedReport:
        """Return the report of the game in a text record.

        `progress` receives how many moves are judged, a few times a second. The report may have
        `most_bytes` bytes as JSON, and between two messages may be `silence_s` seconds.

        Raises:
            NoReviewError: the game cannot be judged, or its report is too long.
            TimeoutError: the process was silent for too long.
            ChildEnded: the process has ended.
        """
        self._number += 1
        self._child.send({"number": self._number, "record": record, "most_bytes": most_bytes})
        while True:
            async with asyncio.timeout(silence_s):
                answer = await self._receive()
            match answer["what"]:
                case "judged":
                    progress(answer["moves"])
                case "report":
                    return PackedReport(
                        base64.b64decode(answer["text"]), base64.b64decode(answer["packed"])
                    )
                case _:
                    raise NoReviewError(answer["sentence"])

    async def give_up(self) -> None:
        """Withdraw the last order, and wait until the process has stopped to work on it.

        Raises:
            ChildEnded: the process has ended.
        """
        self._child.send({"stop": self._number})
        while (await self._receive())["what"] == "judged":
            pass

    async def end(self, *, kill: bool = False) -> None:
        """End the process, at once with `kill`."""
        if kill:
            self._child.kill()
        await self._child.stop()

    async def _receive(self) -> Message:
        """Return the next message about the last order.

        Raises:
            ChildEnded: the process has ended.
        """
        while (message := await self._child.expect())["number"] != self._number:
            pass
        return message
