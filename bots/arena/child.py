"""The code of an arena's worker process: make the bots, play whole games, and report each move.

Theory of operation
-------------------
`doublecross.bots.arena.worker` is the parent's part. The first request has the job. This process
makes each bot once and then reports that it is ready, so compiling kernels and loading tables takes
no time of a game. Each further request is a game pair, or the rest of one. This process reports
each step of a game at once and waits for no answer, so the parent always knows whose move it is:
that seat loses if this process ends or does not answer.
"""

from __future__ import annotations

import dataclasses
import json
import queue
import sys
from random import Random
from typing import Final

from doublecross.bots.api import Bot, BotError
from doublecross.bots.arena.adjudication import Adjudicator, is_due
from doublecross.bots.arena.moves import MoveBudget, PlayedMove
from doublecross.bots.arena.referee import Failure, play_game
from doublecross.bots.bridges.games import know_others
from doublecross.bots.clock import count_cpu_time
from doublecross.bots.errors import describe, trace_of
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.games.api import State
from doublecross.games.registry import make_game
from doublecross.processes.parent import Message, Parent

_MOVE: Final = tuple(field.name for field in dataclasses.fields(PlayedMove))


class PairPlayer:
    """Plays the game pairs that the parent requests, and reports each move."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self._queue: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def run(self) -> None:
        """Play the requested games until the reading thread ends the process."""
        self._parent.listen(self._queue.put)
        job = json.loads(self._queue.get())
        # The parent has already used the seed option: it sends the seeds of every game.
        self._specs = [parse_spec(text).without_seed()[1] for text in job["bots"]]
        know_others()
        self._game = make_game(job["key"], job["params"])
        self._budgets = [MoveBudget(**budget) for budget in job["budgets"]]
        if job["cpu"]:
            count_cpu_time()
        self._grace_s = float(job["grace_s"])
        self._adjudicate = int(job["adjudicate"])
        if not self._try_bots() or not self._try_solver():
            return
        self._parent.send({"what": "ready"})
        while True:
            self._pair(json.loads(self._queue.get()))

    def _try_bots(self) -> bool:
        """Make each bot once; report a bot that cannot be made or play, and return False."""
        for number, spec in enumerate(self._specs):
            self._parent.send({"what": "trying", "bot": number})
            try:
                bot = make_bot(spec.name, Random(0), spec.options)
                if plays := bot.plays(self._game):
                    bot.get_ready(self._game)
            except BotError as error:
                self._refuse(str(error), error.trace)
                return False
            except BaseException as error:  # noqa: BLE001 - SystemExit would end us silently
                self._refuse(
                    f"Bot {spec.name} cannot be made ({describe(error)}).", trace_of(error)
                )
                return False
            self._close(bot)
            if not plays:
                title = f"{self._game.title} {self._game.size}"
                self._refuse(f"Bot {spec.name} does not play {title}.")
                return False
        return True

    def _try_solver(self) -> bool:
        """Make the solver if games are adjudicated; report a failure, and return False."""
        if self._adjudicate:
            self._parent.send({"what": "trying"})
            try:
                self._adjudicator = Adjudicator(self._game)
            except Exception as error:  # noqa: BLE001 - whatever the packages of the solver raise
                self._refuse(f"The exact solver cannot start ({describe(error)}).", trace_of(error))
                return False
        return True

    def _is_decided(self, state: State) -> bool:
        """Report the final scores if it is time to end the game by them; return whether it is."""
        if not is_due(state, self._adjudicate):
            return False
        self._parent.send({"what": "adjudicated", "scores": self._adjudicator.scores(state)})
        return True

    def _refuse(self, sentence: str, trace: str = "") -> None:
        self._parent.send({"what": "refused", "text": sentence, "trace": trace})

    @staticmethod
    def _close(bot: Bot) -> None:
        """Let a bot release what it holds. A failure has no effect on its finished game."""
        try:
            bot.close()
        except BaseException as error:  # noqa: BLE001 - whatever a bot raises
            sys.stderr.write(f"The bot raised an exception in close.\n{trace_of(error)}")

    def _pair(self, task: Message) -> None:
        """Play the games of a pair; each has its number, and the players and seeds by seat."""
        for number, players, seeds in task["games"]:
            self._parent.send({"what": "game", "number": number})
            label = f"pair-{task['number'] + 1}-game-{number + 1}"
            failure = self._play(tuple(task["opening"]), players, seeds, label)
            if failure is not None:
                self._parent.send({"what": "failed", **dataclasses.asdict(failure)})

    def _play(
        self, opening: tuple[int, ...], players: list[int], seeds: list[str], label: str
    ) -> Failure | None:
        bots: list[Bot] = []
        for seat, (player, seed) in enumerate(zip(players, seeds, strict=True)):
            self._parent.send({"what": "making", "seat": seat})
            spec = self._specs[player]
            try:
                bot = make_bot(spec.name, Random(seed), spec.options)
                bots.append(bot)
                bot.label = f"{label}-{bot.name}-{seat + 1}"
                bot.get_ready(self._game)
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises
                trace = getattr(error, "trace", "") or trace_of(error)
                return Failure("crash", seat, f"it could not be made ({describe(error)})", trace)
        self._parent.send({"what": "start"})
        first, second = bots
        try:
            return play_game(
                self._game,
                opening,
                (first, second),
                (self._budgets[players[0]], self._budgets[players[1]]),
                self._grace_s,
                self._send_move,
                is_decided=self._is_decided,
            )
        finally:
            self._close(first)
            self._close(second)

    def _send_move(self, move: PlayedMove) -> None:
        # `dataclasses.asdict` would take longer than the moves of the simplest bots.
        self._parent.send({"what": "move"} | {name: getattr(move, name) for name in _MOVE})


def main() -> None:
    """Run as a worker of an arena."""
    PairPlayer(Parent()).run()
