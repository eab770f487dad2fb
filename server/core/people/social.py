"""Whom players follow and block, what they say in rooms, what they report, and the storage for it.

All of it belongs to account ids, so it stays when a player gets another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from doublecross.protocol.common import Kind

Tie: TypeAlias = Literal["follow", "block"]
"""What connects a player with another one, in one direction."""


@dataclass(frozen=True, slots=True)
class Related:
    """A player whom somebody follows or blocks."""

    name: str
    kind: Kind
    tie: Tie


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was said in a room during a match or after it.

    `seat` is that of a player, and None for a spectator. The storage fills in `name`, the present
    name of the account.
    """

    room: str
    match: int
    at_ms: int
    account_id: str
    seat: int | None
    words: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a player has reported about another one.

    `room` and `match` are the game that it is about, if there is one. The reporter was one of its
    players if `seated`. `closed_by` is the admin who has closed it. The storage fills in the names.
    """

    report_id: str
    reporter_id: str
    about_id: str
    reason: str
    words: str
    made_ms: int
    room: str | None = None
    match: int | None = None
    seated: bool = False
    note: str = ""
    closed_ms: int | None = None
    closed_by: str = ""
    reporter: str = ""
    about: str = ""


class SocialStore(Protocol):
    """Store and read all this. All methods raise `StoreError` when the database fails."""

    async def relate(self, account_id: str, other_id: str, tie: Tie | None, made_ms: int) -> None:
        """Store a tie to another account in place of the former one; None ends it.

        Whoever is blocked follows the other one no more.
        """

    async def related(self, account_id: str) -> Sequence[Related]:
        """Return whom an account follows and blocks, by name."""

    def may_block(self, account_id: str) -> bool:
        """Return False if it is known without a read that `apart` names nobody."""
        ...

    async def apart(self, account_id: str) -> frozenset[str]:
        """Return the names of all whom an account blocks, or who block it."""

    async def keep_blocks(self, since_ms: int) -> None:
        """Keep in memory which accounts have to do with blocks, so that others cost no read.

        Only whoever stores all ties, such as the leader, may do this. It reads the blocks from a
        date on, and from time to time again, for those that its predecessor has stored last.
        """

    async def say(self, line: Line) -> None:
        """Store something that was said."""

    async def talk(
        self, room: str, seated: bool, limit: int, match: int | None = None
    ) -> Sequence[Line]:
        """Return what the players of a room said last, or what its spectators did, oldest first.

        The latter if not `seated`. `match` chooses one match; None: all.
        """

    async def add_report(self, report: Report) -> None:
        """Store a report."""

    async def reports_since(self, reporter_id: str, since_ms: int) -> int:
        """Return how many reports an account has made since a date."""

    async def reports(self, limit: int) -> Sequence[Report]:
        """Return the newest reports, those that are open first."""

    async def report(self, report_id: str) -> Report | None:
        """Return a report, or None."""

    async def note(self, report: Report) -> None:
        """Store the note of a report, and whether it is closed."""

    async def of_player(self, account_id: str) -> dict[str, list[dict[str, Any]]]:
        """Return all that a player has said, reported, and whom the player follows and blocks.

        Also what others have reported about the player, without who it was.
        """
