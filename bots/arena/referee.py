"""Play one game between two bots in this process, and enforce the limits and the rules."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from doublecross.bots.api import Bot, BotFault, Choice, Limit
from doublecross.bots.arena.moves import LONGEST_S, MoveBudget, PlayedMove, Termination
from doublecross.bots.clock import now
from doublecross.bots.errors import describe, trace_of
from doublecross.bots.workers.child import Flag
from doublecross.games.api import Game, State


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why `seat` lost before the game was over on the board."""

    termination: Termination
    seat: int
    sentence: str
    trace: str = ""


def play_game(
    game: Game,
    opening: tuple[int, ...],
    bots: tuple[Bot, Bot],
    budgets: tuple[MoveBudget, MoveBudget],
    grace_s: float,
    on_move: Callable[[PlayedMove], None],
    clock: Callable[[], float] = now,
    is_decided: Callable[[State], bool] = lambda _: False,
) -> Failure | None:
    """Play a game to its end; return None, or the failure that ended it early.

    `bots` and `budgets` are by seat.
    `on_move` receives each move after it is played. Only the time inside `choose` counts, measured
    by `clock` in seconds. A move that takes longer than `MoveBudget.latest_s` loses, and so does a
    player whose clock runs out. Before each move `is_decided` may end the game.
    """
    state = game.initial_state(opening)
    left: list[float | None] = [budget.clock_s for budget in budgets]
    while not state.is_terminal():
        if is_decided(state):
            return None
        seat = state.current_player()
        remaining = left[seat]
        bot = bots[seat]
        moves = None if remaining is None or bot.keeps_time else bot.moves_to_go(state)
        limit = budgets[seat].limit(remaining, moves, left[1 - seat])
        # The bot gets a copy, so actions that it applies and does not undo have no effect here.
        answer = _choose(bot, seat, state.clone(), limit, clock)
        if isinstance(answer, Failure):
            return answer
        choice, seconds = answer
        if remaining is not None:
            remaining -= seconds
            # The increment comes after this check: it cannot save a clock that has run out.
            if remaining < 0:
                return Failure("timeout", seat, f"its clock ran out by {-remaining:.3f} s")
            left[seat] = remaining = remaining + budgets[seat].increment_s
        if limit.time_s is not None and seconds > budgets[seat].latest_s(limit.time_s, grace_s):
            sentence = f"it took {seconds:.2f} s for a move with a limit of {limit.time_s:.3g} s"
            return Failure("timeout", seat, sentence)
        if not state.is_legal(choice.action):
            sentence = f"it chose {choice.action}, which is not legal at ply {state.ply}"
            return Failure("illegal", seat, sentence)
        state.apply(choice.action)
        on_move(
            PlayedMove(
                seat,
                choice.action,
                seconds,
                limit.time_s,
                choice.nodes,
                remaining,
                choice.score,
                choice.exact,
            )
        )
    return None


def _choose(
    bot: Bot, seat: int, state: State, limit: Limit, clock: Callable[[], float]
) -> tuple[Choice, float] | Failure:
    """Return the bot's choice and the time that it took in seconds, or its failure."""
    ply = state.ply
    flag = Flag()
    # Without a limit of time the flag still ends a search that would never stop.
    flag.start(limit if limit.time_s or limit.clock_s else Limit(time_s=LONGEST_S))
    begin = clock()
    try:
        choice = bot.choose(state, limit, flag)
        seconds = clock() - begin
        if not isinstance(choice, Choice):
            raise TypeError(f"choose returned {type(choice).__name__}, not a Choice")
        # Accept every integer type, such as numpy's, and refuse everything else.
        action, nodes = operator.index(choice.action), operator.index(choice.nodes)
        score = None if choice.score is None else float(choice.score)
    except BotFault as fault:
        return Failure(fault.kind, seat, f"{fault} at ply {ply}", fault.trace)
    except BaseException as error:  # noqa: BLE001 - whatever a bot raises, SystemExit too
        sentence = f"it raised {describe(error)} at ply {ply}"
        return Failure("crash", seat, sentence, trace_of(error))
    # Plain numbers, because the move is sent as JSON.
    if score is not None and not math.isfinite(score):
        score = None
    return Choice(action, score, nodes=nodes, exact=bool(choice.exact)), seconds
