"""The terms of a tournament, and their validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from doublecross.games.api import GameError
from doublecross.games.api.sentence import Sentence
from doublecross.games.registry import make_game
from doublecross.protocol.common import FormatKey, TieBreakKey, TimeControl
from doublecross.server.core.errors import wrong_state
from doublecross.server.tournaments.core.seasons import Line
from doublecross.stats.glicko2 import Glicko

FORMATS: Final[tuple[FormatKey, ...]] = get_args(FormatKey)

MAX_PAIRS: Final = 10_000
"""The most game pairs of one encounter."""
MAX_ROUNDS: Final = {"swiss": 1000, "ladder": 10_000_000}
"""The most rounds of a Swiss tournament, and the most game pairs of a ladder."""
TIE_BREAKS: Final[Mapping[str, tuple[FormatKey, ...]]] = {
    "buchholz": ("swiss",),
    "sonneborn-berger": ("swiss", "round-robin"),
}
"""The formats of those tie-breaks that not all have."""
MAX_PATIENCE: Final = 1000
MAX_NAME: Final = 64
MAX_PAIRINGS: Final = 200_000
"""The most open pairings at a time, to bound the memory of the server."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament, fixed before the first game.

    - `openings`: the k-th game pair of any two entrants starts from opening k.
    - `more_openings`: whether further openings are drawn after the last of `openings`. If not, the
      first one follows again.
    - `pairs`: the game pairs of an encounter. An encounter is every two entrants in a round robin
      or a gauntlet, one round of two entrants in a Swiss tournament, a match in a knockout. It is
      always 1 in a ladder.
    - `rounds`: the rounds of a Swiss tournament, or the total number of game pairs of a ladder
      (None: until the organiser ends it). None in the other formats.
    - `patience`: an entrant that loses this many games in a row by failure is set aside.
    - `invited`: the names of those who may enter; None: everybody.
    - `late`: whether players may enter after the start. Into a ladder they always may.
    - `people`: whether people may enter, or only bots.
    - `hero`: who plays everybody in a gauntlet; None: entrant 0.
    - `tie_breaks`: what decides between equal points, first things first.
    - `length_ms`: how long an arena lasts. None in the other formats.
    - `fillers`: bots that may enter although they are not invited.
    - `seed`: the seed of all random choices, such as the openings.
    - `anchors`: the players of a ladder whose ratings are fixed, with these.
    - `carried`: the ratings from the season before, in a ladder.

    Raises:
        Refused: the terms are invalid.
    """

    tournament_id: str
    name: str
    format: FormatKey
    game: str
    params: Mapping[str, int]
    time: str
    openings: tuple[tuple[int, ...], ...]
    pairs: int = 1
    rounds: int | None = None
    patience: int = 3
    invited: tuple[str, ...] | None = None
    late: bool = False
    people: bool = False
    seed: int = 0
    hero: str | None = None
    more_openings: bool = False
    tie_breaks: tuple[TieBreakKey, ...] = ("net",)
    length_ms: int | None = None
    fillers: tuple[str, ...] = ()
    anchors: Mapping[str, float] = field(default_factory=dict)
    carried: Mapping[Line, Glicko] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.tournament_id:
            raise wrong_state("A tournament needs an id.")
        if not self.name.strip() or len(self.name) > MAX_NAME or not self.name.isprintable():
            raise wrong_state(
                "A tournament needs a name of 1 to {most} printable characters.", MAX_NAME
            )
        if self.format not in FORMATS:
            raise wrong_state(
                "There is no format {format}; choose one of {formats}.",
                repr(self.format),
                ", ".join(FORMATS),
            )
        self._check_game()
        _check_range(Sentence("The number of game pairs"), self.pairs, MAX_PAIRS)
        _check_range(Sentence("The patience"), self.patience, MAX_PATIENCE)
        self._check_format()
        self._check_names()

    def _check_game(self) -> None:
        try:
            TimeControl.parse(self.time)
            game = make_game(self.game, self.params)
            for opening in self.openings:
                game.initial_state(opening)
        except (GameError, ValueError) as error:
            raise wrong_state(str(error)) from None
        if not self.openings:
            raise wrong_state(
                "A tournament needs at least one opening; the empty one is the usual start."
            )

    def _check_format(self) -> None:
        most = MAX_ROUNDS.get(self.format)
        if self.format == "swiss" and self.rounds is None:
            raise wrong_state("A Swiss tournament needs a number of rounds.")
        if self.rounds is not None:
            if most is None:
                raise wrong_state(
                    "The number of rounds of a {format} follows from its players; leave the"
                    " number out.",
                    self.format,
                )
            _check_range(Sentence("The number of rounds"), self.rounds, most)
        if self.format == "ladder" and self.pairs != 1:
            raise wrong_state("In a ladder, the number of game pairs must be 1.")
        if self.format == "arena" and self.pairs != 1:
            raise wrong_state("In an arena two players play one game; leave the game pairs out.")
        if (self.length_ms is None) == (self.format == "arena"):
            raise wrong_state(
                "An arena needs a length."
                if self.length_ms is None
                else "Only an arena has a length."
            )
        if self.format == "knockout" and self.late:
            raise wrong_state(
                "A knockout cannot be joined late, because its bracket is drawn only once."
            )
        if self.anchors and self.format != "ladder":
            raise wrong_state("Only a ladder has anchors, not a {format}.", self.format)
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise wrong_state("Name each tie-break once.")
        for key in self.tie_breaks:
            if self.format not in TIE_BREAKS.get(key, FORMATS):
                raise wrong_state("A {format} has no tie-break {key}.", self.format, key)
        if self.hero is not None and self.format != "gauntlet":
            raise wrong_state("Only a gauntlet has a hero, not a {format}.", self.format)

    def _check_names(self) -> None:
        if self.invited is None:
            return
        folded = {name.casefold() for name in self.invited}
        if len(folded) != len(self.invited):
            raise wrong_state("A player is invited twice; list each name once.")
        if len(folded) < 2:
            raise wrong_state("Invite at least two players, or leave the tournament open.")
        if self.hero is not None and self.hero.casefold() not in folded:
            raise wrong_state("{hero}, the hero of the gauntlet, is not invited.", self.hero)

    def invites(self, name: str) -> bool:
        """Return whether the player may enter; ignore the case of the name."""
        if self.invited is None:
            return True
        welcome = (*self.invited, *self.fillers)
        return name.casefold() in {invited.casefold() for invited in welcome}


def _check_range(what: str, value: int, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise wrong_state("{what} must be from 1 to {most}, not {value}.", what, most, repr(value))
