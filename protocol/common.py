"""Field types and parts that messages in both directions share."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from doublecross.protocol.text import plain_name

MAX_INT: Final = 2**53 - 1
"""The largest integer on the wire; JSON readers that use doubles still represent it exactly."""

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS

PROVISIONAL: Final = 110.0
"""A rating with a larger deviation is provisional: too few games support it."""


RequestId = Annotated[
    int, Field(ge=0, le=MAX_INT, description="the request's id, chosen by the client")
]
Seat = Annotated[int, Field(ge=0, le=1, description="0 moves first")]
Millis = Annotated[int, Field(ge=0, le=MAX_INT, description="milliseconds")]
WireNumber = Annotated[int, Field(ge=0, le=MAX_INT)]
Count = WireNumber
Action = Annotated[int, Field(ge=0, le=65535, description="an action of the game's rules")]
MatchIndex = Annotated[
    int, Field(ge=1, le=1_000_000, description="the number of the match in its room, from 1")
]
Ply = Annotated[
    int,
    Field(
        ge=0,
        le=1_000_000,
        description="the number of moves that were played before, without the opening",
    ),
]
Takebacks = Annotated[
    int,
    Field(ge=0, le=1_000_000, description="the number of takebacks in the match so far"),
]
PlayerName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=32,
        pattern=r"^\w(?:[\w .'+-]*[\w+])?$",
        description="a player's name: letters, digits, `_`, and inside the name also spaces and "
        "`.` `'` `+` `-`; unique without regard to case; no Unicode compatibility characters",
    ),
    AfterValidator(plain_name),
]
AskedBy = Annotated[
    PlayerName | None,
    Field(description="the person who arranged the match of two bots, to watch it"),
]
Label = Annotated[str, Field(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
ObjectId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
RoomId = Annotated[ObjectId, Field(description="the room")]
SeekId = Annotated[ObjectId, Field(description="the seek")]
ChallengeId = Annotated[ObjectId, Field(description="the challenge")]
OriginId = Annotated[
    ObjectId, Field(description="the seek, challenge or tournament behind the room")
]
TournamentId = Annotated[ObjectId, Field(description="the tournament")]
GameId = Annotated[ObjectId, Field(description="the finished game, for get_record")]
JoinCode = Annotated[Label, Field(description="the join code of a private room")]
IdempotencyKey = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[\x21-\x7e]+$",
        description="chosen by the client, a new one for each thing to create; sending the request "
        "again with the same key returns the same thing instead of creating a second one",
    ),
]
ParameterName = Annotated[str, Field(min_length=1, max_length=20)]
Kind = Annotated[Literal["human", "bot"], Field(description="whether a person or a program plays")]


class WireModel(BaseModel):
    """Base of all messages and their parts: frozen, no coercion, no unknown fields, no NaN."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", allow_inf_nan=False, defer_build=True
    )


class Phrase(WireModel):
    """What a client needs to say a sentence in another language."""

    one: str = Field(description="the template in English, with names in braces")
    many: str | None = Field(
        default=None,
        description="the template if the value called `count` is not 1; null: the same",
    )
    values: Annotated[dict[ParameterName, str | int | Phrase], Field(max_length=16)] = Field(
        description="what the names in the template stand for; phrases have translations too"
    )


Told = Annotated[
    Phrase | None,
    Field(
        description="what translations need; null: the text has no values, and is its own template"
    ),
]
"""What a message has beside a sentence in English."""


class EngineInfo(WireModel):
    """The program that a bot runs. A bot has a separate rating for each name and version."""

    name: Label = Field(min_length=1, description="the program's name")
    version: Label = Field(min_length=1, description="its version")


class PlayerInfo(WireModel):
    """A player, as other players see it."""

    name: PlayerName
    kind: Kind
    engine: EngineInfo | None = Field(default=None, description="set for bots, and only for bots")


class TimeControl(WireModel):
    """How long the seats may think, in milliseconds.

    Each seat's clock starts with `base_ms` and gains `increment_ms` after each of the seat's moves;
    `base_ms` null means no clock. `move_ms` limits every single move, with or without a clock.
    With `base_ms` and `move_ms` null the time is unlimited. In a correspondence game, which has no
    `base_ms` and at least a day for each move, nobody has to be connected.
    """

    base_ms: Annotated[int, Field(ge=100, le=240 * HOUR_MS)] | None = Field(
        default=None, description="each seat's time at the start; null: no clock"
    )
    increment_ms: Annotated[int, Field(ge=0, le=HOUR_MS)] = Field(
        default=0, description="added after each move; only with a clock"
    )
    move_ms: Annotated[int, Field(ge=50, le=14 * DAY_MS)] | None = Field(
        default=None, description="the limit for a single move; null: no limit"
    )

    @model_validator(mode="after")
    def _increment_needs_a_base(self) -> Self:
        if self.increment_ms and self.base_ms is None:
            raise ValueError("an increment needs a base")
        return self

    @property
    def by_days(self) -> bool:
        """True for a correspondence game, which goes on while nobody is connected."""
        return self.base_ms is None and self.move_ms is not None and self.move_ms >= DAY_MS

    @property
    def runs(self) -> bool:
        """True when a player who is not there loses on time before long."""
        return (self.base_ms is not None or self.move_ms is not None) and not self.by_days

    @property
    def text(self) -> str:
        """The time control in seconds, as people and records write it.

        Examples: ``60+1`` (base and increment), ``60+1/10`` (at most 10 s for a move), ``0/10``
        (only a limit for each move), ``unlimited``. `parse` reads this text.
        """
        return _time_text(self.base_ms, self.increment_ms, self.move_ms)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the time control that a text such as ``60+1`` describes; see `text`.

        ``3d`` is three days for each move.

        Raises:
            ValueError: the text is malformed or out of range. The message is one sentence for
                people.
        """
        text = text.strip().lower()
        if text == "unlimited":
            return cls()
        if text in _DAYS:
            return cls(move_ms=_DAYS[text] * DAY_MS)
        found = _TIME.fullmatch(text)
        if found is None:
            raise ValueError(
                f"{text!r} is no time control; write seconds such as 60+1, 60+1/10, 0/10, "
                "days a move such as 3d (1 to 14), or 'unlimited'."
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
                "an hour and only with a base, a move limit from 0.05 s to 14 days."
            ) from None


_TIME = re.compile(
    r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,4}(?:\.\d{1,3})?))?(?:/(\d{1,7}(?:\.\d{1,3})?))?",
    re.ASCII,
)
_DAYS: Final = {f"{days}d": days for days in range(1, 15)}


@lru_cache(maxsize=64)
def _time_text(base_ms: int | None, increment_ms: int, move_ms: int | None) -> str:
    if base_ms is None and move_ms is None:
        return "unlimited"
    base = "0" if base_ms is None else f"{_seconds(base_ms)}+{_seconds(increment_ms)}"
    return base if move_ms is None else f"{base}/{_seconds(move_ms)}"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".")


class MatchSettings(WireModel):
    """The settings of a match: a game with its parameters, opening, start and time control.

    A `rated` match counts for ratings, and a bot that crashes in it loses the match.

    A match can begin in the middle of a game: `start` has the moves that led there. The seats have
    made them in turn by the rules, so what they captured counts. The server plays them right after
    `match_started`, one `move` event for each, so they are moves like all others. Nobody is to move
    before the last of them, and of their events only the last has a `board`. Each rematch begins
    with them again. Such a match is casual, and no game of a tournament.
    """

    game: Annotated[
        str, Field(min_length=1, max_length=40, description="the key of the game, see Games")
    ]
    params: Annotated[
        dict[ParameterName, Annotated[int, Field(ge=0, le=999)]],
        Field(max_length=8),
    ] = Field(
        default_factory=dict,
        description="the game's parameters by name; missing ones have their default value",
    )
    opening: Annotated[tuple[Action, ...], Field(max_length=256, fail_fast=True)] = Field(
        default=(), description="actions on the board before the first move; no seat made them"
    )
    start: Annotated[tuple[Action, ...], Field(max_length=256, fail_fast=True)] = Field(
        default=(), description="the moves with which the match begins, made by the seats in turn"
    )
    time: TimeControl = Field(default=TimeControl(), description="the time control")
    rated: bool = Field(default=False, description="whether it counts for ratings")
    evaluation: bool = Field(
        default=False,
        description="whether spectators see what the server thinks of the moves while the match "
        "goes on, see `get_evaluation`",
    )


MAX_ROUND_MS: Final = 90 * 86_400_000
"""The longest time from one round of a tournament to the next, in milliseconds."""

MAX_LENGTH_MS: Final = 12 * HOUR_MS
"""The longest arena, in milliseconds."""

FormatKey = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder", "arena"]
Format = Annotated[
    FormatKey,
    Field(
        description="round-robin: all play all; gauntlet: one player plays all others; "
        "swiss: rounds between players with similar scores; knockout: the loser is out; "
        "ladder: open-ended, against players of similar rating; "
        "arena: for a set time, single games between free players of similar points"
    ),
]

TieBreakKey = Literal["net", "buchholz", "sonneborn-berger"]


class Anchor(WireModel):
    """A player of a ladder whose rating is fixed."""

    player: PlayerName
    rating: Annotated[float, Field(ge=0, le=5000, description="the fixed rating")]


class TournamentTerms(WireModel):
    """The format, settings and limits of a tournament.

    Players meet in game pairs: two games from the same opening with the seats swapped. In an arena
    they meet for single games. If people may join, these begin from the usual start, and bots play
    only people who have no other opponent. The openings
    follow from `seed` and are the same for all opponents; `settings` must have neither an opening
    nor a start.

    A player who fails in `patience` games in a row (by crash, illegal action, time or absence) is
    excluded from further games. Failed games that were played at the same time count as one.

    By days, which ladders and arenas cannot be, nobody has to be connected: all games of a round
    begin at once, all rounds of a round robin too, and who is away loses nothing but time.
    """

    name: Annotated[Label, Field(min_length=1, description="the tournament's name, for people")]
    format: Format
    settings: MatchSettings = Field(description="what is played, without opening and start")
    pairs: Annotated[
        int, Field(ge=1, le=10_000, description="game pairs that two players play when they meet")
    ] = 1
    rounds: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="the rounds of a Swiss tournament, or the game pairs after which a ladder "
        "ends; null: a ladder runs until its organiser ends it, and other formats need no number",
    )
    patience: Annotated[
        int, Field(ge=1, le=1000, description="failed games in a row that exclude a player")
    ] = 3
    games_at_once: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="the most games in play at the same time; null: no limit"
    )
    late: bool = Field(
        default=False,
        description="whether players may join after the start; they may always join a ladder",
    )
    people: bool = Field(default=False, description="true: people may join; false: only bots")
    phrases: bool = Field(
        default=True, description="whether players may say phrases to each other while it runs"
    )
    invited: Annotated[tuple[PlayerName, ...], Field(max_length=1000)] | None = Field(
        default=None, description="the players who may join; null: everybody"
    )
    hero: PlayerName | None = Field(
        default=None,
        description="the player who meets all others in a gauntlet; null: the first to join",
    )
    anchors: Annotated[tuple[Anchor, ...], Field(max_length=100)] = Field(
        default=(),
        description="players of a ladder whose ratings stay as given here, so that those of the "
        "others keep their scale",
    )
    tie_breaks: Annotated[tuple[TieBreakKey, ...], Field(max_length=3)] = Field(
        default=("net",),
        description="what decides between equal points, in this order. net: the sum of the "
        "net scores; buchholz: the points of all opponents of a Swiss tournament; "
        "sonneborn-berger: those of the opponents, times the points against them, in a Swiss "
        "tournament or a round robin",
    )
    starts_ms: Millis | None = Field(
        default=None,
        description="when it starts by itself, in milliseconds since 1970; null: only its "
        "organiser starts it",
    )
    round_ms: Annotated[int, Field(ge=1000, le=MAX_ROUND_MS)] | None = Field(
        default=None,
        description="the time from the begin of a round to the earliest begin of the next one, in "
        "a Swiss tournament or a knockout; null: rounds follow one another at once",
    )
    length_ms: Annotated[int, Field(ge=60_000, le=MAX_LENGTH_MS)] | None = Field(
        default=None, description="how long an arena lasts; null in all other formats"
    )
    bots: Annotated[tuple[PlayerName, ...], Field(max_length=20)] = Field(
        default=(),
        description="bots that fill in: the lobby asks them to join while there are too few "
        "players",
    )
    fill: Annotated[int, Field(ge=2, le=200)] | None = Field(
        default=None,
        description="the number of players up to which `bots` are asked to join, shortly before "
        "the start and later; null: none is asked",
    )
    seed: Annotated[int, Field(ge=0, le=MAX_INT)] | None = Field(
        default=None,
        description="determines openings and random choices; null: the server chooses a seed",
    )


class PairTag(WireModel):
    """The tournament game that is played in a room. A game pair has two games with the seats
    swapped. When one of them ends without a result, the whole pair is repeated with the next
    `attempt`."""

    tournament: TournamentId
    pairing: Annotated[
        int,
        Field(ge=0, le=MAX_INT, description="the game pair's number in the tournament, from 0"),
    ]
    game: Annotated[int, Field(ge=0, le=1, description="the first or the second game of the pair")]
    attempt: Annotated[
        int, Field(ge=1, le=MAX_INT, description="1 for the first try, more when it is repeated")
    ]


class Request(WireModel):
    """Base of all requests."""

    id: RequestId
