"""Tests of which game pairs of a sequential test count, and when it is over."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from doublecross.bots.arena.job import ArenaGame, ArenaJob, match_tasks
from doublecross.bots.arena.moves import Effort, MoveBudget
from doublecross.bots.arena.sprt_trial import Trial
from doublecross.bots.registry import parse_spec
from doublecross.games.record import RecordedMove
from doublecross.games.registry import make_game
from doublecross.stats.sprt import Sprt

BOARD = make_game("dots-and-boxes", {"rows": 3, "cols": 3})


JOB = ArenaJob(
    (parse_spec("rules"), parse_spec("random")),
    BOARD,
    match_tasks(BOARD.openings(Random(1), 100).found),
    MoveBudget(time_s=1.0),
)


def game(pair: int, number: int, points: float) -> ArenaGame:
    """Return a game in which the first bot scored `points`."""
    winner = {1.0: number, 0.0: 1 - number, 0.5: None}[points]
    efforts = (Effort(), Effort())
    return ArenaGame(JOB.tasks[pair], number, (), efforts, winner, "completed", (5, 4))


def won(*pairs: int) -> list[ArenaGame]:
    return [game(pair, number, 1.0) for pair in pairs for number in (0, 1)]


def test_pairs_count_in_their_order_whichever_is_finished_first() -> None:
    trial = Trial(Sprt(0, 100))
    counted = [trial.take(played) for played in (*won(1, 2), game(0, 1, 0.0), *won(4))]
    assert counted == [False] * 7
    assert (trial.pairs.pairs, trial.llr, trial.beyond) == (0, 0.0, 7)
    assert trial.take(game(0, 0, 0.5))
    assert trial.pairs.counts == (0, 1, 0, 0, 2)
    assert trial.llr == trial.sprt.llr(trial.pairs)
    assert trial.counted.pentanomial == trial.pairs
    assert trial.beyond == 2
    assert trial.verdict is None
    assert trial.take(won(3)[0]) is False
    assert trial.take(won(3)[1])
    assert trial.pairs.counts == (0, 1, 0, 0, 4)
    assert trial.beyond == 0


def test_pairs_finished_after_the_deciding_pair_do_not_count() -> None:
    test = Sprt(0, 200)
    needed = next(n for n in range(1, 99) if test.verdict(alone(n).pairs))
    trial = Trial(test)
    ahead = [game(pair, number, 0.0) for pair in range(needed, 90) for number in (0, 1)]
    for played in (*won(*range(1, needed)), *ahead, *won(0)):
        trial.take(played)
    assert trial.verdict == "H1"
    assert trial.pairs.counts == (0, 0, 0, 0, needed)
    assert trial.beyond == 2 * (90 - needed)
    assert trial.counted.pentanomial == trial.pairs
    late = game(95, 0, 0.0)
    assert trial.take(late) is False
    assert trial.beyond == 2 * (90 - needed) + 1


def alone(pairs: int) -> Trial:
    trial = Trial(Sprt(0, 1))
    for played in won(*range(pairs)):
        trial.take(played)
    return trial


def test_moves_are_kept_only_for_records() -> None:
    whole = replace(game(0, 0, 1.0), moves=(RecordedMove(0),))
    for keep in (True, False):
        trial = Trial(Sprt(), keep_moves=keep)
        trial.take(whole)
        assert bool(trial.played.games[0].moves) == keep
