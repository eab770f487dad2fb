"""Read the events that a host lists in a file of TOML: tournaments at fixed times of the week."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from doublecross.games.api import GameError
from doublecross.games.registry import game_class
from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from doublecross.server.core.errors import Refused
from doublecross.server.core.terms import check_settings, complete
from doublecross.server.tournaments.messages import NOTHING, FirstOpenings, core_terms

MOST_EVENTS: Final = 50
MOST_BYTES: Final = 100_000
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HEADER: Final = re.compile(r"\s*\[\[\s*event\s*\]\]")

T = TypeVar("T")
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class EventFileError(Exception):
    """Raised when a file of events cannot be used. The message is one sentence for the host."""


def _moment(text: Any) -> dt.time:
    if not isinstance(text, str) or re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text) is None:
        raise ValueError("write times of the day such as 19:30")
    return dt.time.fromisoformat(text)


def _zone(text: Any) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (LookupError, OSError, TypeError, ValueError):
        raise ValueError("there is no such time zone; write one such as Europe/Berlin") from None


class _Table(BaseModel):
    """A table of the file. `players` is up to how many players the `bots` fill in."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    name: str
    at: Annotated[list[Annotated[dt.time, BeforeValidator(_moment)]], Field(min_length=1)]
    days: Annotated[list[Day], Field(min_length=1)] = list(DAYS)
    zone: Annotated[ZoneInfo, BeforeValidator(_zone)] = ZoneInfo("UTC")
    game: str = "dots-and-boxes"
    size: str | None = None
    time: str = "60+1"
    format: Literal["arena", "swiss", "knockout", "round-robin"] = "arena"
    minutes: Annotated[int, Field(ge=1, le=720)] | None = None
    rounds: int | None = None
    pairs: int = 1
    rated: bool = True
    bots: list[str] = []
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament that is played again and again; `terms` lack only the start."""

    terms: TournamentTerms
    days: frozenset[int]
    at: tuple[dt.time, ...]
    zone: ZoneInfo

    def starts(self, after_ms: int) -> Iterator[int]:
        """Yield the starts after a date within the next eight days, in UNIX milliseconds.

        A time that does not exist when clocks go forward is the one an hour later.
        """
        today = dt.datetime.fromtimestamp(after_ms / 1000, self.zone).date()
        for day in (today + dt.timedelta(days) for days in range(9)):
            for starts_ms in self._on(day):
                if starts_ms > after_ms:
                    yield starts_ms

    def _on(self, day: dt.date) -> Iterator[int]:
        if day.weekday() in self.days:
            for at in self.at:
                local = dt.datetime.combine(day, at, self.zone)
                yield round(local.astimezone(dt.UTC).timestamp() * 1000)


def read_events(path: Path) -> tuple[Event, ...]:
    """Return the events in a file.

    Raises:
        EventFileError: the file cannot be read, or something in it is wrong.
    """
    try:
        with path.expanduser().open("rb") as file:
            text = file.read(MOST_BYTES).decode()
        found = tomllib.loads(text)
    except OSError as error:
        raise EventFileError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EventFileError(f"{path} is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise EventFileError(f"{path} is not TOML: {error}") from None
    tables = found.pop("event", [])
    if found or not isinstance(tables, list) or len(tables) > MOST_EVENTS:
        raise EventFileError(f"{path} must have at most {MOST_EVENTS} tables [[event]], no other")
    events: list[Event] = []
    for number, table in enumerate(tables):
        try:
            event = _event(table)
            if event.terms.name in (each.terms.name for each in events):
                raise _Wrong("name", "two events have this name")
        except _Wrong as wrong:
            line = _line_of(text, number, wrong.key)
            raise EventFileError(f"{path} line {line}: {wrong}") from None
        events.append(event)
    return tuple(events)


class _Wrong(Exception):  # noqa: N818 - it is turned into an EventFileError
    """Something is wrong with a key of a table."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(f"{key}: {sentence}" if key else sentence)
        self.key = key


def _read(key: str, read: Callable[[], T]) -> T:
    """Return what `read` returns; its error is about the key."""
    try:
        return read()
    except (GameError, ValueError) as error:
        raise _Wrong(key, str(error).rstrip(".")) from None


def _event(found: dict[str, Any]) -> Event:
    try:
        table = _Table.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        said = str(first.get("ctx", {}).get("error", first["msg"]))
        raise _Wrong(str(first["loc"][0]), said[0].lower() + said[1:].rstrip(".")) from None
    kind = _read("game", lambda: game_class(table.game))
    params = _read("size", lambda: {} if table.size is None else kind.parse_size(table.size))
    clock = _read("time", lambda: TimeControl.parse(table.time))
    if table.players is not None and not table.bots:
        raise _Wrong("players", "name the bots that fill in, too")
    try:
        settings = MatchSettings(game=table.game, params=params, time=clock, rated=table.rated)
        check_settings(settings)
        terms = TournamentTerms(
            name=table.name,
            format=table.format,
            settings=complete(settings),
            pairs=table.pairs,
            rounds=table.rounds,
            length_ms=None if table.minutes is None else table.minutes * 60_000,
            people=True,
            late=table.format in ("swiss", "round-robin"),
            bots=tuple(table.bots),
            fill=table.players,
        )
        core_terms("event", terms, FirstOpenings(((),)), NOTHING)
    except ValidationError as error:
        first = error.errors()[0]
        key = {"fill": "players", "length_ms": "minutes"}.get(str(first["loc"][0]))
        raise _Wrong(key or str(first["loc"][0]), first["msg"].lower()) from None
    except Refused as refused:
        raise _Wrong("", refused.sentence.rstrip(".")) from None
    days = frozenset(map(DAYS.index, table.days))
    return Event(terms, days, tuple(sorted(set(table.at))), table.zone)


def _line_of(text: str, number: int, key: str) -> int:
    """Return the line of a key in the table of this number, or that of the table itself."""
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    if number >= len(heads):
        return 1  # the tables are written in another way
    end = heads[number + 1] if number + 1 < len(heads) else len(lines)
    found = re.compile(rf'\s*"?{re.escape(key)}"?\s*=')
    inside = (at for at in range(heads[number], end) if key and found.match(lines[at]))
    return next(inside, heads[number]) + 1
