"""Keep a name for a new player until the player is stored, and check that it may be used."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.storage import Store
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.identity.names import is_reserved, look_of, problem_with


class Reservation:
    """The name of a new player whose hello is not finished; `token_hash` is of its token."""

    def __init__(self, token_hash: bytes) -> None:
        self.token_hash = token_hash
        self.ended = asyncio.Event()


class Newcomers:
    """Give names to new players, each to one of them."""

    def __init__(self, store: Store, admission: Admission) -> None:
        self._store = store
        self._admission = admission
        self._reserved: dict[str, Reservation] = {}
        """By casefolded name and by look, the new players whose first commit is under way."""

    @asynccontextmanager
    async def reserve(self, name: str, hashed: bytes) -> AsyncIterator[Sequence[PlayerRow]]:
        """Keep others from the name meanwhile; yield the stored players whose names look like it.

        The player who has the name already comes first. `hashed` is of the newcomer's token: a
        request with the same one waits for the first.

        Raises:
            Refused: somebody else is about to take the name.
            StoreError: the database failed.
        """
        folded, look = name.casefold(), look_of(name)
        reserved = self._reserved
        # A loop, because somebody else may have reserved the name when the wait ends.
        while other := reserved.get(folded) or reserved.get(look):
            if not hmac.compare_digest(other.token_hash, hashed):
                raise taken(name)
            await other.ended.wait()  # the same player has sent its request again
        # Names that look alike exclude each other as equal names do.
        own = reserved[folded] = reserved[look] = Reservation(hashed)
        try:
            yield await self._store.players_like(name, look)
        finally:
            del reserved[folded]
            reserved.pop(look, None)  # a look can equal a name
            own.ended.set()

    def check(self, name: str, alike: Sequence[PlayerRow], source: str) -> None:
        """Check that a new player from this source may have the name, and count it.

        `alike` are the players whose names look like it.

        Raises:
            Refused: others could take the player for somebody else, or too many new names come from
                there.
        """
        self.check_name(name, alike)
        self._admission.check(source, Action.NAME)

    @staticmethod
    def check_name(name: str, alike: Sequence[PlayerRow]) -> None:
        """Check that a player may have a new name; `alike` are players whose names look like it.

        Raises:
            Refused: it is not allowed, or others could take the player for somebody else.
        """
        problem = problem_with(name)
        if problem:
            raise Refused(ErrorCode.BAD_MESSAGE, problem)
        if is_reserved(name):
            raise Refused(
                ErrorCode.NAME_TAKEN,
                "The name {name} is for the host of this server; choose another.",
                name,
            )
        if alike:
            raise Refused(
                ErrorCode.NAME_TAKEN,
                "The name {name} looks like {other}, which is taken; choose another.",
                name,
                alike[0].name,
            )


def taken(name: str) -> Refused:
    """Return the refusal of a name that somebody has."""
    return Refused(ErrorCode.NAME_TAKEN, "The name {name} is taken; choose another.", name)
