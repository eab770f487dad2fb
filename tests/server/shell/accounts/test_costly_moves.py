"""The costliest moves of a bot: which games count, and how the missing reports are made."""

from __future__ import annotations

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Account, Login
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.web.managing.account_answers import CostlyMovesAnswer
from doublecross.server.shell.web.managing.costly_moves import costly_moves
from tests.fakes.reviewers import FakeReviewer
from tests.server.shell.analysis.test_reviews import Office, game
from tests.server.store.samples import PLAYER

BOT = Login(PLAYER, Account("a-1"), None)


async def ask(office: Office, *, is_allowed: bool = True) -> CostlyMovesAnswer:
    def admit() -> None:
        if not is_allowed:
            raise Refused(ErrorCode.RATE_LIMITED, "Too many.")

    found = await costly_moves(office.service, office.store, BOT, "o-1", admit)
    await office.settle()
    return found


def _game(game_id: str, seat: int = 0, **changes: object) -> GameRow:
    players = (PLAYER.name.upper(), "Bob")[:: 1 - 2 * seat]
    return game(game_id, players=players, accounts=("a-1", None), **changes)


async def test_reports_are_made_one_after_another_as_somebody_asks() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    rows = (_game("x", plies=0), _game("y", termination="void"), _game("new"), _game("old", 1))
    office.store.games_by_id.update({row.game_id: row for row in (*rows, _game("bad"))})
    found = await ask(office, is_allowed=False)
    assert (found.games, found.working, found.reason) == (3, False, "Too many.")
    for _ in range(2):  # asking again starts nothing else, and the owner's own review goes on
        found = await ask(office)
        assert (found.judged, found.working, reviewer.running) == (0, True, ["new"])
    assert (await office.ask("Olive", "own")).status == "queued"
    for game_id in ("new", "own", "old"):
        reviewer.finish(game_id)
        await office.settle()
        found = await ask(office)
    # In the report of the fake, seat 0 played b1, which cost 1.25 boxes; b3 was better.
    (move,) = found.moves
    assert (move.game, move.played, move.better, move.move.cost) == ("new", "b1", "b3", 1.25)
    reviewer.fail("bad", "This board is too large.")
    await office.settle()
    found = await ask(office)
    assert (found.judged, found.working, found.reason) == (2, False, "This board is too large.")
    assert {told[0] for told in office.told if "\n" not in told[0]} == {"Olive"}
    await office.service.close()
