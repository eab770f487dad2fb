"""Define bots that think on their opponent's time, for worker processes."""

from __future__ import annotations

import os
import signal

from doublecross.bots.api import Bot, Choice, Limit, Option, StopFlag
from doublecross.games.api import State

HERE = "tests.bots.pondering_bots"


class Ponders(Bot):
    """Return in `nodes` of how many positions of the opponent this instance has thought."""

    name = "ponders"
    summary = "Ponders."
    options = (
        Option("ponder", True, "whether it ponders"),
        Option("end", "waits", "how it ends", ("waits", "returns", "raises", "dies", "hangs")),
    )
    pondered = 0

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        return Choice(state.legal_actions()[0], score=float(self.pondered), nodes=self.pondered)

    def ponder(self, state: State, stop: StopFlag) -> None:
        self.pondered += 1
        match self.settings["end"]:
            case "raises":
                raise ValueError("no idea")
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hangs":
                while True:
                    pass
            case "waits":
                while not stop.is_set():
                    pass
