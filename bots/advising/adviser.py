"""The advice process: thinks about positions for the window.

Theory of operation
-------------------
It reads questions as lines of JSON and writes answers as lines of JSON::

    in   {"id": 7, "game": "dots-and-boxes", "params": {"rows": 3, "cols": 3},
          "opening": [], "moves": [0, 12], "seconds": 1.5}
    out  {"what": "advice", "id": 7, "best": [4, 9], "net": -1.0, "exact": true,
          "phrase": {"rule": "safe", "text": "b3 is safe and leaves 2 safe edges.", ...}}
    in   {"id": 8, "ask": "policy", ...}
    out  {"what": "policy", "id": 8, "shares": [[4, 0.31], [9, 0.2]]}
    in   {"id": 9, "ask": "values", ...}
    out  {"what": "values", "id": 9, "values": {"version": 1, "value": ..., "actions": ...}}
    out  {"what": "problem", "id": 7, "sentence": "The game is over: there is nothing to advise."}

``best`` are the best actions that were found, best first. ``net`` is the final net score of the
mover over the whole game. ``phrase`` says what is good about the first of ``best``, with the parts
that translations need (`doublecross.analysis.as_json.phrase_fields`); it is null if no rule applies
(`doublecross.analysis.sentences.hints`). The ``id`` of a problem is null if the line had none.
Every line is answered; a malformed line does no harm.

A separate thread reads the input (`doublecross.bots.advising.questions`). The process thinks about
one question at a time. A newer question stops the search for an older one of its kind, which is
then answered with a problem. Tables and trees are kept for the next question. The process ends when
its input closes.

Questions about the policy of the network take milliseconds. They stop no search, and wait until the
current one is over; a newer question about the policy takes the place of a waiting one.

Values (`doublecross.analysis.values`) come from the judge of reviews, with a smaller limit of
nodes. It is repeatable, so the seconds of the question do not count.

The engine thinks about Dots and Boxes. When it finds the exact value, it spends the
rest of the time finding all edges that keep this value.
Alpha-beta solves other games when few actions are left; before that tree search thinks.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final

from doublecross.analysis.advice import Advice
from doublecross.analysis.sentences.hints import hint_phrase
from doublecross.analysis.values import PositionValues
from doublecross.bots.advising.policy import PolicyReader
from doublecross.bots.advising.questions import LEAST_S, Answer, QuestionQueue
from doublecross.bots.alphabeta import TranspositionTable, alphabeta
from doublecross.bots.api import BotError, Limit, StopFlag
from doublecross.bots.evaluations import Evaluation
from doublecross.bots.judging.limits import JudgeError, Stopped
from doublecross.bots.judging.making import ValueJudge, judge_of
from doublecross.bots.judging.solved import TooLargeError
from doublecross.bots.registry import bot_class
from doublecross.bots.textbook import TO_THE_END, SearchBudget
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.processes.parent import Parent

if TYPE_CHECKING:
    from doublecross.bots.engine.engine import Engine
    from doublecross.bots.mcts.bot import MctsBot

MEMORY_MB: Final = 32
FEW: Final = 10
"""With so many free actions alpha-beta mostly reaches the end within a second."""
_LAST_S: Final = 5.0
"""Seconds in which this process must have ended once its input is closed."""
_THINKING: Final = 0.75
"""The share of the time for the value and one best edge; the rest is for other best edges."""
_TRYING: Final = 0.5
"""The share of the time for alpha-beta; tree search has the rest if alpha-beta fails."""

NO_TIME: Final = "There was no time to think about this position."


class Thinker:
    """Thinks about positions of any game, and keeps tables and trees for the next question.

    It keeps one engine and one tree, so that changing boards does not fill the memory.
    """

    def __init__(self) -> None:
        self._rng = Random()
        self._engine: Engine | None = None
        self._searcher: tuple[Game, MctsBot] | None = None
        self._table = TranspositionTable(MEMORY_MB)
        self._judge: tuple[Game, ValueJudge] | None = None

    def advise(self, state: State, seconds: float, stop: StopFlag) -> Advice:
        """Return advice for the mover of `state`, which must not be over.

        When `stop` is set, it returns soon with advice that is worth little.

        Raises:
            BotError: a package is missing, or the time was too short for any advice.
        """
        if isinstance(state, DotsAndBoxesState):
            # This import is slow, and tic-tac-toe does not need it. Loading the bot class first
            # raises an error that names a missing package.
            bot_class("champion")
            return self._by_engine(state, seconds, stop)
        began = perf_counter()
        advice = None
        if len(state.legal_actions()) <= FEW:
            advice = self._to_the_end(state, seconds * _TRYING, stop)
        left = max(LEAST_S, began + seconds - perf_counter())
        return advice or self._by_tree(state, left, stop)

    def values(self, state: State, stop: StopFlag) -> PositionValues:
        """Return the values of all legal actions in `state`, which must not be over.

        Raises:
            JudgeError: a package is missing.
            TooLargeError: too much can follow from the position.
            Stopped: `stop` was set.
        """
        if self._judge is None or self._judge[0] != state.game:
            self._judge = None  # its memory is free before the next one takes some
            self._judge = state.game, judge_of(state.game, quick=True)
        return self._judge[1].values(state, stop.is_set)

    def _by_engine(self, state: DotsAndBoxesState, seconds: float, stop: StopFlag) -> Advice:
        from doublecross.bots.engine.engine import Engine, prepare
        from doublecross.bots.search.exact.solver import SearchWatch

        prepare(state.board)
        engine = self._engine
        # Boards are built once for each size, so comparing identities is enough.
        if engine is None or engine.board is not state.board:
            engine = self._engine = Engine(state.board, self._rng, MEMORY_MB)
        began = perf_counter()
        limit = Limit(time_s=seconds * _THINKING, memory_mb=MEMORY_MB)
        thought = engine.think(state, limit, stop)
        if not thought.exact:
            return Advice((thought.edge,), float(thought.estimate), exact=False)
        mover, scores = state.current_player(), state.scores()
        value = thought.value.low - (scores[mover] - scores[1 - mover])
        left = min(began + seconds - perf_counter(), seconds * (1 - _THINKING))
        watch = SearchWatch(stop.is_set, seconds=left)
        every = engine.solver.best(state.edges, value, watch, every=True) or ()
        others = (edge for edge in every if edge != thought.edge)
        return Advice((thought.edge, *others), float(thought.value.low), exact=True)

    def _by_tree(self, state: State, seconds: float, stop: StopFlag) -> Advice:
        bot_class("mcts")
        from doublecross.bots.mcts.bot import MctsBot

        if self._searcher is None or self._searcher[0] != state.game:
            self._searcher = state.game, MctsBot(self._rng)
        bot = self._searcher[1]
        choice = bot.choose(state, Limit(time_s=seconds, memory_mb=MEMORY_MB), stop)
        assert bot.tree is not None
        known = {candidate.action: candidate for candidate in bot.tree.candidates()}
        chosen = known[choice.action]
        if choice.score is None:
            raise BotError(NO_TIME)
        # The value is exact if no other action can be better even at its upper bound.
        exact = chosen.is_solved and all(c.upper <= chosen.lower for c in known.values())
        equal = sorted(
            action
            for action, other in known.items()
            if exact and other.is_solved and other.lower == chosen.lower and other is not chosen
        )
        return Advice((choice.action, *equal), float(choice.score), exact=exact)

    def _to_the_end(self, state: State, seconds: float, stop: StopFlag) -> Advice | None:
        """Value all actions by alpha-beta; return None if the time does not suffice."""
        budget, mover = SearchBudget(seconds, stop=stop), state.current_player()
        values: dict[int, float] = {}
        for action in state.legal_actions():
            state.apply(action)
            found = alphabeta(state, TO_THE_END, SOONER, mover, table=self._table, budget=budget)
            state.undo()
            if not found.complete or found.value is None:
                return None
            values[action] = found.value
        # The bonus is below 1, so the integer part is the net score.
        net = max(map(math.trunc, values.values()))
        best = [action for action, value in values.items() if math.trunc(value) == net]
        best.sort(key=lambda action: -values[action])
        return Advice(tuple(best), float(net), exact=True)


def _sooner(state: State, root: int) -> float:
    """Return the final net score, plus a bonus below 1 for an early win or a late loss."""
    scores = state.scores()
    net = scores[root] - scores[1 - root]
    longest = state.game.max_game_length
    room = longest - len(state.opening) - state.ply
    return net + math.copysign(room / (longest + 1), net) * (net != 0)


SOONER: Final = Evaluation("sooner", "the net score, won soon or lost late", _sooner, expects=False)
"""Prefers, among equal net scores, the earliest win and the latest loss."""


def with_phrase(advice: Advice, state: State) -> Advice:
    """Return `advice` for the mover of `state` with what is good about its first action."""
    return replace(advice, phrase=hint_phrase(state, advice.best[0]))


def main() -> int:
    """Answer questions until the input closes; return the exit code."""
    parent = Parent(grace_s=_LAST_S)
    questions = QuestionQueue(parent.send)
    parent.on_end = questions.end
    parent.listen(questions.put)
    thinker, reader = Thinker(), PolicyReader()
    while (question := questions.take()) is not None:
        found: Answer
        try:
            match question.kind:
                case "policy":
                    found = reader.read(question.state)
                case "values":
                    found = thinker.values(question.state, question.stop)
                case "advice":
                    advice = thinker.advise(question.state, question.seconds, question.stop)
                    found = with_phrase(advice, question.state)
        except (BotError, JudgeError, TooLargeError, Stopped) as error:
            found = str(error)
        questions.answer(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
