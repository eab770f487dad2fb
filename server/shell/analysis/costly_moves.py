"""Find the moves that cost a bot most in its newest games, from the reports of these games.

Who asks starts at most one report that is missing, and asks again to get the next one. So a bot
whose page nobody reads costs nothing, and one with many games holds one place in the queue.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from doublecross.games.api.sentence import Sentence
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow, Store
from doublecross.server.shell.analysis.reviews import ReviewService

GAMES: Final = 20
"""How many of the newest games count."""
MOVES: Final = 10
"""How many moves are shown."""
LEAST: Final = 0.5
"""The least cost of a move that is shown, in boxes; half of one is the step to a draw."""


@dataclass(frozen=True, slots=True)
class CostlyMove:
    """A move of a report (`fields`), which the bot in `seat` played in the game `row`."""

    row: GameRow
    seat: int
    params: dict[str, int]
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CostlyMoves:
    """The costliest `moves` first, in the `judged` ones among the newest `games`.

    `working`: another report is being made. `reason` says why there is none of the others.
    """

    moves: list[CostlyMove]
    games: int
    judged: int
    working: bool
    reason: Sentence


async def costly_moves(
    reviews: ReviewService,
    store: Store,
    bot: tuple[str, str],
    owner: str,
    admit: Callable[[], None],
) -> CostlyMoves:
    """Return the costliest moves of a bot (its name and account id) that `owner` runs.

    If a report is missing, and none is being made for this owner, let the workers make it; `admit`
    may refuse that.

    Raises:
        StoreError: the database failed.
    """
    # No player has such a name: nobody gets notices, and the owner's own reviews go on.
    waiter = f"bots of\n{owner}"
    rows = [row for row in await store.own_games(*bot, limit=GAMES) if _counts(row)]
    found: list[CostlyMove] = []
    judged, reason, may_start = 0, Sentence(""), True
    for row in rows:
        report = await reviews.find(row.game_id)
        if report is not None:
            judged += 1
            seat = [name.casefold() for name in row.players].index(bot[0].casefold())
            found += await asyncio.to_thread(_costly, row, seat, report.text)
        elif reviews.is_waiting(waiter) or not may_start:
            continue
        elif problem := reviews.problem(row):
            reason = problem
        elif (whole := await store.game(row.game_id)) is not None:
            try:
                reason = (await reviews.ask(waiter, whole, admit)).reason or reason
            except Refused as refused:
                reason, may_start = refused.sentence, False
    found.sort(key=lambda move: move.fields["cost"], reverse=True)
    working = reviews.is_waiting(waiter)
    return CostlyMoves(found[:MOVES], len(rows), judged, working, reason)


def _counts(row: GameRow) -> bool:
    return row.plies > 0 and row.termination not in NO_RESULT


def _costly(row: GameRow, seat: int, text: bytes) -> list[CostlyMove]:
    report = json.loads(zlib.decompress(text))
    return [
        CostlyMove(row, seat, report["params"], move)
        for move in report["moves"]
        if move["seat"] == seat and move["sure"] and move["cost"] >= LEAST
    ]
