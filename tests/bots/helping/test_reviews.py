"""Reviews for the window, and values, from real processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doublecross.analysis.report import make_report
from doublecross.bots.advising.advice import AdviceClient, AdviceError
from doublecross.bots.helping import reviews
from doublecross.bots.helping.helpers import LocalHelpers
from doublecross.bots.judging.making import judge_of
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.bots.running import until
from tests.cli.family import Family

pytestmark = [pytest.mark.timeout(120), pytest.mark.usefixtures("fork_server")]

GAME = DotsAndBoxes({"rows": 3, "cols": 3})
MARKS = TicTacToe()
WORKER = "reviews"
"""The name of a review process, as ``ps`` shows it."""


def ignore(_done: int, _all: int) -> None:
    """Take no notice of the progress."""


@pytest.fixture
async def helpers(tmp_path: Path) -> AsyncIterator[LocalHelpers]:
    helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    yield helpers
    await helpers.close()


@pytest.fixture
async def advisers() -> AsyncIterator[AdviceClient]:
    advisers = AdviceClient()
    yield advisers
    await advisers.close()


async def test_values_come_from_the_advice_process(
    advisers: AdviceClient, children: Family
) -> None:
    moves = (0, 5, 9, 14, 20, 3)
    found = await advisers.values(GAME, (), moves)
    assert found == judge_of(GAME, quick=True).values(GAME.replay((), moves))
    assert found.exact
    marks = await advisers.values(MARKS, (), (0, 3, 1, 4))
    assert (marks.value.mean, marks.actions[0].action) == (1.0, 2)
    with pytest.raises(AdviceError, match=r"^The game is over"):
        await advisers.values(MARKS, (), (0, 3, 1, 4, 2))
    # A hint and values of the same position do not end each other.
    hint, values = await asyncio.gather(
        advisers.ask(GAME, (), moves), advisers.values(GAME, (), moves)
    )
    assert values.exact
    assert hint.net == values.value.of(GAME.replay((), moves).current_player())
    older, newer = await asyncio.gather(
        advisers.values(DotsAndBoxes({"rows": 7, "cols": 7}), (), ()),
        advisers.values(GAME, (), moves),
        return_exceptions=True,
    )
    assert isinstance(older, AdviceError)
    assert newer == values
    assert len(children()) == 1


async def test_a_review_has_a_process_of_its_own_while_it_runs(
    helpers: LocalHelpers, children: Family
) -> None:
    steps: list[tuple[int, int]] = []
    moves = tuple(range(24))
    report = await helpers.review(GAME, (), moves, lambda done, total: steps.append((done, total)))
    assert report == make_report(GAME, (), moves, judge_of(GAME))
    # It is told only now and then how far the review is.
    assert steps == sorted(set(steps))
    assert set(steps) <= {(done, 24) for done in range(1, 25)}
    await until(lambda: not children(WORKER))
    # The last reports are kept.
    steps.clear()
    assert await helpers.review(GAME, (), moves, ignore) is report
    assert not children(WORKER)
    with pytest.raises(HelperFailed, match=r"^This game has no moves"):
        await helpers.review(MARKS, (), (), ignore)
    with pytest.raises(HelperFailed, match=r"^At ply 1: "):
        await helpers.review(MARKS, (), (0, 0), ignore)


async def test_who_gives_up_ends_the_process_and_the_next_review_has_its_turn(
    helpers: LocalHelpers, children: Family
) -> None:
    started = asyncio.Event()
    large = DotsAndBoxes({"rows": 7, "cols": 7})
    long = asyncio.create_task(
        helpers.review(large, (), tuple(range(112)), lambda *_: started.set())
    )
    await started.wait()
    short = asyncio.create_task(helpers.review(MARKS, (), (0, 4, 1), ignore))
    # A hint waits for neither.
    assert (await helpers.advise(MARKS, (), (0,))).best == (4,)
    assert not short.done()
    long.cancel()
    assert (await short).worst(1) is None
    await until(lambda: not children(WORKER))


async def test_a_process_that_ends_or_says_nothing_fails_its_review(
    helpers: LocalHelpers, children: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()
    large = DotsAndBoxes({"rows": 7, "cols": 7})

    def review() -> asyncio.Task[object]:
        started.clear()
        return asyncio.create_task(
            helpers.review(large, (), tuple(range(112)), lambda *_: started.set())
        )

    task = review()
    await started.wait()
    for child in children(WORKER):
        child.kill()
    with pytest.raises(HelperFailed, match=r"^The process that reviews games .*\.$"):
        await task
    monkeypatch.setattr(reviews, "_SILENCE_S", 0.001)
    with pytest.raises(HelperFailed, match="took too long"):
        await review()
    monkeypatch.undo()
    task = review()
    await started.wait()
    await helpers.close()
    with pytest.raises(HelperFailed):
        await task
    assert not children(WORKER)
