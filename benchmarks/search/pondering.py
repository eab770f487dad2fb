"""`python -m benchmarks.search.pondering`: counts what `champion` gains by `ponder=true`.

The same games are played with and without pondering, from the same openings and seeds, against a
champion that never ponders. Limits count processor time, so other programs do not disturb. The
table has, for each game, the number of free edges when the first exact answer came, and the nodes
searched in the moves and on the opponent's time.
"""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random
from typing import NamedTuple

from bots import clock
from bots.api import Limit, NeverStop
from bots.engine.bot import ChampionBot
from bots.workers.child import Flag
from games.dots_and_boxes.rules import DotsAndBoxes


class Count(NamedTuple):
    """Nodes of a game: in the bot's moves, and on its opponent's time; `horizon` is in edges."""

    horizon: int
    moves: int
    pondered: int


def play(size: int, seed: int, limit: Limit, opponent_s: float) -> Count:
    """Play a game; the bot ponders for `opponent_s` seconds before each move of its opponent."""
    game = DotsAndBoxes({"rows": size, "cols": size})
    bot, other = (ChampionBot(Random(seed + number)) for number in (0, 1000))
    state = game.initial_state(game.openings(Random(seed), 1).found[0])
    horizon = moves = pondered = 0
    while not state.is_terminal():
        if state.current_player() == seed % 2:
            choice = bot.choose(state.clone(), limit, NeverStop())
            moves += choice.nodes
            if choice.exact and not horizon:
                horizon = len(state.legal_actions())
            state.apply(choice.action)
            continue
        if opponent_s and bot._engine is not None:
            before = bot._engine.pondering.nodes
            flag = Flag()
            flag.start(Limit(time_s=opponent_s))
            bot.ponder(state.clone(), flag)
            pondered += bot._engine.pondering.nodes - before
        state.apply(other.choose(state.clone(), limit, NeverStop()).action)
    return Count(horizon, moves, pondered)


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
    print("| game | first exact without | with | nodes in moves without | with | pondered |")
    print("| --- | --- | --- | --- | --- | --- |")
    for seed in range(1, args.games + 1):
        plain = play(args.size, seed, limit, 0)
        bot = play(args.size, seed, limit, args.opponent)
        nodes = f"{plain.moves:,} | {bot.moves:,} | {bot.pondered:,}"
        print(f"| {seed} | {plain.horizon} | {bot.horizon} | {nodes} |", flush=True)


if __name__ == "__main__":
    main()
