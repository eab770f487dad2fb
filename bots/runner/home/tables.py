"""The tables of a file with the settings of a bot; the comments of `example.toml` explain them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, Strict

from doublecross.bots.runner.core.ranges import GameRange, NumberRange, QuietHours
from doublecross.games.api import GameError
from doublecross.games.registry import game_class
from doublecross.protocol.common import MatchSettings, TimeControl


def parse_settings(text: str) -> MatchSettings:
    """Return the settings of a text such as ``dots-and-boxes 5x5 60+1``.

    Raises:
        ValueError: the text is malformed. The message is one sentence for people.
    """
    words = text.split()
    if len(words) != 3:
        raise ValueError(f"{text!r} is no game; write it like dots-and-boxes 5x5 60+1.")
    key, size, time = words
    try:
        params = game_class(key).parse_size(size)
    except GameError as error:
        raise ValueError(str(error)) from None
    return MatchSettings(game=key, params=params, time=TimeControl.parse(time))


def _text(parse: Callable[[str], object]) -> PlainValidator:
    def check(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("it must be text in quotes.")
        return parse(value)

    return PlainValidator(check)


Games = Annotated[GameRange, _text(GameRange.parse)]
Numbers = Annotated[NumberRange, _text(NumberRange.parse)]
Hours = Annotated[QuietHours, _text(QuietHours.parse)]
Match = Annotated[MatchSettings, _text(parse_settings)]
Many = Annotated[int, Field(ge=1, le=256)]
Time = Annotated[float, Field(ge=0)]


class Table(BaseModel):
    """A table of the file; it refuses keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class EngineTable(Table):
    """A bot, and what it plays (empty: all that it can)."""

    bot: str
    games: list[Games] = []


class AcceptTable(Table):
    """The games that the bot accepts; None and empty lists restrict nothing."""

    bots: bool = True
    people: bool = True
    only: list[str] = []
    refuse: list[str] = []
    rating: Numbers | None = None
    games: list[Games] = []
    time: Numbers | None = None
    rated: bool | None = None
    seeks: bool = False
    rematches: bool = True
    at_once: Many = 4
    each: Many | None = None
    each_day: Annotated[int, Field(ge=1)] | None = None
    quiet: list[Hours] = []


class SeekTable(Table):
    """A seek that the bot keeps open."""

    game: Match
    rated: bool = False


class MatchmakingTable(Table):
    """Challenges that the bot sends to other bots while it has too little to do."""

    games: Annotated[list[Match], Field(min_length=1)]
    rated: bool = False
    rating: Numbers | None = None
    idle_minutes: Time = 5.0
    again_hours: Time = 24.0


class BotHome(Table):
    """All settings of a bot that `doublecross bot` runs."""

    server: str = "ws://127.0.0.1:8765"
    name: str | None = None
    token_file: Annotated[Path, Strict(False)] | None = None
    takebacks: bool = True
    workers: Many = 1
    think: Annotated[float, Field(ge=0.01)] = 10.0
    pause: bool = False
    seed: int | None = None
    wait: Time = 2.0
    leave_after: Annotated[int, Field(ge=1)] | None = None
    tournament: str | None = None
    log_folder: Annotated[Path, Strict(False)] | None = None
    engine: list[EngineTable] = []
    accept: AcceptTable = AcceptTable()
    seek: SeekTable | None = None
    matchmaking: MatchmakingTable | None = None


TABLES: Final[Mapping[str, type[Table]]] = {
    "engine": EngineTable,
    "accept": AcceptTable,
    "seek": SeekTable,
    "matchmaking": MatchmakingTable,
}
"""The tables in the file, by their keys."""
