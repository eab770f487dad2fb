"""Recorded games for tests of pictures."""

from __future__ import annotations

from random import Random

from doublecross.games.record import Record, RecordedMove
from doublecross.games.registry import make_game


def played(
    key: str = "dots-and-boxes",
    size: dict[str, int] | None = None,
    *,
    players: tuple[str, str] = ("Ann", "Bob"),
    plies: int | None = None,
    opening: tuple[int, ...] = (),
) -> Record:
    """Return a game of chance with the given number of moves, None for a whole one."""
    game, rng = make_game(key, size), Random(1)
    state = game.initial_state(opening)
    while not state.is_terminal() and state.ply != plies:
        state.apply(rng.choice(state.legal_actions()))
    first, second = state.returns()
    over = state.is_terminal()
    result = "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    return Record(
        game,
        players,
        tuple(RecordedMove(action) for action in state.history()),
        opening,
        result=result if over else "*",
        termination="completed" if over else "",
    )
