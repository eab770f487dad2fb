"""Challenge other bots while the bot has too little to do."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from random import Random
from typing import Final

from doublecross.bots.runner.acceptor import MatchAcceptor
from doublecross.bots.runner.core.ledger import Ledger
from doublecross.bots.runner.tasks import local_now
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import ChallengeSent

log = logging.getLogger(__name__)

_ANSWER: Final = timedelta(minutes=1)
"""How long a challenge waits for its answer."""


class Matchmaker:
    """Sends one challenge at a time, by the settings of `acceptor`, which counts it as a game.

    A bot that declines, or does not answer, is entered into `ledger`.
    """

    def __init__(
        self, acceptor: MatchAcceptor, client: Client, ledger: Ledger, rng: Random
    ) -> None:
        self._acceptor = acceptor
        self._client = client
        self._ledger = ledger
        self._rng = rng
        self._opponent = ""
        self._offer = ""
        self._sent = local_now()

    def check(self, now: datetime) -> None:
        """Send a challenge if it is time, and withdraw one that nobody answers."""
        acceptor, session = self._acceptor, self._client.session
        if self._opponent:
            if self._waits(now):
                return
            if self._opponent not in acceptor.opponents():
                self._ledger.decline(self._opponent, now)
            self._opponent, self._offer = "", ""
        wanted, policy = acceptor.config.matchmaking, acceptor.config.policy
        if wanted is None or session.lobby is None or session.lobby.stale or not session.player:
            return
        if policy.quiet_hours(now) is not None or not wanted.is_due(self._ledger, now):
            return
        if not acceptor.free_places():
            return
        busy = {session.player.name, *acceptor.opponents()}
        found = wanted.choose(session.lobby, self._ledger, policy, busy, now, self._rng)
        if found is not None:
            self._opponent, settings = found
            self._ledger.quiet_since = now
            log.info("Challenging %s.", self._opponent)
            acceptor.begin(self._key, lambda _: self._challenge(settings), self._opponent, settings)

    @property
    def _key(self) -> str:
        """The key of the challenge while it is being sent."""
        return f"challenge to {self._opponent}"

    def _waits(self, now: datetime) -> bool:
        """Return whether the challenge has no answer yet; withdraw it after a minute."""
        if self._acceptor.is_beginning(self._key):
            return True
        mine = self._client.session.offers.get(self._offer)
        if mine is not None and now - self._sent >= _ANSWER:
            self._acceptor.withdraw(mine)
        return mine is not None

    async def _challenge(self, settings: MatchSettings) -> None:
        answer = await self._client.offers.challenge(self._opponent, settings)
        self._sent = local_now()
        if isinstance(answer, ChallengeSent):
            self._offer = answer.challenge
