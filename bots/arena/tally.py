"""Add up the games of a bot, by pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from doublecross.bots.arena.job import ArenaGame
from doublecross.bots.arena.moves import FAILURES, Effort, Termination
from doublecross.stats.pairs import Pentanomial


class PairTally:
    """The games between two bots; `players` has their numbers, and figures are for the first bot.

    If each pair of the job has a number of its own, the first bot may have several opponents.

    Only finished pairs count: a game of an unfinished pair appears only in `games` and `leftover`.
    """

    def __init__(self, players: tuple[int, int] = (0, 1)) -> None:
        self.players = players
        self._pairs: dict[int, dict[int, ArenaGame]] = {}

    def add(self, played: ArenaGame) -> None:
        """Add a game."""
        self._pairs.setdefault(played.task.number, {})[played.game] = played

    @property
    def games(self) -> list[ArenaGame]:
        """All games in the order of the job, including those of unfinished pairs."""
        return [pair[game] for _, pair in sorted(self._pairs.items()) for game in sorted(pair)]

    @property
    def pairs(self) -> list[tuple[ArenaGame, ArenaGame]]:
        """The finished pairs in the order of the job."""
        return [(p[0], p[1]) for _, p in sorted(self._pairs.items()) if len(p) == 2]

    @property
    def leftover(self) -> int:
        """The number of games in unfinished pairs."""
        return sum(len(pair) == 1 for pair in self._pairs.values())

    @property
    def won(self) -> int:
        """The number of games that the first bot won."""
        return self._count(1.0)

    @property
    def drawn(self) -> int:
        """The number of drawn games."""
        return self._count(0.5)

    @property
    def lost(self) -> int:
        """The number of games that the first bot lost."""
        return self._count(0.0)

    @property
    def adjudicated(self) -> int:
        """The number of games that ended by their exact value."""
        return sum(game.termination == "adjudicated" for game in self._scored())

    @property
    def pentanomial(self) -> Pentanomial:
        """The number of pairs for each number of points."""
        first = self.players[0]
        return Pentanomial.of(a.points(first) + b.points(first) for a, b in self.pairs)

    @property
    def nets(self) -> list[float]:
        """The net boxes of the first bot for each pair, as the mean of the pair's two games.

        A game that a bot lost by a failure counts with the final position of its board.
        """
        first = self.players[0]
        return [(a.net(first) + b.net(first)) / 2 for a, b in self.pairs]

    def effort(self, player: int) -> Effort:
        """Return the total effort of the bot with the number `player`."""
        spent = (game.efforts[game.players.index(player)] for game in self._scored())
        return sum(spent, Effort())

    def terminations(self, player: int) -> dict[Termination, int]:
        """Count the losses of the bot `player` by time, illegal action or crash; without zeros."""
        found: Counter[Termination] = Counter(
            game.termination
            for game in self._scored()
            if game.loser is not None and game.players[game.loser] == player
        )
        return {kind: found[kind] for kind in FAILURES if found[kind]}

    def _scored(self) -> Iterator[ArenaGame]:
        for pair in self.pairs:
            yield from pair

    def _count(self, points: float) -> int:
        return sum(game.points(self.players[0]) == points for game in self._scored())
