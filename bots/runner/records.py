"""Read the result of a game from its record, for a room that closed while the bot was away."""

from __future__ import annotations

from typing import Final, cast

from doublecross.bots.runner.config import GameResult, RunnerError
from doublecross.client.core.errors import RequestRefused
from doublecross.client.transport import Client
from doublecross.games.api import GameError
from doublecross.games.record import parse_record
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import Termination

_WINNERS: Final = {"1-0": 0, "0-1": 1}


async def recorded_result(
    client: Client, room: str, match: int, settings: MatchSettings, seat: int
) -> GameResult:
    """Return the result of match number `match` of `room`, in which this player had `seat`.

    Raises:
        RunnerError: there is no such record, or it cannot be read.
        TimeoutError: the server does not answer.
        ConnectionEnded: the connection is over for good.
    """
    game_id = f"{room}-{match}"
    try:
        record = parse_record((await client.get_record(game_id)).text)
        scores = record.final_state().scores()
    except RequestRefused as refused:
        raise RunnerError(f"Room {room} is gone: {refused.sentence}") from None
    except GameError as error:
        raise RunnerError(f"The record of game {game_id} cannot be read: {error}") from None
    return GameResult(
        game_id=game_id,
        room=room,
        match=match,
        settings=settings,
        opponent=record.players[1 - seat],
        seat=seat,
        winner=_WINNERS.get(record.result),
        termination=cast(Termination, record.termination or "completed"),
        scores=scores,
        moves=len(record.moves),
    )
