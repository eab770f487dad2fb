"""Play game pairs between a network, as the bot `zero`, and another bot."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from doublecross.bots.api import BotError
from doublecross.bots.arena.moves import MoveBudget, PlayedMove
from doublecross.bots.arena.referee import play_game
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.games.api import Game
from doublecross.stats.pairs import Pentanomial

_MARGIN_S: Final = 5.0
SIMULATIONS: Final = 100
"""Simulations of the network against bots whose moves are not limited in time."""


def play_match(
    net: Path,
    against: str,
    game: Game,
    pairs: int,
    seed: int,
    *,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Return the result for the network: `counts` of the outcomes of pairs, and `score` in percent.

    With `seconds` both have so much processor time for a move; otherwise the network has 100
    simulations, and the other bot what its options say.

    Raises:
        BotError: a bot cannot be made, or it failed in a game.
    """
    options = f"net={net}" + ("" if seconds is not None else f",simulations={SIMULATIONS}")
    specs = [parse_spec(f"zero:{options}"), parse_spec(against)]
    budget = MoveBudget(time_s=seconds, margin_s=_MARGIN_S)
    points = []
    for number, opening in enumerate(game.openings(Random(seed), pairs).found):
        pair = 0.0
        for seat in (0, 1):
            order = specs if seat == 0 else specs[::-1]
            bots = [
                make_bot(spec.name, Random(f"{seed}/{number}/{seat}/{at}"), spec.options)
                for at, spec in enumerate(order)
            ]
            moves: list[PlayedMove] = []
            failure = play_game(
                game, opening, (bots[0], bots[1]), (budget, budget), 0.0, moves.append
            )
            for bot in bots:
                bot.close()
            if failure is not None:
                raise BotError(f"The bot {order[failure.seat]} failed: {failure.sentence}.")
            state = game.initial_state(opening)
            for move in moves:
                state.apply(move.action)
            # From -1 for a loss to 1 for a win.
            pair += (state.returns()[seat] + 1.0) / 2.0
        points.append(pair)
    counts = Pentanomial.of(points).counts
    return {"counts": list(counts), "score": round(50 * sum(points) / max(1, len(points)), 1)}
