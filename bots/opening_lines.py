"""Read openings from the text of a file that a user has written or exported.

There is one opening a line: moves by name or number, or a line ``position`` of UGI, all of whose
actions become the opening. A text that begins with a header has records instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from doublecross.bots.ugi import read_position
from doublecross.games.api import BadRecord, Game, GameError
from doublecross.games.record import parse_records, split_records

Opening = tuple[int, ...]


def read_openings(game: Game, text: str, length: int | None = None) -> tuple[Opening, ...]:
    """Return the different openings in `text`, in its order, each allowed in `game`.

    With `length` an opening is the first so many actions. A record without it gives the opening
    from which its game was played.

    Raises:
        BadRecord: a line makes no sense, or has fewer actions; the message names the line.
    """
    found: dict[Opening, None] = {}
    records = text.removeprefix("\ufeff").lstrip().startswith("[")
    for number, actions in _recorded(game, text, length) if records else _lines(game, text):
        try:
            if length is not None and len(actions) < length:
                raise BadRecord(f"The opening needs {length} moves, but there are {len(actions)}.")
            game.initial_state(actions[:length])
        except GameError as error:
            raise BadRecord(f"Line {number}: {error}") from None
        found[actions[:length]] = None
    return tuple(found)


def _lines(game: Game, text: str) -> Iterator[tuple[int, Opening]]:
    """Yield the number of each line that has an opening, and its actions."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        try:
            if words.startswith("position"):
                state = read_position(game, words)
                actions = state.opening + state.history()
            else:
                actions = tuple(map(game.parse_action, words.replace(",", " ").split()))
        except GameError as error:
            raise BadRecord(f"Line {number}: {error}") from None
        yield number, actions


def _recorded(game: Game, text: str, length: int | None) -> Iterator[tuple[int, Opening]]:
    """Yield the number of the first line of each record, and its opening with its moves.

    Without `length` the moves are left out.
    """
    for number, part in split_records(text):
        (record,) = parse_records(part, number)
        if record.game != game:
            raise BadRecord(
                f"Line {number}: The record is of {record.game.full_title}, not of"
                f" {game.full_title}."
            )
        moves = () if length is None else tuple(move.action for move in record.moves)
        yield number, record.opening + moves
