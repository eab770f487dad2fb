"""Let our bots play in OpenSpiel, as bots and as policies."""

from __future__ import annotations

from random import Random

import pyspiel
from open_spiel.python import policy

from doublecross.bots.api import Bot, BotError, BotFault, Limit
from doublecross.bots.bridges.openspiel_games import our_action, our_game, their_action
from doublecross.bots.registry import checked_spec, make_bot
from doublecross.bots.workers.child import Flag


def as_openspiel_bot(spec: str, player: int, limit: Limit | None = None, seed: int = 0) -> Player:
    """Return a bot of OpenSpiel that plays as the bot `spec`, such as ``mcts:simulations=500``.

    The bot has `limit` for each move (None: no limits).

    Raises:
        BotError: there is no such bot, or an option is wrong.
    """
    return Player(spec, player, limit or Limit(), seed)


def as_openspiel_policy(
    spec: str, game: pyspiel.Game, limit: Limit | None = None, seed: int = 0
) -> Policy:
    """Return a policy of OpenSpiel that plays as the bot `spec`, for both players of `game`.

    Raises:
        BotError: there is no such bot, or an option is wrong.
    """
    return Policy(spec, game, limit or Limit(), seed)


class Player(pyspiel.Bot):
    """One of our bots as a bot of OpenSpiel; see `as_openspiel_bot`."""

    def __init__(self, spec: str, player: int, limit: Limit, seed: int) -> None:
        pyspiel.Bot.__init__(self)
        self._spec = checked_spec(spec)
        self._id = player
        self._limit = limit
        self._seeds = Random(seed)
        self._bot: Bot | None = None

    def player_id(self) -> int:
        """Return the player that the bot was made for."""
        return self._id

    def restart(self) -> None:
        """Begin a game with a new bot."""
        if self._bot is not None:
            self._bot.close()
        self._bot = None

    def restart_at(self, state: pyspiel.State) -> None:
        """Begin a game with a new bot."""
        self.restart()

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """Do nothing: `step` receives all actions with the state."""

    def step(self, state: pyspiel.State) -> int:
        """Return the bot's action.

        Raises:
            BotError: the bot does not play this game.
            BotFault: the bot cannot move, or chose an illegal action.
            GameError: no bot of ours can play this game.
        """
        game = our_game(state.get_game())
        ours = game.initial_state()
        for number in state.history():
            ours.apply(our_action(ours, number))
        if self._bot is None:
            rng = Random(self._seeds.getrandbits(64))
            self._bot = make_bot(self._spec.name, rng, self._spec.options)
            if not self._bot.plays(game):
                raise BotError(f"Bot {self._spec.name} does not play {game.title} {game.size}.")
            self._bot.get_ready(game)
        flag = Flag()
        flag.start(self._limit)
        action = self._bot.choose(ours.clone(), self._limit, flag).action
        if not ours.is_legal(action):
            raise BotFault(f"{self._spec} chose {action}, which is not legal", kind="illegal")
        return their_action(ours, action)


class Policy(policy.Policy):
    """One of our bots as a policy; see `as_openspiel_policy`.

    A new bot answers for each position, and its answer is kept: a bot that draws its moves becomes
    one of the strategies that it mixes.
    """

    def __init__(self, spec: str, game: pyspiel.Game, limit: Limit, seed: int) -> None:
        super().__init__(game, [0, 1])
        self._player = Player(spec, 0, limit, seed)
        self._answers: dict[str, int] = {}

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """Return 1 for the bot's action in `state`, and 0 for the others."""
        key = state.history_str()
        if key not in self._answers:
            self._player.restart()
            self._answers[key] = self._player.step(state)
        return {each: float(each == self._answers[key]) for each in state.legal_actions()}
