"""Pass the questions of players to an adviser, one at a time.

The server itself does not search. Its constructor gets an `Adviser`, or None. Thinking costs
a second or two of a processor, so the adviser answers one question at a time, few questions wait,
and each player has one place among them.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol

from doublecross.analysis.values import PositionValues
from doublecross.games.api import Game, State
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.rooms.match import Match
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.analysis.agreements import Agreements

MOST_WAITING: Final = 8
"""The most questions about advice that are being answered or wait."""
MOST_VALUED: Final = 400
"""How many answers about values are kept, of some kilobytes each."""
DEADLINE_S: Final = 60.0
"""Seconds for a question, waiting included. The first one takes long, to compile kernels."""
IDLE_MS: Final = 300_000
"""Milliseconds without a question after which the adviser rests, which frees its memory."""


class AdviceFailedError(Exception):
    """There is no advice. The message is one sentence for people."""


class FoundAdvice(Protocol):
    """Advice for the mover of a position.

    See `doublecross.protocol.server_messages.AdviceGiven`.
    """

    @property
    def best(self) -> Sequence[int]:
        """The best actions, the first choice first."""

    @property
    def net(self) -> float:
        """The final net score that the mover can expect."""

    @property
    def exact(self) -> bool:
        """True when that is proved."""

    @property
    def phrase(self) -> Sentence | None:
        """A sentence about what is good about the first choice; None without one."""


class Adviser(Protocol):
    """An object that analyses positions. A new question may end the one before."""

    async def ask(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> FoundAdvice:
        """Return advice for the mover of the position after `opening` and `moves`.

        Raises:
            AdviceFailedError: there is no advice.
        """

    def has_policy(self, game: str) -> bool:
        """Return whether a network plays the game with the key `game`."""

    async def policy(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> Sequence[tuple[int, float]]:
        """Return the policy of that network: actions and their shares, the largest first.

        Raises:
            AdviceFailedError: there is no policy for this position.
        """

    async def values(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> PositionValues:
        """Return the values of all actions in a position.

        Raises:
            AdviceFailedError: there are none.
        """

    async def rest(self) -> None:
        """Release processes and memory; the next question may take longer."""

    async def close(self) -> None:
        """Stop thinking, for good."""


class AdviceService:
    """Pass the questions of players to an adviser, one at a time; None: there is no adviser.

    Of the questions about positions, at most `most`, and `most_each` of one address, are being
    answered or wait.
    """

    def __init__(
        self,
        adviser: Adviser | None,
        deadline_s: float = DEADLINE_S,
        most_each: int = 2,
        most: int = 8,
    ) -> None:
        self.agreements = Agreements()
        self._adviser = adviser
        self.is_open = adviser is not None
        """True when there is an adviser."""
        self._deadline_s = deadline_s
        self._turn = asyncio.Lock()
        self._asking: set[str] = set()
        self._most_each = most_each
        self._most = most
        self._questions: Counter[str] = Counter()
        """How many questions about positions each address has."""
        self.hits: Counter[str] = Counter()
        """How many questions were refused by each limit on questions about positions."""
        self._valued: OrderedDict[tuple[Game, tuple[int, ...]], PositionValues] = OrderedDict()
        self._is_awake = False
        """True when a question has come since the adviser rested."""
        self._idle_since: int | None = None
        """The time since which `sweep` has seen no question, in ms; None: one has just come."""
        self._resting = BackgroundTasks()

    @property
    def waiting(self) -> int:
        """How many questions are being answered or wait."""
        return len(self._asking) + self._questions.total()

    async def ask(
        self, player: str, game: Game, match: Match, ply: int, takebacks: int
    ) -> FoundAdvice:
        """Return advice for the position at `ply` of a match, for one player.

        `takebacks` is the number of takebacks before that position.

        Raises:
            Refused: there is no adviser or no advice, the player has asked already, too many
                others have, or the match goes on before it is this question's turn.
        """
        if self._adviser is None:
            raise Refused(ErrorCode.NO_ADVICE, "This server gives no advice.")
        if player in self._asking:
            raise Refused(
                ErrorCode.RATE_LIMITED, "Your last question is not answered yet; wait for it."
            )
        if len(self._asking) >= MOST_WAITING:
            raise Refused(
                ErrorCode.NO_ADVICE, "Many players ask for advice now; try again in a moment."
            )
        self._asking.add(player)
        self._is_awake, self._idle_since = True, None
        try:
            async with asyncio.timeout(self._deadline_s), self._turn:
                # The match may have gone on while the question waited for its turn.
                now = match.ply, match.takebacks.count
                if match.result is not None or now != (ply, takebacks):
                    raise wrong_state("The position has changed meanwhile.")
                moves = tuple(action for action, _ in match.moves)
                return await self._adviser.ask(game, match.state.opening, moves)
        except TimeoutError:
            raise Refused(
                ErrorCode.NO_ADVICE, "Thinking about this position took too long; try again."
            ) from None
        except AdviceFailedError as failed:
            raise Refused(ErrorCode.NO_ADVICE, str(failed)) from None
        finally:
            self._asking.discard(player)

    def has_policy(self, game: str) -> bool:
        """Return whether `policy` knows the game with the key `game`."""
        return self._adviser is not None and self._adviser.has_policy(game)

    async def policy(
        self, source: str, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> Sequence[tuple[int, float]]:
        """Return the policy of a network in a position, for a client at the address `source`.

        The policy is pairs of an action and its share.

        Raises:
            AdviceFailedError: there is no network or no answer, or too many ask.
        """
        if self._adviser is None or not self._adviser.has_policy(game.key):
            raise AdviceFailedError("This server has no network for this game.")
        async with self._question(source):
            return await self._adviser.policy(game, opening, moves)

    async def values(self, source: str, state: State) -> PositionValues:
        """Return the values of all actions in a position, for a client at the address `source`.

        The last answers are kept.

        Raises:
            AdviceFailedError: there is no adviser or no answer, or too many ask.
        """
        if self._adviser is None:
            raise AdviceFailedError("This server knows no values of moves.")
        # Equal positions share an answer, whatever the order of their moves was.
        key = state.game, state.key()
        kept = self._valued.get(key)
        if kept is not None:
            self._valued.move_to_end(key)
            return kept
        async with self._question(source):
            found = await self._adviser.values(state.game, state.opening, state.history())
        self._valued[key] = found
        if len(self._valued) > MOST_VALUED:
            self._valued.popitem(last=False)
        return found

    @asynccontextmanager
    async def _question(self, source: str) -> AsyncIterator[None]:
        """Wait for the adviser, and have it for one question of `source` in the `with` block.

        Raises:
            AdviceFailedError: too many ask, or it took too long.
        """
        if source != EXEMPT and self._questions[source] >= self._most_each:
            self.hits["questions_per_address"] += 1
            raise AdviceFailedError("Your last questions are not answered yet; wait for them.")
        if self._questions.total() >= self._most:
            self.hits["questions"] += 1
            raise AdviceFailedError("Many people ask about positions now; try again in a moment.")
        self._questions[source] += 1
        self._is_awake, self._idle_since = True, None
        try:
            async with asyncio.timeout(self._deadline_s), self._turn:
                yield
        except TimeoutError:
            raise AdviceFailedError("Thinking about this position took too long.") from None
        finally:
            self._questions[source] -= 1
            # A Counter keeps what is zero, and `sweep` asks whether it has anything.
            if not self._questions[source]:
                del self._questions[source]

    def sweep(self, now: int) -> None:
        """Let the adviser rest if nobody has asked for a while; `now` is in milliseconds."""
        if not self._is_awake or self._asking or self._questions:
            return
        if self._idle_since is None:
            self._idle_since = now
        elif now - self._idle_since >= IDLE_MS:
            self._is_awake = False
            # In a task, because it waits for its turn and for the process, and a sweep must not.
            self._resting.start(self._rest())

    async def _rest(self) -> None:
        assert self._adviser is not None
        async with self._turn:
            if not self._is_awake:  # otherwise a question has come meanwhile
                await self._adviser.rest()

    async def close(self) -> None:
        """Stop the adviser."""
        # First, because a rest that is under way would use an adviser that is closed.
        await self._resting.close()
        if self._adviser is not None:
            await self._adviser.close()
