"""The service for reviews: workers, second tries, deadlines, limits and stored reports."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.review_queue import AWAY_MS
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.analysis.reviews import (
    MOST_WAITING,
    PLAYER_RATE,
    ReviewService,
    Standing,
)
from tests.fakes.reviewers import FakeReviewer, made_report
from tests.fakes.store import FakeStore
from tests.server.store import samples

DONE = Standing("done", 0, 4, 4, report=made_report())


def game(game_id: str, **changes: object) -> GameRow:
    return samples.game(game_id, **{"game": "dots-and-boxes", "plies": 4, **changes})


class Office:
    """A service, and what it has told to whom."""

    def __init__(
        self, reviewer: FakeReviewer | None, store: FakeStore | None = None, **options: float
    ) -> None:
        self.store = store or FakeStore()
        self.time = 1_000_000
        self.date_ahead = 0
        """How many milliseconds the date is ahead of the time."""
        self.told: list[tuple[str, str, Standing]] = []
        self.service = ReviewService(
            reviewer,
            self.store,
            self._tell,
            lambda: self.time + self.date_ahead,
            lambda: self.time / 1000,
            **options,  # type: ignore[arg-type]
        )

    def _tell(self, players: Collection[str], game_id: str, standing: Standing) -> None:
        self.told += [(player, game_id, standing) for player in players]

    async def ask(self, player: str, game_id: str) -> Standing:
        standing = await self.service.ask(player, game(game_id))
        await self.settle()
        return standing

    async def refused(self, player: str, row: GameRow) -> tuple[ErrorCode, str]:
        with pytest.raises(Refused) as refused:
            await self.service.ask(player, row)
        return refused.value.code, refused.value.sentence

    async def settle(self) -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    def news(self) -> list[tuple[str, str, str, int, int]]:
        """Return who was told what since the last call: player, game, status, place, done."""
        told, self.told = self.told, []
        return [(player, game, s.status, s.place, s.done) for player, game, s in told]


async def test_games_are_judged_one_after_another_and_places_are_told() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    assert await office.ask("Ann", "a") == Standing("working", 0, 0, 4)
    assert await office.ask("Ben", "b") == Standing("queued", 1, 0, 4)
    assert await office.ask("Cat", "c") == Standing("queued", 2, 0, 4)
    assert await office.ask("Dan", "b") == Standing("queued", 1, 0, 4)
    assert office.news() == []  # nobody is told what the answer says already
    reviewer.judged("a", 2)
    assert office.news() == [("Ann", "a", "working", 0, 2)]
    reviewer.finish("a")
    await office.settle()
    assert office.told[0] == ("Ann", "a", replace(DONE))
    assert office.news()[1:] == [
        ("Ben", "b", "working", 0, 0),
        ("Dan", "b", "working", 0, 0),
        ("Cat", "c", "queued", 1, 0),
    ]
    reviewer.finish("b")
    await office.settle()
    assert [told[:3] for told in office.news()][:2] == [("Ben", "b", "done"), ("Dan", "b", "done")]
    assert reviewer.orders == ["a", "b", "c"]
    assert await office.ask("Eve", "a") == DONE
    assert reviewer.orders == ["a", "b", "c"]
    await office.service.close()
    assert (reviewer.closed, reviewer.stopped) == (True, ["c"])
    figures = office.service.figures()
    assert (figures["made"], figures["failed"], figures["workers"]) == (2, 0, 1)


async def test_as_many_games_at_once_as_there_are_workers() -> None:
    reviewer = FakeReviewer(2)
    office = Office(reviewer)
    for player in ("Ann", "Ben", "Cat"):
        await office.ask(player, player.lower())
    assert reviewer.running == ["ann", "ben"]
    reviewer.finish("ben")
    await office.settle()
    assert reviewer.running == ["ann", "cat"]
    await office.service.close()


async def test_a_game_whose_worker_dies_is_judged_once_more() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    await office.ask("Ann", "a")
    reviewer.judged("a", 3)
    reviewer.die("a")
    await office.settle()
    assert office.news() == [("Ann", "a", "working", 0, 3), ("Ann", "a", "working", 0, 0)]
    reviewer.finish("a")
    await office.settle()
    assert office.news() == [("Ann", "a", "done", 0, 4)]
    assert reviewer.orders == ["a", "a"]


async def test_a_game_over_which_two_workers_die_fails_and_the_next_one_begins() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    await office.ask("Ann", "a")
    await office.ask("Ben", "b")
    for _ in range(2):
        reviewer.die("a")
        await office.settle()
    ((player, game_id, standing), *_) = office.told
    assert (player, game_id, standing.status) == ("Ann", "a", "failed")
    assert standing.reason == (
        "The process that judges games has ended twice over this game; the server's log says why."
    )
    assert reviewer.running == ["b"]
    assert (await office.ask("Ann", "a")).reason == standing.reason  # not a third time, yet
    office.time += 600_000
    office.date_ahead = -86_400_000  # somebody corrects the clock of the machine
    assert (await office.ask("Ann", "a")).status == "queued"
    assert office.service.figures()["failed"] == 1
    await office.service.close()


async def test_a_refusal_of_the_worker_and_a_bug_reach_the_players() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    await office.ask("Ann", "a")
    reviewer.fail("a", "This game is odd.")
    await office.settle()
    assert [standing.reason for *_, standing in office.told] == ["This game is odd."]
    await office.ask("Ann", "b")
    reviewer.crash("b")
    await office.settle()
    assert "could not be judged" in str(office.told[-1][2].reason)
    await office.ask("Ann", "c")
    assert reviewer.running == ["c"]
    await office.service.close()


async def test_a_game_has_a_deadline() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer, deadline_s=0.0)
    await office.ask("Ann", "a")
    await office.settle()
    ((*_, standing),) = office.told
    assert (standing.status, reviewer.stopped) == ("failed", ["a"])
    assert "not judged within" in str(standing.reason)


async def test_a_game_that_nobody_wants_any_more_frees_its_worker() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    await office.ask("Ann", "a")
    await office.ask("Ben", "b")
    assert (await office.ask("Ann", "c")).place == 2  # the worker of a is not free yet
    assert (reviewer.stopped, reviewer.running) == (["a"], ["b"])
    office.service.depart("Ben", 0)
    office.service.sweep(AWAY_MS - 1)
    await office.settle()
    assert reviewer.running == ["b"]
    office.service.arrive("Ben")
    office.service.sweep(AWAY_MS)
    assert reviewer.running == ["b"]
    office.service.depart("Ben", AWAY_MS)
    office.service.sweep(2 * AWAY_MS)
    await office.settle()
    assert (reviewer.stopped, reviewer.running) == (["a", "b"], ["c"])
    assert office.store.reviews == {}
    await office.ask("Ann", "a")  # it can be asked for again
    assert reviewer.orders == ["a", "b", "c", "a"]
    await office.service.close()


async def test_a_game_that_is_given_up_before_its_work_begins_frees_its_worker_too() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    # Two requests of one connection: the second one arrives before the task of the first has run.
    await asyncio.gather(*(office.service.ask("Ann", game(each)) for each in ("a", "b")))
    await office.settle()
    assert reviewer.running == ["b"]
    await office.service.close()


async def test_reports_outlive_a_restart_and_need_no_workers() -> None:
    reviewer = FakeReviewer(at_once=True)
    office = Office(reviewer)
    await office.ask("Ann", "a")
    await office.service.close()
    again = FakeReviewer()
    assert await Office(again, office.store).ask("Ann", "a") == DONE
    assert again.orders == []
    assert await Office(None, office.store).ask("Ann", "a") == DONE
    code, sentence = await Office(None, office.store).refused("Ann", game("b"))
    assert (code, sentence) == (ErrorCode.NO_REVIEW, "This server makes no reviews of games.")


async def test_reports_of_another_judge_are_made_again_where_there_are_workers() -> None:
    office = Office(FakeReviewer(at_once=True))
    await office.ask("Ann", "a")
    better = FakeReviewer(at_once=True)
    better.version = "better"
    later = Office(better, office.store)
    await later.ask("Ann", "a")
    assert better.orders == ["a"]
    assert office.store.reviews["a"].version == "1.better"
    row = office.store.reviews["a"]
    office.store.reviews["a"] = replace(row, version="2.better")  # a form that clients do not know
    assert (await Office(None, office.store).refused("Ann", game("a")))[0] is ErrorCode.NO_REVIEW


async def test_a_report_that_cannot_be_stored_is_sent_all_the_same() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    await office.ask("Ann", "a")
    office.store.review_fails = 1
    reviewer.finish("a")
    await office.settle()
    assert office.news() == [("Ann", "a", "done", 0, 4)]
    assert office.store.reviews == {}
    assert await office.ask("Ben", "a") == DONE  # from memory


async def test_games_without_a_review_say_why() -> None:
    office = Office(FakeReviewer())
    code, sentence = await office.refused("Ann", game("a", game="nim"))
    assert (code, sentence) == (ErrorCode.NO_REVIEW, "There is no review of such games.")
    assert (await office.refused("Ann", game("a", plies=0)))[0] is ErrorCode.NO_REVIEW


async def test_the_queue_has_a_bound() -> None:
    reviewer = FakeReviewer()
    office = Office(reviewer)
    for number in range(MOST_WAITING + 1):
        await office.ask(f"P{number}", f"g{number}")
    code, sentence = await office.refused("Late", game("x"))
    assert code is ErrorCode.NO_REVIEW
    assert sentence.startswith(f"{MOST_WAITING} games wait")
    assert (await office.ask("Late", "g5")).place == 5  # a game that is there can be shared
    assert office.service.figures()["waiting"] == MOST_WAITING
    await office.service.close()


async def test_one_player_gets_so_many_reviews_in_an_hour() -> None:
    office = Office(FakeReviewer(at_once=True))
    for number in range(PLAYER_RATE.most):
        await office.ask("Ann", f"g{number}")
    code, sentence = await office.refused("Ann", game("x"))
    assert (code, "within an hour" in sentence) == (ErrorCode.NO_REVIEW, True)
    assert await office.ask("Ann", "g3") == DONE  # this one costs nobody anything
    await office.ask("Ben", "x")
    office.time += round(PLAYER_RATE.period_s / PLAYER_RATE.most * 1000)
    await office.ask("Ann", "y")


async def test_an_address_that_asks_too_often_adds_nothing() -> None:
    office = Office(FakeReviewer())

    def admit() -> None:
        raise Refused(ErrorCode.RATE_LIMITED, "Wait.")

    with pytest.raises(Refused, match="Wait"):
        await office.service.ask("Ann", game("a"), admit)
    assert office.service.figures()["working"] == 0
    await office.ask("Ben", "a")
    assert (await office.service.ask("Ann", game("a"), admit)).status == "working"  # it joins
    await office.service.close()
