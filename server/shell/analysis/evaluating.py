"""Judge moves of matches in play for their spectators, once for all who ask."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from doublecross.analysis.judgement import Judgement
from doublecross.analysis.report import MoveReport, judge_move
from doublecross.analysis.values import PositionValues
from doublecross.games.api import State
from doublecross.server.shell.analysis.advice import AdviceFailedError, AdviceService

MOST_AT_ONCE: Final = 2
"""How many moves are being judged or wait, so that players who ask for advice wait for few."""
MOST_KEPT: Final = 200
"""How many judged moves are kept."""

Key: TypeAlias = tuple[str, int, int, int]
"""A move: its room, match, ply, and the number of takebacks before it."""


class Evaluations:
    """Judge moves with an adviser. All who ask for one move get the same answer."""

    def __init__(self, advice: AdviceService) -> None:
        self._advice = advice
        self._kept: OrderedDict[Key, MoveReport] = OrderedDict()
        self._judging: dict[Key, asyncio.Task[MoveReport]] = {}

    async def judge(self, key: Key, state: State, action: int) -> MoveReport:
        """Return what `action` in `state` was worth; `key` names this move.

        Raises:
            AdviceFailedError: nobody can say, or too many matches are evaluated now.
        """
        known = self._kept.get(key)
        if known is not None:
            return known
        judging = self._judging.get(key)
        if judging is None:
            if len(self._judging) >= MOST_AT_ONCE:
                raise AdviceFailedError("Many matches are evaluated now; wait for the next move.")
            judging = asyncio.create_task(self._judge(key, state, action), name="evaluation")
            self._judging[key] = judging
            judging.add_done_callback(partial(self._judged, key))
        # A spectator who goes away must not take the answer from the others.
        return await asyncio.shield(judging)

    async def _judge(self, key: Key, state: State, action: int) -> MoveReport:
        values = await self._advice.values(f"room {key[0]}", state)
        # The sentences of a large board take longer than a turn of the event loop may.
        return await asyncio.to_thread(judge_move, state, action, None, _Known(values))

    def _judged(self, key: Key, judging: asyncio.Task[MoveReport]) -> None:
        self._judging.pop(key, None)
        if judging.cancelled() or judging.exception() is not None:
            return
        self._kept[key] = judging.result()
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Known:
    """An evaluator that has been told the values of the position."""

    values: PositionValues

    def judge(self, state: State, action: int) -> Judgement:
        """Return the judgement of `action`."""
        return self.values.judgement(action)
