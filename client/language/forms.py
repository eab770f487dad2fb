"""Write dates and times in the form of the language of this process."""

from __future__ import annotations

from datetime import date, datetime, time
from functools import cache, lru_cache
from typing import Final

from doublecross.client.language.texts import current

_DAYS: Final = 4096
"""How many dates are kept: lists have many rows of few days."""


def day_text(day: date) -> str:
    """Return a date for people, such as ``Nov 23, 2026`` or ``23.11.2026``."""
    return _day(current(), day.year, day.month, day.day)


def moment_text(when: datetime) -> str:
    """Return a date with its time for people, such as ``23.11.2026, 09:45``."""
    language = current()
    day = _day(language, when.year, when.month, when.day)
    return _joined(language).format(_time(language, when.hour, when.minute), day)


def longest_day() -> str:
    """Return a date whose text is as long as any of this century's."""
    return max((day_text(date(2026, month, 28)) for month in range(1, 13)), key=len)


# The imports of babel take a while, and a window without dates needs none of them.


@lru_cache(_DAYS)
def _day(language: str, year: int, month: int, day: int) -> str:
    from babel.dates import format_date

    return format_date(date(year, month, day), "medium", locale=language)


@lru_cache(_DAYS)
def _time(language: str, hour: int, minute: int) -> str:
    from babel.dates import format_time

    # Some languages have a narrow space here, which is no printable character.
    text: str = format_time(time(hour, minute), "short", locale=language)
    return " ".join(text.split())


@cache
def _joined(language: str) -> str:
    """Return how a time ``{0}`` and a date ``{1}`` are joined."""
    from babel.dates import get_datetime_format

    return str(get_datetime_format("medium", locale=language)).replace("'", "")
