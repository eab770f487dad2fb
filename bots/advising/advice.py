"""Ask the process `doublecross.bots.advising.adviser` about positions; start it when it is needed.

Theory of operation
-------------------
Every question has a number, and one task reads the answers. When the process ends, all open
questions fail with the reason, and the next question starts another process.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import Final

from doublecross.analysis.advice import Advice, Policy
from doublecross.analysis.as_json import phrase_from_fields, values_from_json
from doublecross.analysis.values import PositionValues
from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence
from doublecross.processes.child import Child, Message

log = logging.getLogger(__name__)

THINK_S: Final = 1.5
"""Seconds to think about a position."""
_ANSWER_S: Final = 120.0
"""The most seconds to wait for an answer. The first one takes long, because it compiles kernels."""
_MEMORY_MB: Final = 2048
"""The most data of the process, in MiB. It uses about 420, and more with many processors."""
_TITLE: Final = "The process that thinks about positions"


class AdviceError(Exception):
    """There is no answer about a position; the message is a sentence for people."""


class AdviceClient:
    """Asks one advice process at a time. Call all methods in one event loop."""

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        self._adviser: _AdviceProcess | None = None

    async def ask(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Return advice for the mover of the position after `opening` and `moves`.

        A newer question ends an older one.

        Raises:
            AdviceError: there is no advice.
        """
        found = await self._answer("advice", game, opening, moves)
        phrase = found["phrase"]
        return Advice(
            tuple(found["best"]),
            found["net"],
            found["exact"],
            None if phrase is None else phrase_from_fields(phrase),
        )

    async def policy(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Policy:
        """Return the policy of the network in the position after `opening` and `moves`.

        Raises:
            AdviceError: there is none.
        """
        found = await self._answer("policy", game, opening, moves)
        return Policy(tuple((action, share) for action, share in found["shares"]))

    async def values(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> PositionValues:
        """Return the values of all actions in the position after `opening` and `moves`.

        A newer question ends an older one.

        Raises:
            AdviceError: there are none.
        """
        found = await self._answer("values", game, opening, moves)
        return values_from_json(found["values"])

    async def _answer(
        self, ask: str, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> Message:
        """Ask a question, and start the process if necessary.

        Raises:
            AdviceError: the answer is a problem, or there is none.
        """
        question: Message = {
            "ask": ask,
            "game": game.key,
            "params": dict(game.params),
            "opening": list(opening),
            "moves": list(moves),
            "seconds": THINK_S,
        }
        # One caller at a time, so that only one process is started.
        async with self._starting:
            if self._adviser is None or self._adviser.ended:
                self._adviser = await _AdviceProcess.start()
            answer = self._adviser.ask(question)
        try:
            async with asyncio.timeout(_ANSWER_S):
                found = await answer
        except TimeoutError:
            raise AdviceError("Thinking about this position took too long.") from None
        if found["what"] != ask:
            raise AdviceError(found["sentence"])
        return found

    async def close(self) -> None:
        """Stop the process, if it runs."""
        async with self._starting:
            if self._adviser is not None:
                await self._adviser.close()


class _AdviceProcess:
    """A running advice process and its open questions."""

    def __init__(self, child: Child) -> None:
        self.ended = False
        self._child = child
        self._asked: dict[int, asyncio.Future[Message]] = {}
        self._numbers = itertools.count(1)
        self._listening = asyncio.create_task(self._listen(), name="adviser")

    @classmethod
    async def start(cls) -> _AdviceProcess:
        try:
            child = await Child.start(
                _TITLE,
                "doublecross.bots.advising.adviser",
                on_error_line=log.info,
                memory_mb=_MEMORY_MB,
            )
        except OSError as error:
            reason = error.strerror or error
            raise AdviceError(
                Sentence(
                    "The process that thinks about positions cannot be started: {reason}.", reason
                )
            ) from None
        return cls(child)

    def ask(self, question: Message) -> asyncio.Future[Message]:
        """Send a question; return the future of its answer."""
        number = next(self._numbers)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda _: self._asked.pop(number, None))
        self._asked[number] = answer
        self._child.send({"id": number, **question})
        return answer

    async def close(self) -> None:
        self.ended = True
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        await self._child.stop()

    async def _listen(self) -> None:
        while (message := await self._child.receive()) is not None:
            answer = self._asked.get(message["id"])
            if answer is not None and not answer.done():
                answer.set_result(message)
        self.ended = True  # before any await: nothing reads further answers
        sentence = await self._child.ending_sentence()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_result({"what": "problem", "sentence": sentence})
        await self._child.stop()
