"""What runs inside a worker process: keeps the bots of its games, lets one at a time think.

Theory of operation
-------------------
Requests come as lines of JSON on standard input, answers go as lines on standard output; both are
moved away first, so that a bot that prints or reads cannot break in: it prints to standard error
and reads nothing. The main thread thinks. A second thread reads: it queues requests, raises the
stop flag of the move being thought about, and ends the process when the pipe closes, which is how
a worker learns that its parent is gone. On Linux the kernel also kills the worker with its parent,
for the bot that never lets another thread run.

SIGINT and SIGTERM are the parent's business: sent to a whole process group they must not turn
into crashed games.

Each request about a game says all that is needed to make its bot, so a new worker can take a game
over at any move.
"""

from __future__ import annotations

import contextlib
import json
import operator
import os
import queue
import signal
import sys
import threading
import traceback
from random import Random
from time import perf_counter
from typing import Any, BinaryIO, Final

from bots.api import Bot, BotError, Choice, Limit
from bots.registry import make_bot, parse_spec
from games.api import Game, State
from games.registry import make_game

Message = dict[str, Any]

TEXT_MAX: Final = 300
"""Longest text of an exception that is passed on; its traceback may be `TRACE_MAX` long."""
TRACE_MAX: Final = 4000

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)


class Flag:
    """A stop flag: raised from outside, or by itself when the move's time is over."""

    __slots__ = ("_end", "raised")

    def __init__(self) -> None:
        self.raised = False
        self._end: float | None = None

    def start(self, limit: Limit) -> None:
        """Begin to count the time of `limit`."""
        if limit.time_s is not None:
            self._end = perf_counter() + limit.time_s

    def is_set(self) -> bool:
        """Whether the bot should answer now."""
        return self.raised or (self._end is not None and perf_counter() >= self._end)


class Seat:
    """One game on this worker: its bot, and the position as of the last request."""

    def __init__(self, message: Message) -> None:
        game = make_game(message["key"], message["params"])
        self._game: Game = game
        spec = parse_spec(message["spec"])
        self.bot: Bot = make_bot(spec.name, Random(message["seed"]), spec.options)
        if not self.bot.plays(game):
            raise BotError(f"Bot {spec.name} does not play {game.title} {game.size}.")
        self._text = ""
        self._state: State | None = None

    def state(self, text: str) -> State:
        """The position of a serialized state; only what was played since is replayed."""
        played = text.removeprefix(self._text)
        grown = self._text.endswith("/") or played[:1] in ("", ",")
        if self._state is not None and text.startswith(self._text) and grown:
            for action in filter(None, played.split(",")):
                self._state.apply(int(action))
        else:
            self._state = self._game.deserialize(text)
        self._text = text
        return self._state.clone()


class Child:
    """The worker's two threads and what they share."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._queue: queue.SimpleQueue[tuple[Message, Flag]] = queue.SimpleQueue()
        self._seats: dict[int, Seat] = {}
        self._thinking: tuple[int, Flag] = (0, Flag())

    def run(self) -> None:
        """Answer requests until the process is ended by the reading thread."""
        threading.Thread(target=self._read, name="requests", daemon=True).start()
        self._say({"ready": True})
        while True:
            message, flag = self._queue.get()
            if message["op"] == "close":
                self._seats.pop(message["game"], None)
                continue
            try:
                answer = self._answer(message, flag)
            except BotError as error:
                answer = {"refused": str(error)[:TEXT_MAX]}
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises, SystemExit too
                # What the bot has learnt may be broken; it starts anew with its next move.
                self._seats.pop(message["game"], None)
                answer = {"failed": told(error), "trace": traceback.format_exc()[-TRACE_MAX:]}
            self._say({"job": message["job"], **answer})

    def _answer(self, message: Message, flag: Flag) -> Message:
        seat = self._seats.get(message["game"])
        if seat is None:
            seat = self._seats[message["game"]] = Seat(message)
        if message["op"] == "open":
            return {}
        state = seat.state(message["state"])
        limit = Limit(**message["limit"])
        flag.start(limit)
        try:
            choice = seat.bot.choose(state, limit, flag)
        except BotError as error:
            # From here on it is a failure like any other, not a refusal to play at all.
            raise RuntimeError(str(error)) from error
        if not isinstance(choice, Choice):
            raise TypeError(f"choose returned {type(choice).__name__}, not a Choice")
        return {
            "action": operator.index(choice.action),
            "score": None if choice.score is None else float(choice.score),
            "pv": [operator.index(action) for action in choice.pv],
            "nodes": operator.index(choice.nodes),
            "elapsed": float(choice.elapsed),
        }

    def _say(self, answer: Message) -> None:
        try:
            self._answers.write(json.dumps(answer).encode() + b"\n")
            self._answers.flush()
        except OSError:
            end_process()

    def _read(self) -> None:
        try:
            for line in self._requests:
                message = json.loads(line)
                if message["op"] == "stop":
                    job, flag = self._thinking
                    if job == message["job"]:
                        flag.raised = True
                    continue
                flag = Flag()
                if "job" in message:
                    self._thinking = (message["job"], flag)
                self._queue.put((message, flag))
        finally:
            end_process()


def end_process() -> None:
    """End this worker at once, with all processes that its bots have started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def main(parent: int, memory_mb: int | None) -> None:
    """Run as a worker of the process `parent`, with at most `memory_mb` MiB of data."""
    requests, answers = prepare(parent, memory_mb)
    Child(requests, answers).run()


def prepare(parent: int, memory_mb: int | None) -> tuple[BinaryIO, BinaryIO]:
    """Make this process a worker, and return the pipes of its requests and its answers."""
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    _die_with(parent)
    if memory_mb is not None:
        _limit_memory(memory_mb)
    return _take_pipes()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def _die_with(parent: int) -> None:
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        end_process()


def _limit_memory(memory_mb: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    size = memory_mb * 1024 * 1024
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def told(error: BaseException) -> str:
    """An exception in one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name
