"""Keep the state of the start screen's form: progress, and problems with its fields."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Final, Literal

from doublecross.client.language import tr
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode

Way = Literal["here", "join"]
"""The choice of a server: one on this machine, or another one."""
Place = Literal["name", "password", "server", "here"]
"""The place of a problem: beside one of the fields, or at the button to play here."""

BAD_NAME: Final = "bad_name"
NAME_IN_USE: Final = "name_in_use"
BAD_ADDRESS: Final = "bad_address"
NO_HELP: Final = "no_help"
NOT_KEPT: Final = "not_kept"
"""Codes of refusals that this program adds to the server's error codes."""

_NAME_CODES: Final = (BAD_NAME, NAME_IN_USE, ErrorCode.NAME_TAKEN, ErrorCode.WRONG_KIND)
_PASSWORD_CODES: Final = (ErrorCode.BAD_LOGIN, ErrorCode.RATE_LIMITED, ErrorCode.TOKEN_EXPIRED)
"""Refusals after which the right password, perhaps later, helps."""
_LONGEST: Final = 32


def name_problem(name: str) -> str:
    """Return a sentence that says what is wrong with a player's name, or an empty text."""
    if not name:
        return tr("Write the name that others will see.")
    if len(name) > _LONGEST:
        return tr(
            "A name has {most} characters at most; this one has {count}.",
            most=_LONGEST,
            count=len(name),
        )
    try:
        PlayerInfo(name=name, kind="human")
    except ValueError:
        if unicodedata.normalize("NFKC", name) != name:
            return tr("Some of these letters only look like others; type the plain ones.")
        return tr(
            "A name has letters and digits, with single spaces, dots, hyphens "
            "or apostrophes between them."
        )
    return ""


@dataclass(slots=True)
class StartForm:
    """The state of the form.

    `busy` describes the attempt to connect in words, and is empty without one. `problems` has
    sentences by the place where they are shown. `attempt` counts the attempts; a late outcome of an
    earlier attempt is recognised by its number. `asks_password` says whether the field for the
    password is shown, and `needs_password` whether it must have a text.
    """

    busy: str = ""
    asks_password: bool = False
    needs_password: bool = False
    problems: dict[Place, str] = field(default_factory=dict)
    attempt: int = 0
    _way: Way = "here"
    _name: str = ""

    def begin(
        self, way: Way, *, name: str, address: str, address_problem: str, password: str = ""
    ) -> bool:
        """Begin an attempt to connect, unless one is under way or a field has a problem.

        Return whether the attempt has begun.
        """
        if self.busy:
            return False
        self.problems = {}
        if problem := name_problem(name):
            self.problems["name"] = problem
        if self.needs_password and not password:
            self.problems["password"] = tr("Write the password of your account.")
        if way == "join" and address_problem:
            self.problems["server"] = address_problem
        if self.problems:
            return False
        self._way, self._name = way, name
        self.attempt += 1
        here = tr("Starting a server on this computer ...")
        self.busy = here if way == "here" else tr("Connecting to {address} ...", address=address)
        return True

    def refused(self, attempt: int, sentence: str, code: str) -> Place | None:
        """Note that `attempt` failed.

        Return the place where `sentence` is shown, or None if the attempt was cancelled before.
        """
        if not self._is_current(attempt):
            return None
        self.busy = ""
        elsewhere: Place = "here" if self._way == "here" else "server"
        place: Place = elsewhere
        if code in _NAME_CODES:
            place = "name"
        elif code in _PASSWORD_CODES:
            place = "password"
        if code in (ErrorCode.NAME_TAKEN, *_PASSWORD_CODES):
            self.asks_password = True
        if code == ErrorCode.NAME_TAKEN:
            sentence = tr(
                "The name {name} is taken; choose another, or log in if it is yours.",
                name=self._name,
            )
        self.problems = {place: sentence}
        return place

    def joined(self, attempt: int) -> bool:
        """Note that `attempt` succeeded; return false if it was cancelled before."""
        if not self._is_current(attempt):
            return False
        self.busy = ""
        return True

    def cancel(self) -> bool:
        """Cancel the attempt; return whether one was under way."""
        was, self.busy = bool(self.busy), ""
        return was

    def switch_password(self) -> None:
        """Ask for the password of an account, or for none."""
        self.asks_password = self.needs_password = not self.asks_password
        self.problems.pop("password", None)

    def edited(self, place: Place) -> None:
        """Drop the problem of a field whose text has changed."""
        self.problems.pop(place, None)

    def _is_current(self, attempt: int) -> bool:
        return bool(self.busy) and attempt == self.attempt
