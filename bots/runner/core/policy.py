"""Decide which games a bot accepts; every refusal is one sentence for the other player."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.bots.api import Bot
from doublecross.games.api import Game, GameError
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl


@dataclass(frozen=True, slots=True)
class Policy:
    """The games that a bot accepts.

    `games` has keys of the registry (None: all games that the bot plays). `min_size` and `max_size`
    are sizes such as ``3x3``, compared number by number. `min_base_s` and `max_base_s` bound the
    base time of a clock, `min_move_s` the time for a single move, in seconds; `unlimited` allows
    games without either. `rated` and `casual` allow such games, `bots` allows opponents that are
    bots. `at_once` is how many games the bot plays at once; matches of two bots that people have
    arranged leave one of these places free, unless there is only one. `each` is how many challenges
    of one player the bot plays at once; None: as many as it has places. A game without a clock in
    which the other player has not moved for `idle_s` seconds takes no place. `challenges` makes it
    accept challenges, and `rematches` rematches. It accepts seeks that have been open for
    `seeks_after_s` seconds (None: no seeks), those of bots only with `seeks_of_bots`, and none of a
    player with whom it plays `each` games already. `takebacks` lets
    people take back moves in casual games. After a game against a person it stays for a rematch
    until the person has been away for `linger_s` seconds. In a casual game it waits `absence_s`
    seconds for a person who is away before it claims the win.
    """

    games: frozenset[str] | None = None
    min_size: str | None = None
    max_size: str | None = None
    min_base_s: float = 0.0
    max_base_s: float | None = None
    min_move_s: float = 0.0
    unlimited: bool = True
    rated: bool = True
    casual: bool = True
    bots: bool = True
    at_once: int = 4
    each: int | None = None
    idle_s: float = 120.0
    challenges: bool = True
    seeks_after_s: float | None = None
    seeks_of_bots: bool = True
    rematches: bool = True
    takebacks: bool = True
    linger_s: float = 30.0
    absence_s: float = 600.0

    def objection(self, bot: type[Bot], settings: MatchSettings, other: PlayerInfo) -> str | None:
        """Return why `bot` does not play `other` under `settings`, or None if it does.

        The sentence has at most 64 characters, the limit of the protocol.
        """
        try:
            game = make_game(settings.game, settings.params)
            game.replay(settings.opening, settings.start)
        except GameError:
            return "I do not know this game or this position."
        if self.games is not None and game.key not in self.games:
            return "I do not play this game here."
        if not bot.plays(game):
            return "I cannot play this game or size."
        if self.min_size is not None and not _within(_numbers(self.min_size), _size(game)):
            return f"I play from {self.min_size[:20]} on."
        if self.max_size is not None and not _within(_size(game), _numbers(self.max_size)):
            return f"I play up to {self.max_size[:20]}."
        if not (self.rated if settings.rated else self.casual):
            return "I play casual games only." if settings.rated else "I play rated games only."
        if other.kind == "bot" and not self.bots:
            return "I play people only."
        return self._about_time(settings.time)

    def _about_time(self, time: TimeControl) -> str | None:
        base, move = time.base_ms, time.move_ms
        if base is None and move is None:
            return None if self.unlimited else "I play with a clock only."
        if base is not None and base < self.min_base_s * 1000:
            return f"I need {self.min_base_s:g} s on the clock."
        if base is not None and self.max_base_s is not None and base > self.max_base_s * 1000:
            return f"I play with at most {self.max_base_s:g} s on the clock."
        if move is not None and move < self.min_move_s * 1000:
            return f"I need {self.min_move_s:g} s for a move."
        return None


def _size(game: Game) -> list[int]:
    return [game.params[p.name] for p in game.parameters]


def _numbers(size: str) -> list[int]:
    return [int(part) for part in size.lower().split("x")]


def _within(small: list[int], large: list[int]) -> bool:
    return all(a <= b for a, b in zip(small, large, strict=False))
