"""Describe a record as a whole, for people.

Any text of a game file may be malformed, so every text is cut and made printable before it is
shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, get_args

from doublecross.client.language import day_text, moment_text, plural, tr
from doublecross.client.tk.models.replay import GameReplay
from doublecross.client.tk.models.words import ended_why, game_title, score_line, time_line
from doublecross.games.record import Record
from doublecross.protocol.common import TimeControl
from doublecross.protocol.server_messages import Termination

LONGEST: Final = 200
"""The most characters that are shown of one text of a record."""
MOST_TAGS: Final = 40
"""The most tags that are shown; a file may have any number of them."""

_LONGEST_NAME: Final = 40
_LONGEST_OPENING: Final = 60
_ENDINGS: Final[frozenset[str]] = frozenset((*get_args(Termination), "adjudicated"))
_NO_RESULT: Final = ("aborted", "void")


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """The end of the game: headline, reason, score, and the seat that won (None if no seat did)."""

    headline: str
    why: str
    score: str
    winner: int | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One labelled fact of the record."""

    label: str
    text: str


class RecordSummary:
    """Describes `record` for people; `replay` is the course of its game."""

    def __init__(self, record: Record, replay: GameReplay) -> None:
        self.names = (_shown_name(record.players[0]), _shown_name(record.players[1]))
        self._record = record
        self._replay = replay

    def tag(self, name: str) -> str:
        """Return the value of the tag `name`, or an empty text without such a tag."""
        return next((shown(value) for key, value in self._record.tags if key == name), "")

    @property
    def title(self) -> str:
        """The game and its size: ``Dots and Boxes 5 × 5``."""
        return game_title(self._record.game)

    @property
    def start(self) -> str:
        """The position before the first move: its opening, or ``Start``."""
        record = self._record
        opening = " ".join(map(record.game.action_name, record.opening))
        return (
            tr("Opening: {opening}", opening=shown(opening, _LONGEST_OPENING))
            if opening
            else tr("Start")
        )

    @property
    def when(self) -> str:
        """The date for people; a text that is not a date stays unchanged."""
        return date_line(self._record.date)

    @property
    def time(self) -> str:
        """The time control for people; a malformed one stays unchanged."""
        text = self._record.time_control
        try:
            return time_line(TimeControl.parse(text)) if text else ""
        except ValueError:
            return shown(text)

    @property
    def outcome(self) -> RecordOutcome:
        """The end of the game."""
        return self.outcome_for(None)

    def outcome_for(self, own: int | None) -> RecordOutcome:
        """Return how the game ended, speaking to the player in the seat `own`, if any."""
        record = self._record
        winner = record.winner
        if winner is not None:
            headline = tr("{name} won", name=self.names[winner])
            if winner == own:
                headline = tr("You won")
        elif record.result == "1/2-1/2":
            headline = tr("Draw")
        else:
            headline = tr("No result") if record.termination in _NO_RESULT else tr("Not finished")
        loser = None if winner is None else self.names[1 - winner]
        lost = winner is not None and 1 - winner == own
        # A file may have any text here; only known terminations have a sentence.
        why = shown(record.termination)
        if record.termination in _ENDINGS:
            why = ended_why(record.termination, loser, self.tag("Reason"), own=lost)
        first, second = self._replay.final_scores
        score = score_line(first, second, record.winner) if record.game.unit else ""
        return RecordOutcome(headline, why, score, winner)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything in the record except the moves."""
        record = self._record
        opening = " ".join(record.game.action_name(action) for action in record.opening)
        turns = plural("1 turn", "{n} turns", len(self._replay.turns))
        moves = plural("1 move", "{n} moves", self._replay.total)
        facts = [
            *(
                Fact(tr("Seat {name}", name=record.game.seat_names[seat]), self.names[seat])
                for seat in (0, 1)
            ),
            Fact(tr("Game"), self.title),
            Fact(tr("Date"), self.when),
            Fact(tr("Time"), self.time),
            Fact(tr("Result"), record.result if record.result != "*" else ""),
            Fact(tr("Ended"), self.outcome.why),
            Fact(tr("Length"), tr("{moves} in {turns}", moves=moves, turns=turns)),
            Fact(tr("Opening"), opening),
            *(Fact(shown(name), shown(value)) for name, value in record.tags[:MOST_TAGS]),
        ]
        if len(record.tags) > MOST_TAGS:
            facts.append(Fact("", tr("and {count} more", count=len(record.tags) - MOST_TAGS)))
        return tuple(fact for fact in facts if fact.text)

    @property
    def file_name(self) -> str:
        """A suggested file name for this record, of letters, digits and ``-``."""
        parts = [*self._record.players, self._record.date[:10]]
        words = [re.sub(r"[^A-Za-z0-9]+", "-", part)[:_LONGEST_NAME].strip("-") for part in parts]
        return f"{'-'.join(word for word in words if word) or 'record'}.txt"


def shown(text: str, longest: int = LONGEST) -> str:
    """Return `text` cut to `longest` characters, with replacements for unprintable ones.

    Unprintable characters include line breaks and changes of the writing direction.
    """
    # Each replacement has one character, so cutting first is safe. It bounds the work.
    cut = text[: longest + 1]
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cut)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def date_line(text: str) -> str:
    """Return an ISO 8601 date in the form of the language; other text stays unchanged.

    A date with a time zone is converted to the local time of this computer.
    """
    try:
        when = datetime.fromisoformat(text)
        if len(text) <= len("2026-11-21"):
            return day_text(when)
        if when.tzinfo is not None:
            when = when.astimezone()
        return moment_text(when)
    except (ValueError, OverflowError, OSError):
        return shown(text)


def _shown_name(name: str) -> str:
    return shown(name.strip(), _LONGEST_NAME) or "?"
