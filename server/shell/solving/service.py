"""Let people solve puzzles: choose the next one, judge attempts, and run storms.

A player's results are stored. The browser of a visitor without a name keeps them itself and sends
them along, so one code serves both; but then puzzles keep their ratings.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Final

from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.server.core.errors import bad_parameter, wrong_state
from doublecross.server.core.people.accounts import Login
from doublecross.server.core.people.progress import PuzzleRating
from doublecross.server.core.people.solver import Solver, first_rating, next_puzzle
from doublecross.server.core.people.storm import STORM_MS, Storm, storm_order
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.service import AccountService
from doublecross.server.shell.identity.rights import new_id
from doublecross.server.shell.solving.judging import NO_MOVES, Values, is_solved
from doublecross.server.shell.solving.progress import SOLVER, as_document

MOST_STORMS: Final = 1000
"""How many storms run at the same time; the one that began first goes first."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A judged attempt. `change` is that of the solver's rating; None if it was not rated."""

    solved: bool
    change: float | None
    solver: Solver


@dataclass(slots=True)
class _Changing:
    """The solver of a request, which may change it, and the new rating of a puzzle, if any."""

    solver: Solver
    rated: PuzzleRating | None = None


class SolvingService:
    """Choose puzzles and judge attempts. `date` is in milliseconds since 1970, UTC.

    `now` returns milliseconds that never go back.
    """

    def __init__(
        self,
        store: Store,
        accounts: AccountService,
        date: Callable[[], int],
        now: Callable[[], int],
        rng: Random,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._date, self._now = date, now
        self._rng = rng
        self._writing = asyncio.Lock()
        """Held while the rating of a puzzle is read and stored."""
        self._ratings: dict[str, PuzzleRating] | None = None
        self._storms: OrderedDict[str, Storm] = OrderedDict()

    async def next(
        self, login: Login | None, sent: Solver, kind: str | None, but: str | None
    ) -> tuple[str, Solver]:
        """Return the id of the next puzzle, of this kind if given, and the solver.

        Raises:
            Refused: there is no such kind.
            StoreError: the database failed.
        """
        solver = sent if login is None else await self._stored(login)
        ratings = await self._known()
        fits = [p for p in puzzles().puzzles if kind in (None, p.kind) and p.id != but]
        if not fits:
            raise bad_parameter("There is no such kind of puzzles.")
        return next_puzzle(solver, [ratings[each.id] for each in fits], self._rng), solver

    async def rating(self, puzzle_id: str) -> float:
        """Return the present rating of a puzzle."""
        return (await self._known())[puzzle_id].glicko.rating

    async def attempt(
        self,
        login: Login | None,
        sent: Solver,
        puzzle: Puzzle,
        moves: Sequence[int] | None,
        values: Values,
    ) -> Attempt:
        """Judge an attempt and store its result; `moves` is None for somebody who had help.

        Raises:
            Refused: the moves decide nothing; see `is_solved`. Or the account has ended.
            StoreError: the database failed.
        """
        solved = moves is not None and await is_solved(puzzle, moves, values)
        ratings = await self._known()
        async with self._changing(login, sent) as state:
            before = state.solver
            state.solver, state.rated = before.attempted(ratings[puzzle.id], solved, self._date())
            change = None if state.rated is None else state.solver.rating - before.rating
        return Attempt(solved, change, state.solver)

    # -- storms --------------------------------------------------------------------------------

    def begin_storm(self, login: Login | None) -> tuple[str, Storm]:
        """Begin a storm; return its id, which only its player knows."""
        order = storm_order([(p.id, p.difficulty) for p in puzzles().puzzles], self._rng)
        name, storm = new_id(), Storm(_id_of(login), order, self._now() + STORM_MS)
        self._storms[name] = storm
        if len(self._storms) > MOST_STORMS:
            self._storms.popitem(last=False)
        return name, storm

    def storm_move(
        self, login: Login | None, name: str, puzzle_id: str | None, move: int
    ) -> tuple[Storm, bool | None]:
        """Answer the present puzzle of a storm; return whether the move was right.

        An answer after the end changes nothing.

        Raises:
            Refused: there is no such storm, its present puzzle is another, or the move is illegal.
        """
        storm = self._storm(login, name)
        present = storm.puzzle(self._now())
        if present is None:
            return storm, None
        costs = puzzles().by_id[present].cost_of
        if present != puzzle_id or move not in costs:
            raise wrong_state(NO_MOVES)
        storm.answer(right := not costs[move])
        return storm, right

    async def end_storm(self, login: Login | None, name: str, sent: Solver) -> tuple[Storm, Solver]:
        """End a storm and store its score; return the solver too.

        Raises:
            Refused: there is no such storm, or the account has ended.
            StoreError: the database failed.
        """
        storm = self._storm(login, name)
        storm.ends_ms = min(storm.ends_ms, self._now())
        async with self._changing(login, sent) as state:
            state.solver = state.solver.stormed(storm.score, self._date())
        self._storms.pop(name, None)
        return storm, state.solver

    def _storm(self, login: Login | None, name: str) -> Storm:
        found = self._storms.get(name)
        if found is None or found.account_id != _id_of(login):
            raise wrong_state("This run is over; begin another one.")
        return found

    # -- inside --------------------------------------------------------------------------------

    async def _known(self) -> dict[str, PuzzleRating]:
        """Return the ratings of all puzzles."""
        if self._ratings is None:
            ratings = {
                each.id: first_rating(each.id, each.difficulty) for each in puzzles().puzzles
            }
            ratings |= {
                each.puzzle_id: each for each in await self._store.progress.puzzle_ratings()
            }
            # Another request may have read them meanwhile, and changed one since.
            if self._ratings is None:
                self._ratings = ratings
        return self._ratings

    async def _stored(self, login: Login) -> Solver:
        documents = await self._store.progress.documents(login.account.account_id)
        return SOLVER.validate_python(documents.get("solver", {}))

    @asynccontextmanager
    async def _changing(self, login: Login | None, sent: Solver) -> AsyncIterator[_Changing]:
        """Read the solver, and store it after the block; that of a visitor is `sent`."""
        if login is None:
            yield _Changing(sent)
            return
        account_id = login.account.account_id
        async with self._accounts.turns.of(account_id), self._writing:
            await self._accounts.anew(login)
            state = _Changing(await self._stored(login))
            yield state
            await self._store.progress.store(
                account_id, {"solver": as_document(state.solver)}, state.rated
            )
            if state.rated is not None:
                (await self._known())[state.rated.puzzle_id] = state.rated


def _id_of(login: Login | None) -> str:
    return "" if login is None else login.account.account_id
