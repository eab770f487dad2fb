"""What a tournament is played by, and whether that makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from games.api import GameError
from games.registry import make_game
from protocol.common import FormatKey, TimeControl
from server.tournaments.core.errors import TournamentError

FORMATS: Final[tuple[FormatKey, ...]] = get_args(FormatKey)

MAX_PAIRS: Final = 10_000
"""Most game pairs for an encounter."""
MAX_ROUNDS: Final = {"swiss": 1000, "ladder": 10_000_000}
MAX_PATIENCE: Final = 1000
MAX_NAME: Final = 64
MAX_PAIRINGS: Final = 200_000
"""Most game pairs that are laid out at a time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the first game.

    The k-th pair between any two is played from opening k of `openings` (from the first again
    after the last). `pairs` is how many game pairs an encounter has: of every two in a round robin
    or a gauntlet, in each round of a Swiss tournament, in a match of a knock-out; always 1 in a
    ladder. `rounds` is the number of rounds of a Swiss tournament, and in a ladder how many pairs
    are played in all (None: until it is ended); None elsewhere.

    `patience`: so many losses in a row by failure set an entrant aside. `invited`: the names of
    those who may enter, None: everybody. `late`: whether newcomers may enter after the start
    (into a ladder always). `people`: whether people may, or bots only. `hero`: who plays everybody
    in a gauntlet, None: entrant 0. `seed`: of all chance in the tournament, such as its openings.

    Raises:
        TournamentError: terms that make no sense.
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

    def __post_init__(self) -> None:
        if not self.tournament_id:
            raise TournamentError("A tournament needs an id.")
        if not self.name.strip() or len(self.name) > MAX_NAME or not self.name.isprintable():
            raise TournamentError(
                f"A tournament needs a name of 1 to {MAX_NAME} printable characters."
            )
        if self.format not in FORMATS:
            raise TournamentError(
                f"There is no format {self.format!r}; there are {', '.join(FORMATS)}."
            )
        self._check_game()
        _check_range("The number of game pairs", self.pairs, MAX_PAIRS)
        _check_range("The patience", self.patience, MAX_PATIENCE)
        self._check_format()
        self._check_names()

    def _check_game(self) -> None:
        try:
            TimeControl.parse(self.time)
            game = make_game(self.game, self.params)
            for opening in self.openings:
                game.initial_state(opening)
        except GameError as error:
            raise TournamentError(str(error)) from None
        except ValueError as error:
            raise TournamentError(str(error)) from None
        if not self.openings:
            raise TournamentError(
                "A tournament needs at least one opening; the empty one is the usual start."
            )

    def _check_format(self) -> None:
        most = MAX_ROUNDS.get(self.format)
        if self.format == "swiss" and self.rounds is None:
            raise TournamentError("A Swiss tournament needs a number of rounds.")
        if self.rounds is not None:
            if most is None:
                raise TournamentError(
                    f"The number of rounds of a {self.format} follows from its players; leave it"
                    " out."
                )
            _check_range("The number of rounds", self.rounds, most)
        if self.format == "ladder" and self.pairs != 1:
            raise TournamentError("In a ladder two players meet for one game pair at a time.")
        if self.format == "knockout" and self.late:
            raise TournamentError("A knockout cannot be joined late: its bracket is drawn once.")
        if self.hero is not None and self.format != "gauntlet":
            raise TournamentError(f"Only a gauntlet has a hero, not a {self.format}.")

    def _check_names(self) -> None:
        if self.invited is None:
            return
        folded = {name.casefold() for name in self.invited}
        if len(folded) != len(self.invited):
            raise TournamentError("Somebody is invited twice.")
        if len(folded) < 2:
            raise TournamentError("Invite at least two players, or leave the tournament open.")
        if self.hero is not None and self.hero.casefold() not in folded:
            raise TournamentError(f"{self.hero}, the hero of the gauntlet, is not invited.")

    def invites(self, name: str) -> bool:
        """Whether the player may enter; names that differ only in case are the same."""
        if self.invited is None:
            return True
        return name.casefold() in {invited.casefold() for invited in self.invited}

    def opening(self, k: int) -> tuple[int, ...]:
        """Of the k-th pair (from 0) between any two."""
        return self.openings[k % len(self.openings)]


def _check_range(what: str, value: int, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise TournamentError(f"{what} must be from 1 to {most}, not {value!r}.")
