"""Interpret the fields of the form for a new tournament, and describe what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, cast

from doublecross.client.language import tr
from doublecross.client.tk.models.lobby.forms import BadFields, MatchFields
from doublecross.client.tk.models.start import name_problem
from doublecross.protocol.common import FormatKey, TournamentTerms


class ContestField(StrEnum):
    """The fields with a text; the values are Tk widget names and the keys of problems."""

    NAME = "name"
    PAIRS = "pairs"
    ROUNDS = "rounds"
    HERO = "hero"
    INVITED = "invited"
    PATIENCE = "patience"
    AT_ONCE = "at_once"
    SEED = "seed"


FORMATS: Final[Mapping[FormatKey, tuple[str, str]]] = {
    "round-robin": (tr("Round robin"), tr("Everybody plays everybody.")),
    "swiss": (tr("Swiss"), tr("Rounds between players with about the same points.")),
    "knockout": (tr("Knockout"), tr("The loser is out.")),
    "gauntlet": (tr("Gauntlet"), tr("One player plays all others.")),
    "ladder": (tr("Ladder"), tr("Open-ended: free players of similar rating meet.")),
}
"""The title of each format, and what it is."""

_LABEL: Final = re.compile(r"[^\x00-\x1f\x7f]{1,64}")
_WHOLE: Final = re.compile(r"[0-9]{1,16}", re.ASCII)
_MOST_INVITED: Final = 1000
_MOST: Final = 2**53 - 1
_RANGES: Final = {
    ContestField.PAIRS: (1, 10_000),
    ContestField.PATIENCE: (1, 1000),
    ContestField.AT_ONCE: (1, 10_000),
    ContestField.SEED: (0, _MOST),
}
_OPTIONAL: Final = (ContestField.AT_ONCE, ContestField.SEED)
"""These fields may be empty."""


def has_field(form: FormatKey, name: ContestField) -> bool:
    """Return whether a field belongs to a format."""
    if name is ContestField.PAIRS:
        return form != "ladder"
    if name is ContestField.ROUNDS:
        return form in ("swiss", "ladder")
    if name is ContestField.HERO:
        return form == "gauntlet"
    return True


def may_join_late(form: FormatKey) -> bool:
    """Return whether the organiser chooses if players may join after the start."""
    return form not in ("ladder", "knockout")


def _texts() -> dict[ContestField, str]:
    given = {ContestField.PAIRS: "1", ContestField.ROUNDS: "5", ContestField.PATIENCE: "3"}
    return {name: given.get(name, "") for name in ContestField}


@dataclass(slots=True)
class ContestFields:
    """The fields of the form. `match` has game, size and time, and whether the games are rated.

    The keys of problems are those of `ContestField` and of `MatchFields`.
    """

    match: MatchFields = field(default_factory=lambda: MatchFields(rated=True))
    format: FormatKey = "round-robin"
    texts: dict[ContestField, str] = field(default_factory=_texts)
    people: bool = True
    late: bool = False
    phrases: bool = True

    def terms(self) -> TournamentTerms:
        """Return the terms of the tournament.

        Raises:
            BadFields: a field is not valid.
        """
        problems: dict[str, str] = {}
        name = self._text(ContestField.NAME)
        if not _LABEL.fullmatch(name):
            problems[ContestField.NAME] = tr("Write a name of 1 to 64 characters.")
        settings = None
        try:
            settings = self.match.settings()
        except BadFields as bad:
            problems |= bad.problems
        numbers: dict[ContestField, int | None] = {}
        for number, (low, high) in _RANGES.items():
            if has_field(self.format, number):
                optional = number in _OPTIONAL
                numbers[number] = self._whole(number, low, high, problems, optional=optional)
        rounds = None
        if has_field(self.format, ContestField.ROUNDS):
            ladder = self.format == "ladder"
            most = 1_000_000 if ladder else 1000
            rounds = self._whole(ContestField.ROUNDS, 1, most, problems, optional=ladder)
        hero = self._text(ContestField.HERO) if has_field(self.format, ContestField.HERO) else ""
        if hero and (problem := name_problem(hero)):
            problems[ContestField.HERO] = problem
        invited = self._names()
        if problem := invitation_problem(invited, hero):
            problems[ContestField.INVITED] = problem
        if problems or settings is None:
            raise BadFields(problems)
        return TournamentTerms(
            name=name,
            format=self.format,
            settings=settings,
            pairs=numbers.get(ContestField.PAIRS) or 1,
            rounds=rounds,
            patience=cast(int, numbers[ContestField.PATIENCE]),
            games_at_once=numbers[ContestField.AT_ONCE],
            late=self.late and may_join_late(self.format),
            people=self.people,
            phrases=self.phrases,
            invited=invited or None,
            hero=hero or None,
            seed=numbers[ContestField.SEED],
        )

    def _text(self, name: ContestField) -> str:
        return self.texts[name].strip()

    def _whole(
        self, name: ContestField, low: int, high: int, problems: dict[str, str], *, optional: bool
    ) -> int | None:
        """Return the whole number in a field, None if it is empty or wrong; note a problem."""
        text = self._text(name)
        if not text and optional:
            return None
        if _WHOLE.fullmatch(text) and low <= int(text) <= high:
            return int(text)
        problems[name] = (
            tr("A whole number from {low} to {high}, or nothing.", low=low, high=high)
            if optional
            else tr("Write a whole number from {low} to {high}.", low=low, high=high)
        )
        return None

    def _names(self) -> tuple[str, ...]:
        parts = re.split(r"[,\n]", self.texts[ContestField.INVITED])
        return tuple(name for part in parts if (name := part.strip()))


def invitation_problem(invited: tuple[str, ...], hero: str) -> str:
    """Return what is wrong with the list of the invited players, or an empty text.

    No names invite everybody. `hero` is who plays all others, if somebody is named.
    """
    known = {name.casefold() for name in invited}
    for name in invited:
        if problem := name_problem(name):
            return tr("{name}: {problem}", name=name, problem=problem)
    if not invited:
        return ""
    if len(invited) > _MOST_INVITED:
        return tr("At most {most} players can be invited.", most=_MOST_INVITED)
    if len(known) < len(invited):
        return tr("A player is invited twice; list each name once.")
    if len(known) < 2:
        return tr("Invite at least two players, or leave the list empty.")
    if hero and hero.casefold() not in known:
        return tr("{name}, who plays all others, is not invited.", name=hero)
    return ""
