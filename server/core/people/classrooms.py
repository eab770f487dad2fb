"""Classes: people who learn, each with a bot, and the interface of the storage for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from doublecross.server.core.people.accounts import Account, PlayerRow, Token


@dataclass(frozen=True, slots=True)
class Classroom:
    """A class. Whoever knows the `code` may join while it `is_open`."""

    classroom_id: str
    name: str
    owner_id: str
    code: str
    is_open: bool
    created_ms: int


@dataclass(frozen=True, slots=True)
class Member:
    """A person in a class, and the bot that was made for the class.

    `label` says who the person is, for the organiser alone. A bot that `is_aside` has no tokens and
    gets none.
    """

    classroom_id: str
    account_id: str
    label: str
    bot_id: str
    is_aside: bool
    joined_ms: int


@dataclass(frozen=True, slots=True)
class ClassBot:
    """A member of a class with the present names of the person and the bot."""

    member: Member
    player: str
    bot: str


class ClassroomStore(Protocol):
    """Store and read classes. All methods raise `StoreError` when the database fails."""

    async def add(self, classroom: Classroom) -> None:
        """Store a new class."""

    async def change(self, classroom: Classroom) -> None:
        """Store another name, code or state of a class."""

    async def owned(self, account_id: str) -> Sequence[Classroom]:
        """Return the classes of an organiser, newest first."""

    async def by_id(self, classroom_id: str) -> Classroom | None:
        """Return a class, or None."""

    async def by_code(self, code: str) -> Classroom | None:
        """Return the class with this code, or None."""

    async def add_member(
        self, member: Member, bot: PlayerRow, account: Account, token: Token
    ) -> None:
        """Store a member with a new bot and its first token, all or nothing."""

    async def members(self, classroom_id: str) -> Sequence[ClassBot]:
        """Return the members of a class in the order of their labels."""

    async def set_aside(self, member: Member, is_aside: bool) -> None:
        """Set a member's bot aside, or take that back."""

    async def is_aside(self, bot_id: str) -> bool:
        """Return whether a bot is set aside."""
