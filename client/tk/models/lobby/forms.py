"""Interpret the texts of the lobby's forms, and describe what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, get_args

from doublecross.client.language import number, tr
from doublecross.client.tk.models.words import size_text, time_line
from doublecross.games.api import Game, GameError, Parameter
from doublecross.games.registry import GAMES, game_class
from doublecross.protocol.common import HOUR_MS, MatchSettings, TimeControl

Start = Literal["me", "other", "chance"]
"""The choice of who moves first: this player, the opponent, or a random one of the two."""

TIMES: Final = tuple(map(TimeControl.parse, ("180+2", "300+3", "600+5", "0/15", "3d", "unlimited")))
"""The time controls in the form's list; its last entry is `CUSTOM`."""
UNLIMITED: Final = TIMES[-1].text
"""The text of the time control without limits."""
CUSTOM: Final = "custom"
CUSTOM_TITLE: Final = tr("Other ...")

_USUAL: Final = TIMES[1]
_LONGEST_MS: Final = 240 * HOUR_MS
_LONGEST_WHOLE: Final = 5
_WHOLE: Final = re.compile(rf"\d{{1,{_LONGEST_WHOLE}}}", re.ASCII)
_DECIMAL: Final = re.compile(r"\d{1,6}(?:[.,]\d{1,4})?", re.ASCII)
_ROOM: Final = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
_LONGEST_CODE: Final = 64


class TimeField(StrEnum):
    """The fields of a custom time control: on each clock, added for a move, most for a move."""

    MINUTES = "minutes"
    ADDED = "added"
    MOVE = "move"


WHOLE_SIZE: Final = "size"
"""The key of a problem that concerns several parameters of a game."""


def size_key(parameter: str) -> str:
    """Return the key of a problem that concerns one parameter of a game."""
    return f"{WHOLE_SIZE}_{parameter}"


class BadFields(ValueError):  # noqa: N818 - named for what is wrong
    """A form has problems: a sentence for people for each field (see `MatchFields`)."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


@dataclass(slots=True)
class MatchFields:
    """The fields of the form for a match.

    `sizes` has texts by game and parameter, so that switching to another game and back keeps them.
    `time` is the text of one of `TIMES`, or `CUSTOM`. `CUSTOM` uses `minutes` (on each clock),
    `added` (seconds for each move) and `move` (the most seconds for a move); empty fields set no
    limit.

    The keys of problems are those of `TimeField`, `size_key` of a parameter, and `WHOLE_SIZE`.
    """

    game: str = next(iter(GAMES))
    sizes: dict[str, dict[str, str]] = field(default_factory=dict)
    time: str = _USUAL.text
    minutes: str = "5"
    added: str = "3"
    move: str = ""
    start: Start = "chance"
    private: bool = False
    rated: bool = False

    @classmethod
    def from_saved(cls, saved: Mapping[str, str]) -> MatchFields:
        """Return the fields that `to_saved` wrote; unknown values are replaced by defaults."""
        fields = cls()
        if saved.get("game") in GAMES:
            fields.game = saved["game"]
        for key, kind in GAMES.items():
            for parameter in kind.parameters:
                if (text := saved.get(f"{key}.{parameter.name}")) is not None:
                    fields.sizes.setdefault(key, {})[parameter.name] = text
        if saved.get("time") in (CUSTOM, *(time.text for time in TIMES)):
            fields.time = saved["time"]
        for name in TimeField:
            setattr(fields, name, saved.get(name, getattr(fields, name)))
        for start in get_args(Start):
            if saved.get("start") == start:
                fields.start = start
        fields.private = saved.get("private") == "yes"
        fields.rated = saved.get("rated") == "yes"
        return fields

    def to_saved(self) -> dict[str, str]:
        """Return all fields as text, by name."""
        return {
            "game": self.game,
            **{
                f"{game}.{name}": text
                for game, texts in self.sizes.items()
                for name, text in texts.items()
            },
            "time": self.time,
            "minutes": self.minutes,
            "added": self.added,
            "move": self.move,
            "start": self.start,
            "private": "yes" if self.private else "",
            "rated": "yes" if self.rated else "",
        }

    def fill(self, settings: MatchSettings) -> None:
        """Fill in the game, the time and whether the match is rated, as in `settings`.

        An unknown game leaves the game unchanged.
        """
        self.rated = settings.rated
        try:
            game = game_class(settings.game)(settings.params)
        except GameError:
            pass
        else:
            self.game = game.key
            self.sizes[game.key] = {name: str(value) for name, value in game.params.items()}
        time = settings.time
        if time in TIMES:
            self.time = time.text
            return
        self.time = CUSTOM
        self.minutes = _number(time.base_ms, 60_000)
        self.added = _number(time.increment_ms or None, 1000)
        self.move = _number(time.move_ms, 1000)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the chosen game."""
        return game_class(self.game).parameters

    def size_text(self, parameter: Parameter) -> str:
        """Return the text in the field of a parameter."""
        return self.sizes.get(self.game, {}).get(parameter.name, str(parameter.default))

    @property
    def seat(self) -> int | None:
        """The seat of this player, or None for a random one."""
        return {"me": 0, "other": 1, "chance": None}[self.start]

    def made_game(self) -> Game:
        """Return the chosen game with its parameters.

        Raises:
            BadFields: a parameter is not valid.
        """
        values: dict[str, int] = {}
        problems: dict[str, str] = {}
        for parameter in self.parameters:
            text = self.size_text(parameter).strip()
            low, high = parameter.low, parameter.high
            if _WHOLE.fullmatch(text) and low <= int(text) <= high:
                values[parameter.name] = int(text)
            else:
                problems[size_key(parameter.name)] = tr(
                    "{label}: a whole number from {low} to {high}.",
                    label=tr(parameter.label),
                    low=low,
                    high=high,
                )
        if not problems:
            try:
                return game_class(self.game)(values)
            except GameError as error:
                problems[WHOLE_SIZE] = size_text(str(error))
        raise BadFields(problems)

    def time_control(self) -> TimeControl:
        """Return the chosen time control.

        Raises:
            BadFields: a field of the time is not valid.
        """
        if self.time != CUSTOM:
            return TimeControl.parse(self.time)
        problems: dict[str, str] = {}

        def read(name: TimeField, unit: int, low: int, high: int, sentence: str) -> int | None:
            text = getattr(self, name).strip()
            try:
                return _millis(text, unit, low, high) if text else None
            except ValueError:
                problems[name] = sentence
                return None

        base = read(
            *(TimeField.MINUTES, 60_000, 100, _LONGEST_MS),
            tr("Minutes on each clock: a number above 0, at most 14400."),
        )
        added = read(
            *(TimeField.ADDED, 1000, 0, HOUR_MS),
            tr("Seconds added for each move: a number from 0 to 3600."),
        )
        move = read(
            *(TimeField.MOVE, 1000, 50, _LONGEST_MS),
            tr("Seconds for a move at most: a number from 0.05 to 864000."),
        )
        if not problems and base is None and added:
            problems[TimeField.ADDED] = tr("Only a clock can gain seconds: enter its minutes too.")
        elif not problems and base is None and move is None:
            problems[TimeField.MINUTES] = tr(
                "Enter minutes, or seconds for a move, or choose no clock above."
            )
        if problems:
            raise BadFields(problems)
        return TimeControl(base_ms=base, increment_ms=added or 0, move_ms=move)

    def settings(self) -> MatchSettings:
        """Return the settings of the match.

        Raises:
            BadFields: a field is not valid.
        """
        problems: dict[str, str] = {}
        game, time = None, None
        try:
            game = self.made_game()
        except BadFields as bad:
            problems |= bad.problems
        try:
            time = self.time_control()
        except BadFields as bad:
            problems |= bad.problems
        if game is None or time is None:
            raise BadFields(problems)
        return MatchSettings(game=game.key, params=dict(game.params), time=time, rated=self.rated)


def casual(settings: MatchSettings) -> MatchSettings:
    """Return the settings of the same match that counts for no rating."""
    return settings.model_copy(update={"rated": False})


def time_titles() -> dict[str, str]:
    """Return the values of the time field, by the titles in its list."""
    return {**{_begun(time_line(time)): time.text for time in TIMES}, CUSTOM_TITLE: CUSTOM}


def _begun(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def split_invitation(room: str, code: str) -> tuple[str, str]:
    """Return room and code, even if both were pasted into the first field."""
    words = room.split()
    if len(words) == 2 and not code.strip():
        return words[0], words[1]
    return room.strip(), code.strip()


def invitation_problems(room: str, code: str) -> dict[str, str]:
    """Return what is wrong with a room and its code, by field: ``room`` and ``code``."""
    problems: dict[str, str] = {}
    if not room:
        problems["room"] = tr("Enter the name of the room.")
    elif not _ROOM.fullmatch(room):
        problems["room"] = tr(
            "The name of a room has letters, digits, - and _, at most 40 of them."
        )
    if len(code) > _LONGEST_CODE or not code.isprintable():
        problems["code"] = tr("A code has {count} characters at most.", count=_LONGEST_CODE)
    return problems


def _number(ms: int | None, unit: int) -> str:
    """Return milliseconds as text in units of `unit` milliseconds, which `_millis` can read."""
    return "" if ms is None else number(round(ms / unit, 4), ".10g")


def _millis(text: str, unit: int, low: int, high: int) -> int:
    """Return the milliseconds of a number of units of `unit` milliseconds.

    Raises:
        ValueError: `text` is not a number, or it is out of range.
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError("no number")
    ms = round(float(text.replace(",", ".")) * unit)
    if not low <= ms <= high:
        raise ValueError("out of range")
    return ms
