"""The matches that people have asked two connected bots to play, until both have accepted.

Both bots must accept within `ANSWER_MS`. Like offers, arrangements are only in memory: who waits
for one when the server restarts sends the request again with the same idempotency key.

`now` is milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, too_many
from doublecross.server.core.limits import ServerLimits

ANSWER_MS: Final = 15_000
"""How long the two bots may take to accept."""


@dataclass(slots=True)
class Arrangement:
    """A match that the person `asker` has asked two bots to play; `bots` are by seat.

    `accepted` has the idempotency key with which each bot has accepted, by its name.
    """

    arrangement_id: str
    asker: str
    key: str
    bots: tuple[PlayerInfo, PlayerInfo]
    settings: MatchSettings
    asked_at: int
    accepted: dict[str, str] = field(default_factory=dict)

    def seat_of(self, player: str) -> int:
        """Return the seat of one of the two bots.

        Raises:
            Refused: the player is neither of them.
        """
        for seat, bot in enumerate(self.bots):
            if bot.name == player:
                return seat
        raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the bots that have not accepted."""
        return tuple(bot.name for bot in self.bots if bot.name not in self.accepted)


class ArrangementBook(Mapping[str, Arrangement]):
    """The arrangements by id, oldest first."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._arrangements: dict[str, Arrangement] = {}
        self._by_asker: dict[str, dict[str, Arrangement]] = {}
        self._by_bot: dict[str, dict[str, Arrangement]] = {}

    def __getitem__(self, arrangement_id: str) -> Arrangement:
        return self._arrangements[arrangement_id]

    def __contains__(self, arrangement_id: object) -> bool:
        return arrangement_id in self._arrangements

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrangements)

    def __len__(self) -> int:
        return len(self._arrangements)

    # -- searches ------------------------------------------------------------------------------

    def created_by(self, player: str, key: str) -> Arrangement | None:
        """Return the arrangement that this person's idempotency key created, or None."""
        return next((each for each in self.asked_by(player) if each.key == key), None)

    def asked_by(self, player: str) -> list[Arrangement]:
        """Return the arrangements that this person has asked for, oldest first."""
        return list(self._by_asker.get(player, {}).values())

    def with_bot(self, player: str) -> list[Arrangement]:
        """Return the arrangements in which this bot is to play, oldest first."""
        return list(self._by_bot.get(player, {}).values())

    def check_space(self, asker: str, bots: tuple[str, str], in_play: int) -> None:
        """Check that the person may arrange one more match; `in_play` are those being played.

        Raises:
            Refused: the person, a bot or the server has too many.
        """
        limits = self._limits
        if in_play + len(self._by_asker.get(asker, ())) >= limits.arranged_per_player:
            raise too_many(
                "You have arranged {most} matches that are not over, which is the limit;"
                " wait until one has ended.",
                limits.arranged_per_player,
            )
        for bot in bots:
            if len(self._by_bot.get(bot, ())) >= limits.challenges_per_target:
                raise too_many("Too many ask {bot} for a match; try again later.", bot)
        if len(self) >= limits.offers:
            raise too_many("Too many matches are being arranged; try again later.")

    # -- changes -------------------------------------------------------------------------------

    def add(self, arrangement: Arrangement) -> None:
        """Add an arrangement that nobody has answered."""
        name = arrangement.arrangement_id
        self._arrangements[name] = arrangement
        self._by_asker.setdefault(arrangement.asker, {})[name] = arrangement
        for bot in arrangement.bots:
            self._by_bot.setdefault(bot.name, {})[name] = arrangement

    def remove(self, arrangement: Arrangement) -> None:
        """Remove an arrangement that both have accepted, or one has declined, or that is over."""
        name = arrangement.arrangement_id
        del self._arrangements[name]
        groups = [(self._by_asker, arrangement.asker)]
        groups += [(self._by_bot, bot.name) for bot in arrangement.bots]
        for group, player in groups:
            del group[player][name]
            if not group[player]:
                del group[player]

    def expire(self, now: int) -> list[Arrangement]:
        """Remove and return the arrangements that a bot has not answered in time."""
        expired: list[Arrangement] = []
        # All have the same time, so the first one that is not over ends the search.
        for arrangement in self._arrangements.values():
            if now < arrangement.asked_at + ANSWER_MS:
                break
            expired.append(arrangement)
        # Not in the loop above, because a dict must not change while it is read.
        for arrangement in expired:
            self.remove(arrangement)
        return expired
