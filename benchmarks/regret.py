"""`python -m benchmarks.regret champion`: measures how many boxes a bot loses against best play.

The bot plays game pairs against another bot. As soon as few enough edges are free (`--free`), each
of its moves is compared with the exact value of the position. The regret of a move is the value of
the position minus the value of the move, in boxes; 0 is perfect.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bots.api import Limit, NeverStop
from bots.registry import make_bot, parse_spec
from bots.search.exact.solver import Solver
from games.dots_and_boxes.rules import DotsAndBoxes


class Regret(NamedTuple):
    """What a bot lost: `boxes` in `moves` moves, `mistakes` of which lost `worst` at most."""

    moves: int
    mistakes: int
    boxes: int
    worst: int


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
    losses: list[int] = []
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
                if mover == seat and (free is None or len(state.legal_actions()) <= free):
                    worth = judge.move(state.edges, action).low
                    losses.append(judge.bounds(state.edges).low - worth)
                state.apply(action)
    return Regret(len(losses), sum(x > 0 for x in losses), sum(losses), max(losses, default=0))


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
    given = parser.parse_args(arguments)
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
    print(
        f"{given.bot} on {game.size}: {found.boxes} boxes given away in {found.moves} moves "
        f"({found.mistakes} mistakes, the worst {found.worst})"
    )


if __name__ == "__main__":
    main()
