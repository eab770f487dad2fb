"""The teacher `self-play`: games of a network against itself, with the search of the bot `zero`.

Theory of operation
-------------------
Most moves take a fast search of few simulations. One in four takes a full search, and only these
positions become samples (playout-cap randomisation: many games give many results, and the samples
have good policies). The target of the policy is the improved policy of the search, that of the
score is the result of the game from there on.

A game begins with a few random moves. It ends as soon as the search proves the value of a position:
then this value is the result. So every result is exact from the horizon of the exact search on.

Sources: D. Wu, Accelerating self-play learning in Go, 2019; I. Danihelka et al., Policy improvement
by planning with Gumbel, ICLR 2022.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import numpy as np

from doublecross.bots.search.exact.layout import layout
from doublecross.bots.training.positions import BoardTools, Words
from doublecross.bots.training.settings import TrainError
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.zero.net import SPAN, Evaluator, Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.bots.zero.result import ZeroResult
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board

FULL_SHARE: Final = 0.25
"""The share of moves with a full search."""
MOST_PROVED: Final = 1000
"""So many games without a sample show that none will come."""
FAST: Final = 4
"""A fast search has so many times fewer simulations."""


class _Seen(NamedTuple):
    """A position of a game that becomes a sample: its search, the mover, and the score so far."""

    found: ZeroResult
    mover: int
    net: int


class SelfPlay:
    """Plays games on `board` with `net`; without one all moves are equally likely at first."""

    def __init__(self, board: Board, net: Evaluator | None, simulations: int) -> None:
        self.board = board
        self._net = net or Uniform(PLANES)
        self._simulations = simulations
        self._tools = BoardTools(board, 8)

    def make(self, count: int, seed: int | str) -> Samples:
        """Return at least `count` samples: whole games until there are so many.

        Raises:
            TrainError: the search proves every position of so small a board, so none is a sample.
        """
        rng = Random(seed)
        search = ZeroSearch(self.board, self._net, rng)
        parts: list[Samples] = []
        have = games = 0
        while have < count:
            search.forget()
            game = self._play(search, rng)
            games += 1
            if game is not None:
                parts.append(game)
                have += len(game)
            elif not have and games == MOST_PROVED:
                raise TrainError(
                    f"On a board as small as {self.board.rows}x{self.board.cols} the search proves"
                    " every position. Let labels teach it, or leave it out."
                )
        return Samples.join(parts)

    def _play(self, search: ZeroSearch, rng: Random) -> Samples | None:
        """Play a game; return its samples, None without any."""
        tools = self._tools
        edges = self.board.num_edges
        words = tools.start(edges - rng.randint(0, edges // 3), rng)
        seen: list[_Seen] = []
        mover, net = 0, 0  # the net score of seat 0
        while True:
            words, count, value = tools.moves(words)
            mine = net if mover == 0 else -net
            if not count:
                final = mine + value
                break
            full = rng.random() < FULL_SHARE
            found = search.run(
                drawn_edges(self.board, words),
                mine,
                self._simulations if full else max(1, self._simulations // FAST),
                gumbel=full,
            )
            if full and found.moves:
                seen.append(_Seen(found, mover, mine))
            if found.exact:
                final = found.low
                break
            at = found.chosen
            if not full:
                # Fast moves are drawn, so that games differ.
                at = rng.choices(range(len(found.moves)), found.policy.tolist())[0]
            move = found.moves[at]
            drawn = found.edges | sum(1 << edge for edge in move.edges)
            words = free_words(self.board, drawn)
            if not move.takes:
                mover = 1 - mover
                continue
            taker = net if mover == 1 else -net
            declined = move.keeps > 0 and self._declines(
                search, drawn, taker + move.takes, move.keeps
            )
            gained = move.takes - 2 * move.keeps if declined else move.takes
            net += gained if mover == 1 else -gained
            mover = mover if declined else 1 - mover
        if not seen:
            return None
        return self._samples(seen, mover, final)

    def _declines(self, search: ZeroSearch, drawn: int, net: int, keeps: int) -> bool:
        """Return whether to decline, given the position after all captures and its score."""
        words, count, value = self._tools.moves(free_words(self.board, drawn))
        if not count:
            return value < -keeps
        edges = drawn_edges(self.board, words)
        found = search.run(edges, net, max(1, self._simulations // FAST), gumbel=False)
        return found.score - net < -keeps

    def _samples(self, seen: list[_Seen], mover: int, final: int) -> Samples:
        """Return the samples of a game with the final net score `final` of the seat `mover`."""
        board = self.board
        n, edges = len(seen), board.num_edges
        drawn = np.array([[one.found.edges >> e & 1 for e in range(edges)] for one in seen], bool)
        policy = np.array([one.found.policy_by_edge(board) for one in seen])
        legal = np.zeros((n, edges), bool)
        for row, one in enumerate(seen):
            for move in one.found.moves:
                legal[row, list(move.edges)] = True
        score = [(final if one.mover == mover else -final) - one.net for one in seen]
        return Samples(
            drawn,
            np.rint(255 * policy).astype(np.uint8),
            legal,
            np.clip(score, -SPAN, SPAN).astype(np.int8),
            np.zeros((n, board.num_boxes), np.uint8),
            np.zeros(n, bool),
        )


def drawn_edges(board: Board, words: Words) -> int:
    """Return the set of drawn edges of a position, given the words of its free edges."""
    place = layout(board).place
    return sum(
        1 << edge for edge, (word, bit) in enumerate(place) if not int(words[word]) >> bit & 1
    )


def free_words(board: Board, drawn: int) -> Words:
    """Return the words of the free edges of a position with the drawn edges `drawn`."""
    return layout(board).words(drawn)
