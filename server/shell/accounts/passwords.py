"""Hash and check passwords away from the event loop, a few at a time.

A hash takes some 150 ms and 64 MiB on purpose. Two threads make them, and at most `most`
wait, so that nobody can use up the processor or the memory with logins.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from threading import Lock
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused

AT_ONCE: Final = 2
LEAST: Final = 8
"""The shortest password, in characters."""
MOST: Final = 128
"""The longest password; hashing does not cost more for longer ones, but reading does."""
_GUESSED: Final = 32
"""How many characters zxcvbn judges, because longer passwords take it long."""
_FEW: Final = 4
"""With more kinds of these signs, judge `_PART` characters at a time.

zxcvbn tries all combinations of readings. 48 characters at once took up to 5 s.
"""
_PART: Final = 16
_STRONG: Final = 2
"""The least score of zxcvbn (0 to 4): more than a million guesses."""
_JUDGING: Final = Lock()
"""zxcvbn keeps the words of one call in a dict of the process, so calls must not overlap."""
_Result = TypeVar("_Result")


class Passwords:
    """Make and check the hashes of passwords.

    They are Argon2id with the library's own settings, which are those of RFC 9106 for little memory
    (64 MiB, three passes). They have one lane and not four, because several people may log in at
    once. At most `most` passwords are hashed or wait.
    """

    def __init__(self, hasher: PasswordHasher | None = None, most: int = 32) -> None:
        self._most = most
        self._hasher = hasher or PasswordHasher(parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self.waiting = 0
        """How many passwords wait or are being hashed."""
        self.hits = 0
        """How many were refused because too many waited."""
        self._nobody = _hash_of_nobody(self._hasher)

    async def hash(self, password: str) -> str:
        """Return the hash of a new password, in Argon2's text form.

        Raises:
            Refused: too many wait.
        """
        return await self._run(lambda: self._hasher.hash(password))

    async def check(self, known: str | None, password: str) -> tuple[bool, str | None]:
        """Return whether the password is the one of this hash, and a newer hash if it needs one.

        A hash of None takes as long as a wrong password, so that the time tells nothing.

        Raises:
            Refused: too many wait.
        """
        return await self._run(lambda: self._check(known, password))

    def _check(self, known: str | None, password: str) -> tuple[bool, str | None]:
        if known is None:
            self._verify(self._nobody, password)
            return False, None
        if not self._verify(known, password):
            return False, None
        again = self._hasher.check_needs_rehash(known)
        return True, self._hasher.hash(password) if again else None

    def _verify(self, known: str, password: str) -> bool:
        try:
            return self._hasher.verify(known, password)
        except (VerificationError, InvalidHashError):
            return False

    async def problem(self, password: str, name: str) -> str:
        """Return why nobody should use this password, as a sentence; empty if it is good.

        Raises:
            Refused: too many wait.
        """
        if len(password) < LEAST:
            return Sentence("The password is too short; use at least {least} characters.", LEAST)
        if len(password) > MOST:
            return Sentence("The password is too long; use at most {most} characters.", MOST)
        return await self._run(lambda: _guess(password, name))

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        if self.waiting >= self._most:
            self.hits += 1
            raise Refused(
                ErrorCode.RATE_LIMITED, "Too many people log in just now; try again in a moment."
            )
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End the threads; nobody may log in any more."""
        # Nobody waits for a login any more when the server ends.
        self._threads.shutdown(wait=False, cancel_futures=True)


def _hash_of_nobody(hasher: PasswordHasher) -> str:
    """Return a text in the form of a hash that costs as much to check, but fits no password."""
    salt, end = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${end}"


def _guess(password: str, name: str) -> str:
    rest = password.casefold().replace(name.casefold(), "")
    if len(rest.replace(" ", "")) < LEAST // 2:
        return Sentence("The password is little more than your name; use another one.")
    start = password[:_GUESSED]
    parts = [start]
    if len(_signs() & set(start)) > _FEW:
        parts = [start[:_PART], start[_PART:]]
    # One part that is hard to guess is enough, because the others only add to it.
    if max(_score(part, name) for part in parts) < _STRONG:
        return Sentence(
            "The password is easy to guess; use a longer one, such as four random words."
        )
    return ""


@cache
def _signs() -> frozenset[str]:
    """Return the digits and signs that zxcvbn reads as letters, in all combinations."""
    # Its lists of words take 20 ms to load, and the threads here have the time.
    from zxcvbn.matching import L33T_TABLE

    return frozenset(chain.from_iterable(L33T_TABLE.values()))


def _score(part: str, name: str) -> int:
    if not part:
        return 0
    from zxcvbn import zxcvbn

    with _JUDGING:
        return int(zxcvbn(part, user_inputs=[name, "doublecross"])["score"])
