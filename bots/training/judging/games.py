"""Play games of Dots and Boxes between networks, searches and perfect players, and judge the moves.

Theory of operation
-------------------
As in the exact search, positions have no captures, and a move is a safe edge or an opening. After
an opening the opponent takes all boxes, or declines the last ones. Both lead to the same position,
but another player moves there. When no junction is left, the closed form ends the game.

Such games need no rules and no clock, so a network without search plays some hundred of them a
second.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

import numpy as np

from doublecross.bots.search.bits import U
from doublecross.bots.training.labelling import (
    MoveRow,
)
from doublecross.bots.training.positions import BoardTools, Words
from doublecross.bots.zero.net import Net
from doublecross.bots.zero.planes import cells, encode_words
from doublecross.games.dots_and_boxes.board import Board


class Player(Protocol):
    """Chooses moves with the tools of a board."""

    def choose(self, tools: BoardTools, words: Words, count: int, net: int) -> int:
        """Return the number of a move in the row of `count` moves.

        `net` is the net score so far of the player to move.
        """

    def declines(self, tools: BoardTools, rest: Words, keeps: int) -> bool:
        """Return whether to decline `keeps` boxes, given the position after all captures."""


class PerfectPlayer:
    """Plays a best move by the exact search, a random one if there are several."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, tools: BoardTools, words: Words, count: int, net: int) -> int:
        """Return a best move."""
        best = tools.judge(words, count)
        return self._rng.choice([i for i in range(count) if tools.row.values[i] == best])

    def declines(self, tools: BoardTools, rest: Words, keeps: int) -> bool:
        """Return whether declining is better."""
        return tools.value(rest) < -keeps


class NetPlayer:
    """Plays the move with the highest prior of a network, or draws one by the priors with `rng`."""

    def __init__(self, net: Net, rng: Random | None = None) -> None:
        self._net = net
        self._rng = rng

    def choose(self, tools: BoardTools, words: Words, count: int, net: int) -> int:
        """Return the move."""
        found = priors(self._net, tools.board, words, tools.row, count)
        if self._rng is not None:
            return self._rng.choices(range(count), found.tolist())[0]
        return int(found.argmax())

    def declines(self, tools: BoardTools, rest: Words, keeps: int) -> bool:
        """Return whether declining is better if the mean of the network's score is right."""
        rest, count, value = tools.moves(rest)
        if count == 0:
            return value < -keeps
        return mean_score(self._net, tools.board, rest) < -keeps


def priors(net: Net, board: Board, words: Words, row: MoveRow, count: int) -> np.ndarray[Any, Any]:
    """Return the prior of each of the `count` moves in `row`: the sum of those of its edges."""
    logits = net.evaluate(encode_words(board, _array(words))).policy.reshape(-1)
    h, v = row.move_h[:count, None], row.move_v[:count, None]
    grid = cells(board)
    half = (board.rows + 1) * (board.cols + 1)
    shift = (grid % half).astype(np.uint64)
    uses = (np.where(grid < half, h, v) >> shift & U(1)).astype(bool)
    edges = logits[grid]
    edges = np.exp(edges - edges[uses.any(0)].max())
    found = uses @ edges
    return np.asarray(found / found.sum())


def mean_score(net: Net, board: Board, words: Words) -> float:
    """Return the mean of the network's distribution of the score of the player to move."""
    logits = net.evaluate(encode_words(board, _array(words))).score[0].astype(np.float64)
    weights = np.exp(logits - logits.max())
    return float((weights * np.arange(-net.span, net.span + 1)).sum() / weights.sum())


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A finished game: the net score of seat 0, and for each seat its moves and boxes lost.

    `lost` counts only the moves at positions with at most as many free edges as were judged.
    """

    net: int
    moves: tuple[int, int]
    best: tuple[int, int]
    lost: tuple[int, int]


def play_out(
    tools: BoardTools, players: tuple[Player, Player], words: Words, judged: int = 0
) -> PlayedOut:
    """Play from `words`, seat 0 to move; judge moves once at most `judged` edges are free."""
    mover, net = 0, 0
    moves, best, lost = [0, 0], [0, 0], [0, 0]
    while True:
        words, count, value = tools.moves(words)
        if count == 0:
            net += value if mover == 0 else -value
            return PlayedOut(net, (moves[0], moves[1]), (best[0], best[1]), (lost[0], lost[1]))
        judge = sum(int(word).bit_count() for word in words) <= judged
        move = players[mover].choose(tools, words, count, net if mover == 0 else -net)
        tools.moves(words)  # the player may have used the row for another position
        if judge:
            loss = tools.judge(words, count) - int(tools.row.values[move])
            moves[mover] += 1
            best[mover] += loss == 0
            lost[mover] += loss
        takes, keeps = int(tools.row.takes[move]), int(tools.row.keeps[move])
        words = tools.after(words, move)
        if not takes:
            mover = 1 - mover
            continue
        opponent = 1 - mover
        declined = keeps > 0 and players[opponent].declines(tools, words, keeps)
        if judge and keeps:
            gain = tools.value(words) + keeps
            lost[opponent] += 2 * max(0, gain if declined else -gain)
        gained = takes - 2 * keeps if declined else takes
        net += gained if opponent == 0 else -gained
        mover = mover if declined else opponent


def _array(words: Words) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array([words], np.uint64)
