"""Keep a person's results against the levels, and say which level to try next."""

from __future__ import annotations

from collections.abc import Mapping

from doublecross.analysis.ladder import LevelResults, advice, results_from_text
from doublecross.client.language import said
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.games.api import Game


def counted(snapshot: RoomSnapshot, levels: Levels) -> tuple[str, int] | None:
    """Return the key under which a finished match counts, and its result; None if it does not.

    The result is 1 for a win of this player, 0 for a draw and -1 for a loss. Matches count against
    a level, from the empty board, and if they have a result.
    """
    if snapshot.seat is None or snapshot.result is None:
        return None
    if snapshot.opening or snapshot.start:
        return None
    opponent = snapshot.players[1 - snapshot.seat]
    level = None if opponent is None else levels.of(opponent)
    if level is None or snapshot.result.termination in ("aborted", "void"):
        return None
    winner = snapshot.result.winner
    result = 0 if winner is None else 1 if winner == snapshot.seat else -1
    return ladder_key(snapshot.game, levels.names[level - 1]), result


def ladder_key(game: Game, level: str) -> str:
    """Return the key of the results in a game and size against a level."""
    return f"{game.key} {game.size} {level}"


def with_result(kept: Mapping[str, str], key: str, result: int) -> str:
    """Return the text of the results under `key` after another match."""
    return _read(kept.get(key, "")).after(result).to_text()


def level_advice(kept: Mapping[str, str], game: Game, level: str, levels: Levels) -> str:
    """Return a sentence where `level` is chosen: the results against it, and what to try next."""
    results = {name: _read(kept.get(ladder_key(game, name), "")) for name in levels.names}
    return " ".join(map(said, advice(level, levels.names, results)))


def advice_after(kept: Mapping[str, str], snapshot: RoomSnapshot, levels: Levels) -> str:
    """Return what to say after a match against a level; empty after other matches."""
    if (found := counted(snapshot, levels)) is None:
        return ""
    level = found[0].rpartition(" ")[2]
    return level_advice(kept, snapshot.game, level, levels)


def _read(text: str) -> LevelResults:
    """Read results; those that somebody has changed by hand begin again."""
    try:
        return results_from_text(text)
    except ValueError:
        return LevelResults()
