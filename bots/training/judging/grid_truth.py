"""Measure a player of a solved game: how often it finds a best move, and what its mistakes cost.

The figures are those of `doublecross.bots.training.judging.truth`, in points: a win is worth a
point, and a draw half of one.
"""

from __future__ import annotations

from random import Random

from doublecross.bots.training.judging.figures import TruthFigures
from doublecross.bots.training.judging.grid_games import GridPlayer, PerfectGridPlayer
from doublecross.bots.training.judging.solved import SolvedGame
from doublecross.bots.training.teachers.grid_selfplay import random_position


def measure_grid(
    solved: SolvedGame, player: GridPlayer, *, games: int, positions: int, seed: str
) -> TruthFigures:
    """Measure `player` in `games` games from the first position, with both colours in turn."""
    rng = Random(f"{seed}/games")
    perfect = PerfectGridPlayer(solved, rng)
    lost = 0
    for number in range(games):
        state = solved.game.initial_state()
        while not state.is_terminal():
            if state.current_player() == number % 2:
                values = solved.values(state)
                action = player.choose(state)
                lost += max(values.values()) - values[action]
            else:
                action = perfect.choose(state)
            state.apply(action)
    longest = solved.game.max_game_length
    rng = Random(f"{seed}/positions")
    best = loss = 0
    for _ in range(positions):
        state = random_position(solved.game, rng, rng.randrange(longest))
        values = solved.values(state)
        less = max(values.values()) - values[player.choose(state)]
        best += less == 0
        loss += less
    # A result is from -1 to 1, so two of its units are a point.
    return TruthFigures(
        games, lost / 2 / max(1, games), positions, best / max(1, positions),
        loss / 2 / max(1, positions),
    )  # fmt: skip
