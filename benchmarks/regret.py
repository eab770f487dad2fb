"""Measure how many boxes a bot loses against best play: `python -m benchmarks.regret champion`.

The bot plays game pairs against another bot. As soon as few enough edges are free (`--free`), each
of its moves is compared with the exact value of the position. The regret of a move is the value of
the position minus the value of the move, in boxes; 0 is perfect. A move changes the result if it
makes a win a draw or a loss, or a draw a loss.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.clock import count_cpu_time
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.bots.search.exact.solver import Solver
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes


class Mistake(NamedTuple):
    """A move that lost `boxes` boxes with `free` free edges; `changed`: it changed the result."""

    free: int
    boxes: int
    changed: bool


class Regret(NamedTuple):
    """The moves of a bot that were judged, and its mistakes among them."""

    moves: int
    mistakes: tuple[Mistake, ...]

    @property
    def boxes(self) -> int:
        """All boxes lost."""
        return sum(each.boxes for each in self.mistakes)

    @property
    def worst(self) -> int:
        """The most boxes that one move lost."""
        return max((each.boxes for each in self.mistakes), default=0)


def regret(
    bot: str,
    against: str,
    game: DotsAndBoxes,
    *,
    pairs: int,
    free: int | None,
    limit: Limit,
    seed: int = 1,
    length: int | None = None,
) -> Regret:
    """Return the regret of `bot` in `pairs` game pairs against the bot `against`.

    Moves count once at most `free` edges are free (None: all moves). `limit` is that of each move,
    and `length` the number of edges in an opening (None: the game's default).
    """
    judge = Solver(game.board, 256)
    spec, other = parse_spec(bot), parse_spec(against)
    moves = 0
    mistakes = []
    for number, opening in enumerate(game.openings(Random(seed), pairs, length).found):
        for seat in (0, 1):
            specs = (spec, other) if seat == 0 else (other, spec)
            bots = [
                make_bot(s.name, Random(f"{seed} {number} {seat} {i}"), s.options)
                for i, s in enumerate(specs)
            ]
            state = game.initial_state(opening)
            while not state.is_terminal():
                mover = state.current_player()
                action = bots[mover].choose(state, limit, NeverStop()).action
                edges = len(state.legal_actions())
                if mover == seat and (free is None or edges <= free):
                    moves += 1
                    best = judge.bounds(state.edges).low
                    worth = judge.move(state.edges, action).low
                    if worth < best:
                        scores = state.scores()
                        ahead = scores[seat] - scores[1 - seat]
                        changed = _sign(ahead + worth) != _sign(ahead + best)
                        mistakes.append(Mistake(edges, best - worth, changed))
                state.apply(action)
    return Regret(moves, tuple(mistakes))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = ArgumentParser(prog="python -m benchmarks.regret", description=__doc__)
    parser.add_argument("bot", help="the bot whose moves are judged")
    parser.add_argument("--against", default="rules", help="its opponent (default: rules)")
    parser.add_argument("--size", default="5x5")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument(
        "--free", type=int, help="judge moves once so few edges are free (default: all moves)"
    )
    parser.add_argument("--opening-length", type=int)
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--cpu", action="store_true", help="let the time be processor time")
    given = parser.parse_args(arguments)
    if given.cpu:
        count_cpu_time()
    game = DotsAndBoxes(DotsAndBoxes.parse_size(given.size))
    found = regret(
        given.bot,
        given.against,
        game,
        pairs=given.pairs,
        free=given.free,
        limit=Limit(time_s=given.time),
        length=given.opening_length,
    )
    changed = sum(each.changed for each in found.mistakes)
    print(
        f"{given.bot} on {game.size}: {found.boxes} boxes given away in {found.moves} moves "
        f"({len(found.mistakes)} mistakes, the worst {found.worst}; {changed} changed the result)"
    )
    for each in found.mistakes:
        print(
            f"  {each.free} free edges: {each.boxes} boxes, "
            f"{'another' if each.changed else 'the same'} result"
        )


if __name__ == "__main__":
    main()
