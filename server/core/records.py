"""Make the stored row and the text record of a finished match."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from doublecross.games.record import Record, format_played, with_headers
from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import GameRow


def engine_text(player: PlayerInfo | None) -> str:
    """Return a bot's engine such as ``rules 1``, or an empty text for people."""
    if player is None or player.engine is None:
        return ""
    return f"{player.engine.name} {player.engine.version}"


def rated_game(room: Room) -> RatedGame | None:
    """Return the room's finished match as a rated game, or None when it does not count.

    A match counts when it is rated, both have moved, and it has a result.
    """
    match = room.match
    first, second = room.players
    if not room.settings.rated or match is None or match.result is None:
        return None
    # Without a winner or a draw there is nothing to rate.
    end = match.result
    if end.termination in NO_RESULT or not end.both_moved or first is None or second is None:
        return None
    return RatedGame(
        room.game_id,
        room.game.key,
        room.game.size,
        (first.name, second.name),
        (engine_text(first), engine_text(second)),
        end.winner,
        room.finished_at or 0,
    )


def both_moved(moves: tuple[int, int], plies: int) -> bool:
    """Return whether both seats have moved in a stored game with so many moves of each."""
    # Old rows do not have these numbers.
    return all(moves) or (not any(moves) and plies > 1)


def rated_row(row: GameRow) -> RatedGame | None:
    """Return a stored game as a rated game, or None when it does not count."""
    first, second = row.thoughts
    if not row.rated or not both_moved((first.moves, second.moves), row.plies):
        return None
    if row.termination in NO_RESULT:
        return None
    return RatedGame(
        row.game_id, row.game, row.size, row.players, row.engines, row.winner, row.finished_ms
    )


def game_row(room: Room) -> GameRow:
    """Return the row of the room's finished match for the table of games."""
    match = room.match
    assert match is not None
    assert match.result is not None
    assert room.finished_at is not None
    first, second = room.players
    assert first is not None
    assert second is not None
    result = match.result
    started = room.started_at or room.finished_at
    engines = (engine_text(first), engine_text(second))
    tags = [("Room", room.id), ("Rated", "yes" if room.settings.rated else "no")]
    tags += [(f"Engine{seat}", text) for seat, text in enumerate(engines) if text]
    if room.settings.start:
        tags.append(("Start", f"after {len(room.settings.start)} moves"))
    tag = room.terms.tag
    if tag is not None:
        tags += [("Tournament", tag.tournament), ("Pair", str(tag.pairing + 1))]
    if match.takebacks.count:
        tags.append(("Takebacks", str(match.takebacks.count)))
    if result.reason:
        tags.append(("Reason", result.reason))
    time_control = room.settings.time.text
    record = Record(
        game=room.game,
        players=(first.name, second.name),
        moves=(),  # `format_played` takes them as the match has them
        opening=room.settings.opening,
        date=_date(started // 1000),
        time_control=time_control,
        result=result.text,
        termination=result.termination,
        tags=tuple(tags),
    )
    return GameRow(
        game_id=room.game_id,
        room=room.id,
        match=room.match_number,
        game=room.game.key,
        size=room.game.size,
        players=(first.name, second.name),
        engines=engines,
        rated=room.settings.rated,
        private=room.terms.private,
        time_control=time_control,
        started_ms=started,
        finished_ms=room.finished_at,
        termination=result.termination,
        result=result.text,
        winner=result.winner,
        scores=result.scores,
        plies=match.ply,
        record=format_played(record, match.moves, match.movers),
        tag=tag,
        thoughts=match.thought,
        code=room.terms.code,
        output=room.output,
    )


@lru_cache(maxsize=16)
def _date(second: int) -> str:
    """Return the date of a second since 1970. On a busy server many matches share it."""
    return datetime.fromtimestamp(second, UTC).isoformat()


def renamed_record(text: str, seat: int, name: str) -> str:
    """Return the text record of a game in which the player of a seat has another name now.

    The reason of the end can name the player at its beginning or at its end.

    Raises:
        BadRecord: the record cannot be read.
    """
    before: list[str] = []

    def change(header: str, value: str) -> str:
        if header == f"Seat{seat}":
            before.append(value)
            return name
        # Headers come in order, so the name is known by now.
        if header == "Reason" and before:
            # A function, because `re` reads a backslash in a text as a reference.
            value = re.sub(rf"^{re.escape(before[0])} ", lambda _: f"{name} ", value)
            return re.sub(rf" by {re.escape(before[0])}\.$", lambda _: f" by {name}.", value)
        return value

    return with_headers(text, change)
