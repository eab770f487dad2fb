"""Measure a network against the truth: how often it finds a best move, and how many boxes it loses.

Two figures say how good a network is where the exact search knows the answer:

- the share of positions in which the network's first choice is a best move, and the boxes that it
  loses in the mean of a position;
- the boxes that it loses in a game against a perfect player, from the position on from which all
  moves can be judged. On 3x3 and smaller boards this is the whole game.

Both take positions of their own: their random numbers come from another seed than the samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from doublecross.bots.training.judging.figures import TruthFigures
from doublecross.bots.training.judging.games import NetPlayer, PerfectPlayer, Player, play_out
from doublecross.bots.training.positions import BoardTools
from doublecross.bots.zero.net import Net

_WHOLE: Final = 24
"""Boards with at most so many edges are judged from the first move."""
_JUDGED: Final = 26
"""Other boards are judged once so many edges are free."""


@dataclass(frozen=True, slots=True)
class Truth(TruthFigures):
    """The figures of a player in boxes; its games were judged from `free` free edges on."""

    free: int


def judged_edges(tools: BoardTools) -> int:
    """Return from how many free edges on moves are judged on this board."""
    edges = tools.board.num_edges
    return edges if edges <= _WHOLE else _JUDGED


def measure(
    tools: BoardTools,
    net: Net,
    *,
    games: int,
    positions: int,
    seed: str,
    player: Player | None = None,
) -> Truth:
    """Measure `player`, by default the network without a search."""
    free = judged_edges(tools)
    player = player or NetPlayer(net)
    rng = Random(f"{seed}/games")
    lost = 0
    for number in range(games):
        perfect = PerfectPlayer(rng)
        pair: tuple[Player, Player] = (player, perfect) if number % 2 else (perfect, player)
        # A board that is judged from its first move begins empty.
        start = tools.empty if free == tools.board.num_edges else tools.start(free, rng)
        lost += play_out(tools, pair, start, free).lost[1 - number % 2]
    rng = Random(f"{seed}/positions")
    best = loss = seen = 0
    while seen < positions:
        words, count, _ = tools.moves(tools.start(rng.randint(free // 2, free), rng))
        if not count:
            continue
        move = player.choose(tools, words, count, 0)
        tools.moves(words)
        less = tools.judge(words, count) - int(tools.row.values[move])
        seen += 1
        best += less == 0
        loss += less
    lost_a_game = lost / max(1, games)
    return Truth(games, lost_a_game, positions, best / max(1, seen), loss / max(1, seen), free)
