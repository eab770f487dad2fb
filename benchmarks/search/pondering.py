"""Count what `champion` gains by `ponder=true`: `python -m benchmarks.search.pondering`.

A champion that ponders plays against one that does not. In each of its positions a third champion,
which does not ponder either, is asked too, so both answer the same questions. Limits count
processor time, so other programs do not disturb. The table has, for each game, how many answers
were exact, the number of free edges at the first exact answer, and the nodes searched.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from doublecross.bots import clock
from doublecross.bots.api import Choice, Limit, NeverStop
from doublecross.bots.engine.bot import ChampionBot
from doublecross.bots.workers.child import Flag
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes


class Count(NamedTuple):
    """The answers of one champion: exact ones, free edges at the first of them, and nodes."""

    exact: int
    horizon: int
    nodes: int


def play(size: int, seed: int, limit: Limit, opponent_s: float) -> tuple[Count, Count, int]:
    """Play a game; return the counts without and with pondering, and the nodes pondered.

    The bot ponders for `opponent_s` seconds before each move of its opponent.
    """
    game = DotsAndBoxes({"rows": size, "cols": size})
    plain, bot, other = (ChampionBot(Random(seed + number)) for number in (0, 0, 1000))
    state = game.initial_state(game.openings(Random(seed), 1).found[0])
    answers: tuple[list[tuple[int, Choice]], ...] = ([], [])
    pondered = 0
    while not state.is_terminal():
        if state.current_player() == seed % 2:
            free = len(state.legal_actions())
            for each, found in zip((plain, bot), answers, strict=True):
                found.append((free, each.choose(state.clone(), limit, NeverStop())))
            state.apply(answers[1][-1][1].action)
            continue
        if bot._engine is not None:
            before = bot._engine.pondering.nodes
            flag = Flag()
            flag.start(Limit(time_s=opponent_s))
            bot.ponder(state.clone(), flag)
            pondered += bot._engine.pondering.nodes - before
        state.apply(other.choose(state.clone(), limit, NeverStop()).action)
    without, with_it = (counted(found) for found in answers)
    return without, with_it, pondered


def counted(answers: Sequence[tuple[int, Choice]]) -> Count:
    """Return the counts of answers, each with the number of free edges."""
    exact = [free for free, choice in answers if choice.exact]
    return Count(len(exact), max(exact, default=0), sum(choice.nodes for _, choice in answers))


def main() -> None:
    """Play the games and print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--time", type=float, default=0.2, help="seconds for a move")
    parser.add_argument("--opponent", type=float, default=1.0, help="seconds of its opponent")
    args = parser.parse_args()
    clock.count_cpu_time()
    limit = Limit(time_s=args.time)
    print(
        "| game | exact without | with | first without | with | nodes without | with | pondered |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for seed in range(1, args.games + 1):
        plain, bot, pondered = play(args.size, seed, limit, args.opponent)
        pairs = (f"{a:,} | {b:,}" for a, b in zip(plain, bot, strict=True))
        print(f"| {seed} | {' | '.join(pairs)} | {pondered:,} |", flush=True)


if __name__ == "__main__":
    main()
