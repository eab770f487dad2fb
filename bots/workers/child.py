"""The code of a worker process: keep the bots of its games, and let one at a time think.

Theory of operation
-------------------
The main thread runs the bots. The thread that reads (see `doublecross.processes.parent`) queues
requests and sets the stop flag of the current move.

Each request about a game contains the data to make its bot, so a new worker process can continue a
game at any move.
"""

from __future__ import annotations

import json
import operator
import queue
import sys
from random import Random

from doublecross.bots.api import Bot, BotError, BotFault, Choice, Limit
from doublecross.bots.clock import now
from doublecross.bots.errors import TEXT_MAX, describe, trace_of
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.games.api import Game, State
from doublecross.games.registry import make_game
from doublecross.processes.parent import Message, Parent


class Flag:
    """A stop flag that is set by a request, or when the time for the move is over."""

    __slots__ = ("_end", "raised")

    def __init__(self) -> None:
        self.raised = False
        self._end: float | None = None

    def start(self, limit: Limit) -> None:
        """Start the time of `limit`."""
        if (time_s := limit.time_s or limit.clock_s) is not None:
            self._end = now() + time_s

    def is_set(self) -> bool:
        """Return whether the bot should answer now."""
        return self.raised or (self._end is not None and now() >= self._end)


class Seat:
    """One game on this worker: its bot, and the position of the last request."""

    def __init__(self, message: Message) -> None:
        game = make_game(message["key"], message["params"])
        self._game: Game = game
        spec = parse_spec(message["spec"])
        self.bot: Bot = make_bot(spec.name, Random(message["seed"]), spec.options)
        if not self.bot.plays(game):
            raise BotError(f"Bot {spec.name} does not play {game.title} {game.size}.")
        if message["seed"]:  # 0: the bot only gets ready
            self.bot.label = f"{self.bot.name}-{message['seed']}"
        self.bot.get_ready(game)
        self._text = ""
        self._state: State | None = None

    def state(self, text: str) -> State:
        """Return the state serialized in `text`; only the new moves are replayed."""
        played = text.removeprefix(self._text)
        # The old text may end within a number: "1" is no part of the moves "12".
        grown = self._text.endswith("/") or played[:1] in ("", ",")
        if self._state is not None and text.startswith(self._text) and grown:
            for action in filter(None, played.split(",")):
                self._state.apply(int(action))
        else:
            self._state = self._game.deserialize(text)
        self._text = text
        # The bot may change its copy and not restore it.
        return self._state.clone()


class BotWorker:
    """Keeps the bots of the games on this worker, and lets one at a time think.

    Two threads use it: one runs the bots, the other one receives requests.
    """

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self._queue: queue.SimpleQueue[tuple[Message, Flag]] = queue.SimpleQueue()
        self._seats: dict[int, Seat] = {}
        self._thinking: tuple[int, Flag] = (0, Flag())

    def run(self) -> None:
        """Answer requests until the reading thread ends the process."""
        self._parent.listen(self._receive)
        self._parent.send({"ready": True})
        while True:
            message, flag = self._queue.get()
            if message["op"] == "close":
                self._close(message["game"])
                continue
            try:
                answer = self._answer(message, flag)
            except BotError as error:
                answer = {
                    "refused": str(error)[:TEXT_MAX],
                    "trace": error.trace,
                    "lasting": error.lasting,
                }
            except BotFault as fault:
                self._close(message["game"])
                answer = {"failed": str(fault), "trace": fault.trace, "fault": fault.kind}
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises, SystemExit too
                # The bot's data may be inconsistent now, so its next move gets a new bot.
                self._close(message["game"])
                answer = {"failed": describe(error), "trace": trace_of(error)}
            self._parent.send({"job": message["job"], **answer})

    def _close(self, game: int) -> None:
        """Drop the bot of a game, and let it release what it holds."""
        seat = self._seats.pop(game, None)
        if seat is None:
            return
        try:
            seat.bot.close()
        except BaseException as error:  # noqa: BLE001 - it must not end the other games
            sys.stderr.write(f"The bot raised an exception in close.\n{trace_of(error)}")

    def _answer(self, message: Message, flag: Flag) -> Message:
        seat = self._seats.get(message["game"])
        if seat is None:
            seat = self._seats[message["game"]] = Seat(message)
        if message["op"] == "open":
            return {"ponders": seat.bot.ponders}
        state = seat.state(message["state"])
        if message["op"] == "ponder":
            seat.bot.ponder(state, flag)
            return {}
        limit = Limit(**message["limit"])
        flag.start(limit)
        try:
            choice = seat.bot.choose(state, limit, flag)
        except BotError as error:
            # A BotError during a move is a failure of the bot, not a refusal to play the game.
            raise RuntimeError(str(error)) from error
        if not isinstance(choice, Choice):
            raise TypeError(f"choose returned {type(choice).__name__}, not a Choice")
        return {
            "action": operator.index(choice.action),
            "score": None if choice.score is None else float(choice.score),
            "pv": [operator.index(action) for action in choice.pv],
            "nodes": operator.index(choice.nodes),
            "elapsed": float(choice.elapsed),
            "exact": bool(choice.exact),
        }

    def _receive(self, line: bytes) -> None:
        message = json.loads(line)
        if message["op"] == "stop":
            job, flag = self._thinking
            # The request may arrive after the answer, when the next job is already running.
            if job == message["job"]:
                flag.raised = True
            return
        flag = Flag()
        if "job" in message:
            self._thinking = (message["job"], flag)
        self._queue.put((message, flag))


def main() -> None:
    """Run as a worker of the parent process."""
    BotWorker(Parent()).run()
