"""Parts that messages of both directions share: players, settings, time controls."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

MAX_INT: Final = 2**53 - 1
"""Largest whole number on the wire: what every JSON reader keeps exact."""

HOUR_MS: Final = 3_600_000

PROVISIONAL: Final = 110.0
"""With a larger deviation a rating says little yet."""


def _plain_name(name: str) -> str:
    """Refuses what makes two names look the same: full-width letters and other compatibility
    forms (they are not their own NFKC form, Unicode Annex 15), joiners, doubled spaces."""
    if unicodedata.normalize("NFKC", name) != name or not name.isprintable() or "  " in name:
        raise ValueError("the name has characters that look like others, or doubled spaces")
    return name


RequestId = Annotated[int, Field(ge=0, le=MAX_INT, description="chosen by the client")]
Seat = Annotated[int, Field(ge=0, le=1, description="0 moves first")]
Millis = Annotated[int, Field(ge=0, le=MAX_INT, description="milliseconds")]
WireNumber = Annotated[int, Field(ge=0, le=MAX_INT)]
Count = WireNumber
Action = Annotated[int, Field(ge=0, le=65535, description="an action of the game's rules")]
PlayerName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=32,
        pattern=r"^\w(?:[\w .'+-]*[\w+])?$",
        description="a player's name: letters, digits, `_` and, inside, spaces and `.` `'` `+` "
        "`-`; no two players' names differ only in case, none look alike by Unicode's tricks",
    ),
    AfterValidator(_plain_name),
]
Label = Annotated[str, Field(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
ObjectId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
RoomId = Annotated[ObjectId, Field(description="the room")]
SeekId = Annotated[ObjectId, Field(description="the seek")]
ChallengeId = Annotated[ObjectId, Field(description="the challenge")]
OriginId = Annotated[ObjectId, Field(description="the seek or challenge that led to the room")]
TournamentId = Annotated[ObjectId, Field(description="the tournament")]
GameId = Annotated[ObjectId, Field(description="the finished game, for get_record")]
JoinCode = Annotated[Label, Field(description="the join code of a private room")]
IdempotencyKey = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[\x21-\x7e]+$",
        description="chosen by the client, new for each thing to create; sending it again after a "
        "lost connection brings the same thing back instead of a second one",
    ),
]
ParameterName = Annotated[str, Field(min_length=1, max_length=20)]
Kind = Annotated[Literal["human", "bot"], Field(description="who plays: a person or a program")]


class WireModel(BaseModel):
    """Base of everything on the wire: frozen, no coercion, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class EngineInfo(WireModel):
    """Which program a bot runs; ratings belong to name and version."""

    name: Label = Field(min_length=1, description="the program's name")
    version: Label = Field(min_length=1, description="its version")


class PlayerInfo(WireModel):
    """A player as everybody sees it; `engine` is set exactly for bots."""

    name: PlayerName
    kind: Kind
    engine: EngineInfo | None = Field(default=None, description="set for bots, and only for bots")


class TimeControl(WireModel):
    """How long the seats may think, in milliseconds.

    `base_ms` is each seat's clock at the start and `increment_ms` what a move gives back to the
    seat that made it; `base_ms` null means no clock. `move_ms` is the most for a single move,
    with or without a clock. All null: unlimited.
    """

    base_ms: Annotated[int, Field(ge=100, le=240 * HOUR_MS)] | None = Field(
        default=None, description="each seat's clock at the start; null: no clock"
    )
    increment_ms: Annotated[int, Field(ge=0, le=HOUR_MS)] = Field(
        default=0, description="given back for each move; only with a clock"
    )
    move_ms: Annotated[int, Field(ge=50, le=240 * HOUR_MS)] | None = Field(
        default=None, description="the most for a single move; null: no such limit"
    )

    @model_validator(mode="after")
    def _increment_needs_a_base(self) -> Self:
        if self.increment_ms and self.base_ms is None:
            raise ValueError("an increment needs a base")
        return self

    @property
    def text(self) -> str:
        """For people and records: ``60+1``, ``60+1/10`` (10 s a move at most), ``0/10``,
        ``unlimited``; in seconds. `parse` reads it back."""
        if self.base_ms is None and self.move_ms is None:
            return "unlimited"
        base = (
            "0"
            if self.base_ms is None
            else f"{_seconds(self.base_ms)}+{_seconds(self.increment_ms)}"
        )
        return base if self.move_ms is None else f"{base}/{_seconds(self.move_ms)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """A time control from its text.

        Raises:
            ValueError: not of the form, or out of range; one sentence for people.
        """
        text = text.strip().lower()
        if text == "unlimited":
            return cls()
        found = _TIME.fullmatch(text)
        if found is None:
            raise ValueError(
                f"{text!r} is no time control; write seconds such as 60+1, 60+1/10, 0/10 "
                "or 'unlimited'."
            )
        base, increment, move = (
            None if part is None else round(float(part) * 1000) for part in found.groups()
        )
        if not base and move is None:
            raise ValueError(f"{text!r} leaves no time at all; write 'unlimited' for no limit.")
        try:
            return cls(base_ms=base or None, increment_ms=increment or 0, move_ms=move)
        except ValueError:
            raise ValueError(
                f"{text!r} is out of range: a base from 0.1 s to 240 h, an increment of at most "
                "an hour and only with a base, a move limit from 0.05 s to 240 h."
            ) from None


_TIME = re.compile(
    r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,4}(?:\.\d{1,3})?))?(?:/(\d{1,6}(?:\.\d{1,3})?))?",
    re.ASCII,
)


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".")


class MatchSettings(WireModel):
    """What is played: a game of the registry with its parameters, opening and time control.

    A `rated` match counts for ratings: a bot that crashes in it loses.
    """

    game: Annotated[str, Field(min_length=1, max_length=40, description="its key, see Games")]
    params: Annotated[
        dict[ParameterName, Annotated[int, Field(ge=0, le=999)]],
        Field(max_length=8),
    ] = Field(
        default_factory=dict, description="the game's parameters by name; the others are as usual"
    )
    opening: Annotated[tuple[Action, ...], Field(max_length=256, fail_fast=True)] = Field(
        default=(), description="actions made before the first move, by nobody"
    )
    time: TimeControl = Field(default=TimeControl(), description="the time control")
    rated: bool = Field(default=False, description="whether it counts for ratings")


FormatKey = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder"]
Format = Annotated[
    FormatKey,
    Field(
        description="everybody against everybody; one player against each other one; "
        "rounds between those who stand alike; the loser is out; open-ended, against somebody near"
    ),
]


class TournamentTerms(WireModel):
    """What a tournament is about. Its unit is the game pair: one opening, both colours. Every
    two meet from the same openings, which follow from `seed`; `settings` have no opening.

    `pairs` is how many pairs two play when they meet, `rounds` how many rounds a Swiss tournament
    has, or after how many pairs in all a ladder ends (null: when it is told to). A player who
    loses `patience` games in a row by crash, illegal action, time or absence is set aside; games
    that were going on when one of them was lost count with that one.
    """

    name: Annotated[Label, Field(min_length=1, description="for people")]
    format: Format
    settings: MatchSettings = Field(description="what is played, without an opening")
    pairs: Annotated[int, Field(ge=1, le=10_000, description="game pairs when two meet")] = 1
    rounds: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="of a Swiss tournament; pairs of a ladder in all"
    )
    patience: Annotated[int, Field(ge=1, le=1000, description="failed games in a row")] = 3
    games_at_once: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="games that are played at once in all; null: no limit"
    )
    late: bool = Field(
        default=False,
        description="whether players may join after the start; a ladder they may always join",
    )
    people: bool = Field(default=False, description="whether people may join, or bots only")
    invited: Annotated[tuple[PlayerName, ...], Field(max_length=1000)] | None = Field(
        default=None, description="who may join; null: everybody"
    )
    hero: PlayerName | None = Field(
        default=None, description="who meets everybody in a gauntlet; null: who has joined first"
    )
    seed: Annotated[int, Field(ge=0, le=MAX_INT)] | None = Field(
        default=None, description="openings and chances follow from it; null: the server's choice"
    )


class PairTag(WireModel):
    """Which game of which tournament is played in a room: game 0 or 1 of a game pair, in which
    the two have changed seats. A pair one of whose games ends without a result is played again,
    by the next `attempt`."""

    tournament: TournamentId
    pairing: Annotated[int, Field(ge=0, le=MAX_INT, description="the pair's number in it, from 0")]
    game: Annotated[int, Field(ge=0, le=1, description="the first or the second of the pair")]
    attempt: Annotated[int, Field(ge=1, le=MAX_INT, description="1, or more where it is repeated")]
