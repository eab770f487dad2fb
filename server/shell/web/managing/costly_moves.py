"""Find the moves that cost a bot most in its newest games, from the reports of these games.

Who asks starts at most one report that is missing, and asks again to get the next one. So a bot
whose page nobody reads costs nothing, and one with many games holds one place in the queue.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.games.registry import make_game
from doublecross.protocol.common import Phrase
from doublecross.protocol.review_messages import ReviewReport
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Login
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow, Store
from doublecross.server.shell.analysis.reviews import ReviewService
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web.managing.account_answers import (
    CostlyMoveAnswer,
    CostlyMovesAnswer,
)

_GAMES: Final = 20
"""How many of the newest games count."""
_MOVES: Final = 10
"""How many moves are shown."""
_LEAST: Final = 0.5
"""The least cost of a move that is shown, in boxes; half of one is the step to a draw."""


async def costly_moves(
    reviews: ReviewService, store: Store, bot: Login, owner: str, admit: Callable[[], None]
) -> CostlyMovesAnswer:
    """Return the costliest moves of a bot that the account `owner` runs.

    If a report is missing, and none is being made for this owner, let the workers make it; `admit`
    may refuse that.

    Raises:
        StoreError: the database failed.
    """
    # No player has such a name: nobody gets notices, and the owner's own reviews go on.
    waiter, name = f"bots of\n{owner}", bot.player.name
    rows = await store.own_games(name, bot.account.account_id, limit=_GAMES)
    rows = [row for row in rows if row.plies and row.termination not in NO_RESULT]
    moves: list[CostlyMoveAnswer] = []
    judged, reason, may_start = 0, Sentence(""), True
    for row in rows:
        if (report := await reviews.find(row.game_id)) is not None:
            judged += 1
            moves += await asyncio.to_thread(_costly, row, name, report.text)
        elif not may_start or reviews.is_waiting(waiter):
            continue
        elif problem := reviews.problem(row):
            reason = problem
        elif (whole := await store.game(row.game_id)) is not None:
            try:
                reason = (await reviews.ask(waiter, whole, admit)).reason or reason
            except Refused as refused:
                reason, may_start = refused.sentence, False
    moves.sort(key=lambda each: each.move.cost, reverse=True)
    return CostlyMovesAnswer(
        moves=moves[:_MOVES],
        games=len(rows),
        judged=judged,
        working=reviews.is_waiting(waiter),
        reason=reason,
        phrase=None if reason.phrase is None else Phrase(**reason.phrase),
    )


def _costly(row: GameRow, name: str, text: bytes) -> list[CostlyMoveAnswer]:
    """Return the costly moves of the player `name` in the report `text` of the game `row`."""
    report = ReviewReport.model_validate_json(zlib.decompress(text))
    game = make_game(report.game, report.params)
    seat = [each.casefold() for each in row.players].index(name.casefold())
    return [
        CostlyMoveAnswer(
            game=row.game_id,
            code=row.code,
            title=title_of(row.game, row.size),
            opponent=row.players[1 - seat],
            unit=game.unit,
            played=game.action_name(move.action),
            better=game.action_name(move.best[0]),
            move=move,
        )
        for move in report.moves
        if move.seat == seat and move.sure and move.cost >= _LEAST
    ]
