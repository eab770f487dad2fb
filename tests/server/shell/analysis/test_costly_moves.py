"""The costliest moves of a bot: which games count, and how the missing reports are made."""

from __future__ import annotations

import pytest

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.analysis.costly_moves import CostlyMoves, costly_moves
from tests.fakes.reviewers import FakeReviewer
from tests.server.shell.analysis.test_reviews import Office, game

BOT = ("Ann", "a-1")
"""She has seat 0, whose first move costs 1.25 boxes in the report of the fake reviewer."""


def _game(game_id: str, **changes: object) -> GameRow:
    return game(game_id, **{"players": ("ann", "Bob"), "accounts": ("a-1", None), **changes})


def _store(office: Office, *rows: GameRow) -> None:
    office.store.games_by_id.update({row.game_id: row for row in rows})


async def ask(office: Office, *, is_allowed: bool = True) -> CostlyMoves:
    def admit() -> None:
        if not is_allowed:
            raise Refused(ErrorCode.RATE_LIMITED, "Too many.")

    found = await costly_moves(office.service, office.store, BOT, "o-1", admit)
    await office.settle()
    return found


async def test_reports_are_made_one_after_another_as_somebody_asks() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    _store(office, _game("x", plies=0), _game("y", termination="void"), _game("new"), _game("old"))
    refused = await ask(office, is_allowed=False)
    assert (refused.games, refused.working, refused.reason) == (2, False, "Too many.")
    for _ in range(2):  # asking again starts nothing else, and the owner's own review goes on
        found = await ask(office)
        assert (found.judged, found.working, reviewer.running) == (0, True, ["new"])
    assert (await office.ask("Olive", "own")).status == "queued"
    reviewer.finish("new")
    await office.settle()
    found = await ask(office)
    assert [(each.row.game_id, each.fields["cost"]) for each in found.moves] == [("new", 1.25)]
    reviewer.finish("own")
    await office.settle()
    reviewer.fail("old", "This board is too large.")
    await office.settle()
    found = await ask(office)
    assert (found.judged, found.working, found.reason) == (1, False, "This board is too large.")
    assert {told[0] for told in office.told if "\n" not in told[0]} == {"Olive"}
    await office.service.close()


@pytest.mark.parametrize("seat", [0, 1])
async def test_only_the_moves_of_the_bot_count(seat: int) -> None:
    office = Office(FakeReviewer(at_once=True))
    _store(office, _game("g", players=("Ann", "Bob")[:: 1 - 2 * seat]))
    await ask(office)
    found = await ask(office)
    assert (found.judged, len(found.moves)) == (1, 1 - seat)
    await office.service.close()
