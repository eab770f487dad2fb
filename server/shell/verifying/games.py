"""Check the rows of finished games against their records, and the records against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from doublecross.games.api import GameError
from doublecross.games.record import parse_record
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow

TO_DO: Final = "Other games are not affected. A backup from before may have it whole."


def wrong_in_game(row: GameRow) -> Iterator[str]:
    """Yield what is wrong with a finished game: one sentence each, without its id."""
    try:
        record = parse_record(row.record)
        state = record.final_state()
    except GameError as error:
        yield f"its record cannot be read ({str(error).rstrip('.')})"
        return
    tags = dict(record.tags)
    compared: dict[str, tuple[object, object]] = {
        "the game": (record.game.key, row.game),
        "the size": (record.game.size, row.size),
        "the players": (record.players, row.players),
        "the time control": (record.time_control, row.time_control),
        "the termination": (record.termination, row.termination),
        "the result": (record.result, row.result),
        "the number of moves": (len(record.moves), row.plies),
        "the scores": (state.scores(), row.scores),
        "the room": (tags.get("Room", row.room), row.room),
        "the tag Rated": (tags.get("Rated", _yes(row.rated)), _yes(row.rated)),
    }
    for name, (found, stored) in compared.items():
        if found != stored:
            yield f"its row has {name} {_text(stored)}, its record {_text(found)}"
    expected = {0: "1-0", 1: "0-1", None: "1/2-1/2"}.get(row.winner)
    if row.termination in NO_RESULT:
        expected = "*"
    if row.result != expected:
        yield f"its result is {row.result}, but its winner is {row.winner}"
    if row.private != (row.code is not None):
        kind = ("public", "private")
        yield f"it is {kind[row.private]}, but its room was {kind[not row.private]}"
    if row.finished_ms < row.started_ms:
        yield "it ended before it began"


def _yes(rated: bool) -> str:
    return "yes" if rated else "no"


def _text(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, tuple) else str(value)
