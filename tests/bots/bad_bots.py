"""Define bots that misbehave; worker processes import them as ``tests.bots.bad_bots:X``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

from doublecross.bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from doublecross.games.api import Game, State

HERE = "tests.bots.bad_bots"


class _Bad(Bot):
    summary = "Misbehaves."
    options = (
        Option("at", 0, "the ply from which it misbehaves"),
        Option("once", "", "a file that is made by the first misbehaviour, after which it behaves"),
    )

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        once = str(self.settings["once"])
        bad = state.ply >= int(self.settings["at"]) and not (once and Path(once).exists())
        if once and bad:
            Path(once).touch()
        return self.misbehave(state, stop) if bad else Choice(state.legal_actions()[0])

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        raise NotImplementedError


class Raises(_Bad):
    name = "raises"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        raise ValueError("no idea\nsecond line")


class Exits(_Bad):
    name = "exits"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        sys.exit(3)


class Illegal(_Bad):
    name = "illegal"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        return Choice(state.history()[-1] if state.ply else 60000)


class Nothing(_Bad):
    name = "nothing"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        return None  # type: ignore[return-value]


class Hangs(_Bad):
    name = "hangs"
    if_silent = "; perhaps it sleeps"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        while True:
            pass


class Dies(_Bad):
    name = "dies"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        os.write(2, b"my last words\n")
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Eats(_Bad):
    """Allocate more memory than a limited worker may use."""

    name = "eats"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        return Choice(len(bytes(4 << 30)))


class Waits(_Bad):
    """Think until the stop flag is set, as a search does."""

    name = "waits"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        nodes = 1  # on a busy machine the time may be over before the search begins
        while not stop.is_set():
            nodes += 1
        return Choice(state.legal_actions()[0], score=float("nan"), nodes=nodes)


class Prints(_Bad):
    """Write to standard output and change the state that it was given."""

    name = "prints"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        sys.stdout.write("thinking\n")
        os.write(1, b"")
        assert sys.stdin.read() == ""
        actions = state.legal_actions()
        state.apply(actions[0])
        return Choice(actions[0], pv=tuple(actions[:2]))


class Spawns(_Bad):
    """Start a process, write both process ids to the file in BAD_BOTS_PIDS, and hang."""

    name = "spawns"

    def misbehave(self, state: State, stop: StopFlag) -> Choice:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        target = Path(os.environ["BAD_BOTS_PIDS"])
        partial = target.with_suffix(".part")
        partial.write_text(f"{os.getpid()} {child.pid}")
        partial.rename(target)
        while True:
            time.sleep(600)


class GetsReady(Bot):
    """Play at random in a process that has got ready for the game, else raise an exception."""

    name = "gets-ready"
    summary = "Gets ready."
    games: ClassVar[list[Game]] = []

    def get_ready(self, game: Game) -> None:
        self.games.append(game)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        if state.game not in self.games:
            raise ValueError("not ready")
        return Choice(self.rng.choice(state.legal_actions()))


class NotesReady(Bot):
    """Write each game that it gets ready for into the file BAD_BOTS_READY, and play at random."""

    name = "notes-ready"
    summary = "Notes."

    def get_ready(self, game: Game) -> None:
        with Path(os.environ["BAD_BOTS_READY"]).open("a") as file:
            file.write(f"{game.key} {game.size}\n")

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        return Choice(self.rng.choice(state.legal_actions()))


class Counts(Bot):
    """Return the number of moves of this instance in `nodes`, its process id in `elapsed`."""

    name = "counts"
    summary = "Counts."

    moves = 0

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        self.moves += 1
        score = limit.time_s
        return Choice(
            self.rng.choice(state.legal_actions()),
            score=score,
            nodes=self.moves,
            elapsed=float(os.getpid()),
        )


class Unmakeable(Bot):
    name = "unmakeable"
    summary = "Cannot be made."

    def __init__(self, *args: object) -> None:
        raise RuntimeError("no table")

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        raise NotImplementedError


class Hungry(Unmakeable):
    def __init__(self, *args: object) -> None:
        raise MemoryError


class Mistyped(Unmakeable):
    name = "mistyped"

    def __init__(self, *args: object) -> None:
        self.size = len(3)  # type: ignore[arg-type]


class Abstract(Bot):
    name = "abstract"


class Refuses(Unmakeable):
    name = "refuses"

    def __init__(self, *args: object) -> None:
        raise BotError("This bot wants a table that is not there.")


NO_BOT = object()
