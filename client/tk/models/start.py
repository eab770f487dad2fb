"""The start screen's form: who plays, where, what is wrong with either, what is being done."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Final, Literal

from protocol.common import PlayerInfo
from protocol.errors import ErrorCode

Way = Literal["here", "join"]
"""On a server of this machine, or on another one."""
Place = Literal["name", "server", "here"]
"""Where a sentence stands: beside one of the two fields, or by the button to play here."""

BAD_NAME: Final = "bad_name"
NAME_IN_USE: Final = "name_in_use"
BAD_ADDRESS: Final = "bad_address"
NO_HELP: Final = "no_help"
NOT_KEPT: Final = "not_kept"
"""Codes of refusals that this program adds to those of the server."""

_OF_NAME: Final = (BAD_NAME, NAME_IN_USE, ErrorCode.NAME_TAKEN)
_LONGEST: Final = 32


def name_problem(name: str) -> str:
    """Say what is wrong with a player's name, in a sentence; empty: nothing."""
    if not name:
        return "Write the name that others will see."
    if len(name) > _LONGEST:
        return f"A name has {_LONGEST} characters at most; this one has {len(name)}."
    try:
        PlayerInfo(name=name, kind="human")
    except ValueError:
        if unicodedata.normalize("NFKC", name) != name:
            return "Some of these letters only look like others; type the plain ones."
        return (
            "A name has letters and digits, with single spaces, dots, hyphens or apostrophes "
            "between them."
        )
    return ""


@dataclass(slots=True)
class StartForm:
    """What the form knows. `busy` says what is being done, in words; empty while nothing is.
    `problems` are sentences by where they stand; `attempt` counts what was begun."""

    busy: str = ""
    problems: dict[Place, str] = field(default_factory=dict)
    attempt: int = 0
    _way: Way = "here"

    def begin(self, way: Way, *, name: str, address: str, address_problem: str) -> bool:
        """Begin to connect, unless the form is busy or something is wrong with its fields; return
        whether that was begun."""
        if self.busy:
            return False
        self.problems = {}
        if problem := name_problem(name):
            self.problems["name"] = problem
        if way == "join" and address_problem:
            self.problems["server"] = address_problem
        if self.problems:
            return False
        self._way = way
        self.attempt += 1
        here = "Starting a server on this computer ..."
        self.busy = here if way == "here" else f"Connecting to {address} ..."
        return True

    def refused(self, attempt: int, sentence: str, code: str) -> Place | None:
        """Note that `attempt` came to nothing. Return where the sentence stands; None if nobody
        waits for it."""
        if not self._is_on(attempt):
            return None
        self.busy = ""
        elsewhere: Place = "here" if self._way == "here" else "server"
        place: Place = "name" if code in _OF_NAME else elsewhere
        self.problems = {place: sentence}
        return place

    def joined(self, attempt: int) -> bool:
        """Note that `attempt` has led to a connection; return whether somebody waits for it."""
        if not self._is_on(attempt):
            return False
        self.busy = ""
        return True

    def cancel(self) -> bool:
        """Give up what is being done; return whether anything was."""
        was, self.busy = bool(self.busy), ""
        return was

    def edited(self, place: Place) -> None:
        """Drop what was wrong with a field whose text has changed."""
        self.problems.pop(place, None)

    def _is_on(self, attempt: int) -> bool:
        return bool(self.busy) and attempt == self.attempt
