"""Decide which games a bot accepts; every refusal is one sentence for the other player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from doublecross.bots.runner.core.ledger import Ledger
from doublecross.bots.runner.core.ranges import GameRange, NumberRange, QuietHours, objection
from doublecross.games.api import Game, GameError
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.stats.glicko2 import RATING


@dataclass(frozen=True, slots=True)
class Policy:
    """The games that a bot accepts.

    `games` has games and sizes (empty: all that the bot plays). `base_s` bounds the base time of a
    clock (None: any), `min_move_s` is the least time for a single move, in seconds; `unlimited`
    allows games without either. `rated` and `casual` allow such games, `bots` and `people` such
    opponents, `only` opponents with these names (empty: all) but `refused`, and `rating` their
    rating in this game and size (None: any). `at_once` is how many games the bot plays at once;
    matches of two bots that people have arranged leave one of these places free, unless there is
    only one. `each` is how many challenges of one player the bot plays at once, `each_day` how many
    games it has with one player in 24 hours; None: no limit but its places. In `quiet` hours it
    begins no game. A game without a clock in which the other player has not moved for `idle_s`
    seconds takes no place. `challenges` makes it accept challenges, and `rematches` rematches. It
    accepts seeks that have been open for `seeks_after_s` seconds (None: no seeks), those of bots
    only with `seeks_of_bots`, and none of a player with whom it plays `each` games already. With
    `fills_in` it joins tournaments that ask for it by name. `takebacks` lets people take back moves
    in casual games. After a game against a person it stays for a rematch until the person has been
    away for `linger_s` seconds. In a casual game it waits `absence_s` seconds for a person who is
    away before it claims the win.
    """

    games: tuple[GameRange, ...] = ()
    base_s: NumberRange | None = None
    min_move_s: float = 0.0
    unlimited: bool = True
    rated: bool = True
    casual: bool = True
    bots: bool = True
    people: bool = True
    only: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    rating: NumberRange | None = None
    at_once: int = 4
    each: int | None = None
    each_day: int | None = None
    quiet: tuple[QuietHours, ...] = ()
    idle_s: float = 120.0
    challenges: bool = True
    seeks_after_s: float | None = None
    seeks_of_bots: bool = True
    rematches: bool = True
    fills_in: bool = False
    takebacks: bool = True
    linger_s: float = 30.0
    absence_s: float = 600.0

    def objection(
        self,
        plays: Callable[[Game], bool],
        settings: MatchSettings,
        other: PlayerInfo,
        rating: float = RATING,
    ) -> str | None:
        """Return why the bot does not play `other` under `settings`, or None if it does.

        `plays` says which games the bot can play, `rating` is that of the other player. The
        sentence has at most 64 characters, the limit of the protocol.
        """
        try:
            game = make_game(settings.game, settings.params)
            game.replay(settings.opening, settings.start)
        except GameError:
            return "I do not know this game or this position."
        if (reason := objection(self.games, game)) is not None:
            return reason
        if not plays(game):
            return "I cannot play this game or size."
        if not (self.rated if settings.rated else self.casual):
            return "I play casual games only." if settings.rated else "I play rated games only."
        if not (self.bots if other.kind == "bot" else self.people):
            return "I play people only." if other.kind == "bot" else "I play bots only."
        if self.refuses(other.name):
            return "I do not play with you."
        if self.rating is not None and rating not in self.rating:
            bound = "at least" if rating < self.rating.least else "at most"
            limit = self.rating.least if rating < self.rating.least else self.rating.most
            return f"I play with ratings of {bound} {limit:g} only."
        return self._about_time(settings.time)

    def objection_now(self, player: str, ledger: Ledger, now: datetime) -> str | None:
        """Return why the bot begins no game with `player` at `now`, or None if it may."""
        if (hours := self.quiet_hours(now)) is not None:
            return f"I begin no games {hours} by my clock."
        if self.has_had_enough(player, ledger, now):
            return f"I play {self.each_day} games a day with one player."
        return None

    def quiet_hours(self, now: datetime) -> QuietHours | None:
        """Return the quiet hours that it is now, or None if it is none."""
        return next((hours for hours in self.quiet if now.time() in hours), None)

    def has_had_enough(self, player: str, ledger: Ledger, now: datetime) -> bool:
        """Return whether the bot has had all games of a day with `player`."""
        return self.each_day is not None and ledger.games_of_day(player, now) >= self.each_day

    def refuses(self, player: str) -> bool:
        """Return whether the bot does not play with a player of this name."""
        return player in self.refused or (bool(self.only) and player not in self.only)

    def _about_time(self, time: TimeControl) -> str | None:
        base, move = time.base_ms, time.move_ms
        if base is None and move is None:
            return None if self.unlimited else "I play with a clock only."
        if base is not None and self.base_s is not None and base / 1000 not in self.base_s:
            if base < self.base_s.least * 1000:
                return f"I need {self.base_s.least:g} s on the clock."
            return f"I play with at most {self.base_s.most:g} s on the clock."
        if move is not None and move < self.min_move_s * 1000:
            return f"I need {self.min_move_s:g} s for a move."
        return None
