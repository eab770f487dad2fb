"""Tests for the reviews of a server: processes of their own, which the first review starts."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import signal
import zlib
from pathlib import Path

import msgpack
import psutil
import pytest

from doublecross.bots.judging.process import MODULE
from doublecross.cli.main import main
from doublecross.cli.serve import reviews
from doublecross.cli.serve.reviews import ServerReviewer, server_reviewer
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.review_messages import ReviewReport
from doublecross.server.core.review_queue import ReviewOrder
from doublecross.server.shell.analysis.reviews import ReviewFailedError, WorkerDiedError
from tests.bots.running import until
from tests.cli.family import Family
from tests.cli.serve.hosting import begin, hosting, one_turn, ready, visitor

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
MOVES = (0, 11, 1, 10, 2, 9, 3, 4, 5, 6, 7, 8)


def order(game_id: str = "g1") -> ReviewOrder:
    """Return a finished game on 2x2 boxes."""
    scores = GAME.replay((), MOVES).scores()
    result = "1-0" if scores[0] > scores[1] else "0-1" if scores[0] < scores[1] else "1/2-1/2"
    record = Record(
        game=GAME,
        players=("Ann", "Ben"),
        moves=tuple(RecordedMove(action, None) for action in MOVES),
        time_control="unlimited",
        result=result,
        termination="completed",
    )
    return ReviewOrder(game_id, format_record(record), len(MOVES))


async def test_processes_judge_stop_die_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    children, reviewer = Family(), ServerReviewer(1)
    try:
        assert children(MODULE) == []
        made = await reviewer.judge(order(), lambda _done: None)
        report = ReviewReport.model_validate_json(zlib.decompress(made.text))
        assert [move.action for move in report.moves] == list(MOVES)
        assert all(move.before.spread == 0 for move in report.moves)
        assert json.loads(zlib.decompress(made.text)) == msgpack.unpackb(
            zlib.decompress(made.packed)
        )
        (process,) = children(MODULE)
        assert process.nice() >= 10
        assert max(process.rlimit(psutil.RLIMIT_DATA)) < 1 << 32

        given_up = asyncio.create_task(reviewer.judge(order(), lambda _done: None))
        await asyncio.sleep(0)
        given_up.cancel()
        again = await reviewer.judge(order(), lambda _done: None)
        assert (again, children(MODULE)) == (made, [process])  # it has stopped in order

        with pytest.raises(ReviewFailedError, match="cannot be read"):
            await reviewer.judge(ReviewOrder("bad", "no record", 1), lambda _done: None)

        process.suspend()  # so that it dies with the order, not after it
        dying = asyncio.create_task(reviewer.judge(order(), lambda _done: None))
        for _ in range(20):  # the order is on its way
            await asyncio.sleep(0)
        process.kill()
        with pytest.raises(WorkerDiedError, match="killed by SIGKILL"):
            await dying
        assert await reviewer.judge(order(), lambda _done: None) == made

        monkeypatch.setattr(reviews, "IDLE_S", 0.0)
        await reviewer.judge(order(), lambda _done: None)
        await until(lambda: not children(MODULE))
    finally:
        await reviewer.close()


async def test_a_host_offers_reviews_of_games_against_bots(tmp_path: Path) -> None:
    children = Family()
    with hosting(tmp_path, "random", "--analysis", "1") as server:
        url, bots = ready(server, 1)
        async with visitor(url) as client:
            assert client.session.welcome is not None
            assert client.session.welcome.reviews
            settings = MatchSettings(game=GAME.key, params={"rows": 1, "cols": 2})
            room = await begin(client, next(iter(bots)), settings)
            while client.session.rooms[room].status == "playing":
                await one_turn(client, room)
            game_id = f"{room}-1"
            assert (await client.get_review(game_id)).all == 7
            known = client.session.reviews
            await until(lambda: known[game_id].status in ("done", "failed"))
            report = known[game_id].report
            assert report is not None, known[game_id].reason
            assert len(report.moves) == 7
        assert len(children(MODULE)) == 1
        server.send(signal.SIGINT)
        assert server.wait() == 0
    await until(lambda: not children(MODULE))


def test_a_game_without_moves_has_no_review() -> None:
    reviewer = ServerReviewer(1)
    assert reviewer.problem("dots-and-boxes", 3) == ""
    assert "no moves" in reviewer.problem("dots-and-boxes", 0)


def test_a_single_processor_core_is_for_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def workers(asked: int | None) -> int:
        reviewer = server_reviewer(asked)
        return 0 if reviewer is None else reviewer.workers

    monkeypatch.setattr(reviews, "cores", lambda: 1)
    assert [workers(asked) for asked in (None, 0, 3)] == [0, 0, 3]
    monkeypatch.setattr(reviews, "cores", lambda: 2)
    assert [workers(asked) for asked in (None, 0, 3)] == [1, 0, 3]
    real = importlib.util.find_spec
    monkeypatch.setattr(
        reviews.importlib.util,
        "find_spec",
        lambda name: None if name == "onnxruntime" else real(name),
    )
    assert [workers(asked) for asked in (None, 0)] == [0, 0]


def test_workers_without_their_packages_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reviews, "NETWORKS", ("no_such_package",))
    assert main(["serve", "--analysis", "2"]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "Reviews need packages that are not installed (no_such_package)" in shown
    assert main(["serve", "--analysis", "-1"]) == 2
