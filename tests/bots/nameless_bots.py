"""Define bots that lack what bots usually have, and a bot that notes when it is closed."""

from __future__ import annotations

from pathlib import Path

from doublecross.bots.api import Bot, Choice, Limit, Option, StopFlag
from doublecross.games.api import State

HERE = "tests.bots.nameless_bots"


class Plain(Bot):
    """Has no name, version or summary."""

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        return Choice(state.legal_actions()[0])


class Numbered(Plain):
    version = 2  # type: ignore[assignment]


class Closes(Plain):
    """Append a line to a file when it is closed, and fail if `fails`."""

    name = "closes"
    options = (Option("file", "", "the file"), Option("fails", False, "whether close fails"))

    def close(self) -> None:
        with Path(str(self.settings["file"])).open("a") as file:
            file.write("closed\n")
        if self.settings["fails"]:
            raise ValueError("cannot close")


class BadTable(Plain):
    """Raise an exception in its constructor."""

    def __init__(self, *args: object) -> None:
        self.table = {}["the table"]  # type: ignore[var-annotated]
