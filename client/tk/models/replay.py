"""Replay a finished game once, and keep net score and clocks after each ply."""

from __future__ import annotations

from doublecross.client.tk.models.room.turns import MatchTurns
from doublecross.games.api import State
from doublecross.games.record import Record
from doublecross.protocol.common import TimeControl


class GameReplay:
    """The course of the game of `record`, whose moves must be legal.

    `nets` has seat 0's score minus seat 1's after 0, 1, 2 ... plies. `movers` has the seat of each
    move. `turns` groups the moves by turn, and `turn_ends` has the plies after which a turn ends,
    with 0 in front. `clocks` has both clocks after 0, 1, 2 ... plies, in milliseconds; it is empty
    for a game without clocks.
    """

    def __init__(self, record: Record) -> None:
        self.actions = tuple(move.action for move in record.moves)
        state = record.game.initial_state(record.opening)
        nets, movers = [_net(state)], []
        for action in self.actions:
            movers.append(state.current_player())
            state.apply(action)
            nets.append(_net(state))
        self.nets: tuple[int, ...] = tuple(nets)
        self.movers: tuple[int, ...] = tuple(movers)
        self.final_scores = state.scores()
        turns = MatchTurns(record.game)
        turns.follow(record.opening, self.actions)
        self.turns = turns.turns
        self.turn_ends = (0, *(turn.moves[-1][0] for turn in self.turns))
        self.clocks = _clocks(record, self.movers)

    @property
    def total(self) -> int:
        """The number of moves of the game."""
        return len(self.actions)

    def scored(self, ply: int) -> bool:
        """Return whether move number `ply`, from 1, scored; false for 0."""
        return ply > 0 and self.nets[ply] != self.nets[ply - 1]


def _clocks(record: Record, movers: tuple[int, ...]) -> tuple[tuple[int | None, int | None], ...]:
    if all(move.clock_ms is None for move in record.moves):
        return ()
    try:
        base = TimeControl.parse(record.time_control).base_ms
    except ValueError:
        base = None
    clocks = [base, base]
    found = [(base, base)]
    for move, seat in zip(record.moves, movers, strict=True):
        if move.clock_ms is not None:
            clocks[seat] = move.clock_ms
        found.append((clocks[0], clocks[1]))
    return tuple(found)


def _net(state: State) -> int:
    first, second = state.scores()
    return first - second
