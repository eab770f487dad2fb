"""Choose whom a bot challenges when it has too little to do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from doublecross.bots.runner.core.ledger import Ledger
from doublecross.bots.runner.core.policy import Policy
from doublecross.bots.runner.core.ranges import NumberRange
from doublecross.client.core.lobby import LobbyMirror
from doublecross.games.api import GameError
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings
from doublecross.stats.glicko2 import RATING


def rating_of(lobby: LobbyMirror | None, player: str, settings: MatchSettings) -> float:
    """Return the player's rating in the game and size of `settings`; at first that is 1500."""
    if lobby is None:
        return RATING
    try:
        size = make_game(settings.game, settings.params).size
    except GameError:
        return RATING
    found = lobby.ratings.get((player, settings.game, size))
    return RATING if found is None else found.rating


@dataclass(frozen=True, slots=True)
class Matchmaking:
    """The challenges that a bot sends of its own accord.

    It plays under one of `settings`, against another bot whose rating in
    that game and size is in `rating` (None: any). It sends a
    challenge after `idle_minutes` without a new game or challenge, and none to a bot that has
    declined one in the last `again_hours`.
    """

    settings: tuple[MatchSettings, ...]
    idle_minutes: float = 5.0
    rating: NumberRange | None = None
    again_hours: float = 24.0

    def is_due(self, ledger: Ledger, now: datetime) -> bool:
        """Return whether the bot has been idle for long enough."""
        return now - ledger.quiet_since >= timedelta(minutes=self.idle_minutes)

    def choose(
        self,
        lobby: LobbyMirror,
        ledger: Ledger,
        policy: Policy,
        busy: Collection[str],
        now: datetime,
        rng: Random,
    ) -> tuple[str, MatchSettings] | None:
        """Return a bot of the lobby and what to play with it; None if there is no such bot.

        `policy` says which names and how many games a day it may have. `busy` has the bot itself
        and the players with whom it plays already.
        """
        pairs = [
            (player.name, settings)
            for player in lobby.players.values()
            if player.kind == "bot"
            and player.name not in busy
            and not policy.refuses(player.name)
            and not policy.has_had_enough(player.name, ledger, now)
            and not ledger.has_declined(player.name, now, self.again_hours)
            for settings in self.settings
            if self.rating is None or rating_of(lobby, player.name, settings) in self.rating
        ]
        return rng.choice(pairs) if pairs else None
